"""Minesweeper: play, analyse, run bots, and build on it."""

from sapper import _startup  # noqa: F401  (first: Ctrl-C may come during the imports)

# isort: split
from typing import TYPE_CHECKING, Any, Final

from sapper._core import __version__
from sapper.actions import Action, ActionKind
from sapper.board import Board
from sapper.errors import (
    BadBoard,
    BadCell,
    BadLevel,
    BadPosition,
    BadReplay,
    BadSave,
    BadSetting,
    BotFailed,
    Cancelled,
    IllegalAction,
    InconsistentPosition,
    LimitReached,
    MissingExtra,
    OverlayFailed,
    SapperError,
    WrongType,
)
from sapper.game import Counts, Game, Status
from sapper.generation import Generated, Logic, generate
from sapper.plugins import load_plugins
from sapper.position import Position
from sapper.rules import BEGINNER, EXPERT, INTERMEDIATE, Chord, FirstClick, Level, Win
from sapper.simulation import Played, Simulation, simulate
from sapper.solver import (
    Analysis,
    Conflict,
    Hint,
    Limit,
    ProofStep,
    Solver,
    analyze,
    both_ways,
    conflict,
    hint,
    proof_steps,
    sample,
)
from sapper.solver.arrange import Arrangement, arrange
from sapper.solver.bots import Bot, Choice, bots, make_bot
from sapper.solver.limit import Cancel
from sapper.solver.search import Optimal, WinChance, optimal
from sapper.solver.winning import win_chance
from sapper.topology import Cell, Topology

if TYPE_CHECKING:
    from sapper.coach import Outcome, Review, outcomes, review
    from sapper.replay import Replay

__all__ = [
    "BEGINNER",
    "EXPERT",
    "INTERMEDIATE",
    "Action",
    "ActionKind",
    "Analysis",
    "Arrangement",
    "BadBoard",
    "BadCell",
    "BadLevel",
    "BadPosition",
    "BadReplay",
    "BadSave",
    "BadSetting",
    "Board",
    "Bot",
    "BotFailed",
    "Cancel",
    "Cancelled",
    "Cell",
    "Choice",
    "Chord",
    "Conflict",
    "Counts",
    "FirstClick",
    "Game",
    "Generated",
    "Hint",
    "IllegalAction",
    "InconsistentPosition",
    "Level",
    "Limit",
    "LimitReached",
    "Logic",
    "MissingExtra",
    "Optimal",
    "Outcome",
    "OverlayFailed",
    "Played",
    "Position",
    "ProofStep",
    "Replay",
    "Review",
    "SapperError",
    "Simulation",
    "Solver",
    "Status",
    "Topology",
    "Win",
    "WinChance",
    "WrongType",
    "__version__",
    "analyze",
    "arrange",
    "both_ways",
    "bots",
    "conflict",
    "generate",
    "hint",
    "make_bot",
    "optimal",
    "outcomes",
    "proof_steps",
    "review",
    "sample",
    "simulate",
    "win_chance",
]

_LATER: Final = {
    "Outcome": "coach",
    "Replay": "replay",
    "Review": "coach",
    "bbbv": "metrics",
    "outcomes": "coach",
    "review": "coach",
}
"""Names imported when they are first used, for a quick start of bots and commands."""
_MODULES: Final = {
    "coach",
    "dealer",
    "drawing",
    "env",
    "errors",
    "formats",
    "game",
    "generation",
    "history",
    "lab",
    "metrics",
    "overlays",
    "replay",
    "server",
    "simulation",
    "solver",
    "stats",
    "topology",
    "translation",
    "tui",
    "vision",
}
"""Public modules. Those that nothing above imports are imported when they are first used."""


if not TYPE_CHECKING:  # otherwise type checkers would accept any name

    def __getattr__(name: str) -> Any:
        from importlib import import_module

        if name in _MODULES:
            try:
                return import_module(f"sapper.{name}")
            except MissingExtra as problem:
                # `hasattr` and `inspect.getmembers` expect an AttributeError.
                raise AttributeError(f"sapper.{name}: {problem}") from problem
        if name not in _LATER:
            raise AttributeError(f"module 'sapper' has no attribute {name!r}")
        globals()[name] = found = getattr(import_module(f"sapper.{_LATER[name]}"), name)
        return found

    def __dir__() -> list[str]:
        return sorted({*__all__, *_MODULES})


# Load plugins last, because they import from this package.
load_plugins()
