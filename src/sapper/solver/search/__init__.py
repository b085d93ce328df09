"""Win probabilities: exact under perfect play, otherwise by search with a learned value."""

from sapper.solver.search.chances import CellChance, WinChance
from sapper.solver.search.end_game import Optimal, optimal

__all__ = ["CellChance", "Optimal", "WinChance", "optimal"]
