"""Minesweeper: play it, understand it, measure it, build on it."""

from sapper._core import __version__
from sapper.board import Board
from sapper.errors import SapperError
from sapper.game import Game
from sapper.generation import generate
from sapper.position import Position
from sapper.rules import BEGINNER, EXPERT, INTERMEDIATE, Level
from sapper.simulation import simulate
from sapper.solver import Analysis, Hint, Limit, Solver, analyze, hint, sample
from sapper.solver.arrange import Arrangement, arrange
from sapper.solver.bots import bots
from sapper.solver.search import Optimal, WinChance, optimal, win_chance
from sapper.topology import Cell, Topology

__all__ = [
    "BEGINNER",
    "EXPERT",
    "INTERMEDIATE",
    "Analysis",
    "Arrangement",
    "Board",
    "Cell",
    "Game",
    "Hint",
    "Level",
    "Limit",
    "Optimal",
    "Position",
    "SapperError",
    "Solver",
    "Topology",
    "WinChance",
    "__version__",
    "analyze",
    "arrange",
    "bots",
    "generate",
    "hint",
    "optimal",
    "sample",
    "simulate",
    "win_chance",
]
