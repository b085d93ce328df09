"""Win chances: what perfect play comes to."""

from sapper.solver.search.end_game import Optimal, optimal

__all__ = ["Optimal", "optimal"]
