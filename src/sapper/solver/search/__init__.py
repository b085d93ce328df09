"""Win chances: what perfect play comes to, and what search and a learned value make of the rest."""

from sapper.solver.search.chances import CellChance, WinChance, win_chance
from sapper.solver.search.end_game import Optimal, optimal

__all__ = ["CellChance", "Optimal", "WinChance", "optimal", "win_chance"]
