"""Minesweeper: play it, understand it, measure it, build on it."""

from sapper._core import __version__
from sapper.board import Board
from sapper.errors import SapperError
from sapper.position import Position
from sapper.solver import Analysis, Hint, Limit, analyze, hint
from sapper.topology import Cell, Topology

__all__ = [
    "Analysis",
    "Board",
    "Cell",
    "Hint",
    "Limit",
    "Position",
    "SapperError",
    "Topology",
    "__version__",
    "analyze",
    "hint",
]
