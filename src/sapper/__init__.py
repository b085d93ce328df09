"""Minesweeper: play, analyse, run bots, and build on it.

Importing `sapper` loads almost nothing: each name and module is imported when it is first used.
"""

from sapper import _startup  # noqa: F401  (first: Ctrl-C may come during the imports)

# Importing `typing` takes as long as everything else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from sapper._core import __version__
    from sapper.actions import Action, ActionKind
    from sapper.board import Board
    from sapper.coach import Outcome, Review, outcomes, review
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
    from sapper.position import Position
    from sapper.replay import Replay
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

_SOURCES = {
    "Action": "actions",
    "ActionKind": "actions",
    "Analysis": "solver",
    "Arrangement": "solver.arrange",
    "BEGINNER": "rules",
    "BadBoard": "errors",
    "BadCell": "errors",
    "BadLevel": "errors",
    "BadPosition": "errors",
    "BadReplay": "errors",
    "BadSave": "errors",
    "BadSetting": "errors",
    "Board": "board",
    "Bot": "solver.bots",
    "BotFailed": "errors",
    "Cancel": "solver.limit",
    "Cancelled": "errors",
    "Cell": "topology",
    "Choice": "solver.bots",
    "Chord": "rules",
    "Conflict": "solver",
    "Counts": "game",
    "EXPERT": "rules",
    "FirstClick": "rules",
    "Game": "game",
    "Generated": "generation",
    "Hint": "solver",
    "INTERMEDIATE": "rules",
    "IllegalAction": "errors",
    "InconsistentPosition": "errors",
    "Level": "rules",
    "Limit": "solver",
    "LimitReached": "errors",
    "Logic": "generation",
    "MissingExtra": "errors",
    "Optimal": "solver.search",
    "Outcome": "coach",
    "OverlayFailed": "errors",
    "Played": "simulation",
    "Position": "position",
    "ProofStep": "solver",
    "Replay": "replay",
    "Review": "coach",
    "SapperError": "errors",
    "Simulation": "simulation",
    "Solver": "solver",
    "Status": "game",
    "Topology": "topology",
    "Win": "rules",
    "WinChance": "solver.search",
    "WrongType": "errors",
    "__version__": "_core",
    "analyze": "solver",
    "arrange": "solver.arrange",
    "bbbv": "metrics",
    "both_ways": "solver",
    "bots": "solver.bots",
    "conflict": "solver",
    "generate": "generation",
    "hint": "solver",
    "make_bot": "solver.bots",
    "optimal": "solver.search",
    "outcomes": "coach",
    "proof_steps": "solver",
    "review": "coach",
    "sample": "solver",
    "simulate": "simulation",
    "win_chance": "solver.winning",
}
"""The module of each name."""
_MODULES = {
    "actions",
    "board",
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
    "position",
    "replay",
    "rules",
    "server",
    "simulation",
    "solver",
    "stats",
    "topology",
    "translation",
    "tui",
    "vision",
}
"""Public modules."""


if not TYPE_CHECKING:  # otherwise type checkers would accept any name

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in _SOURCES:
            found = getattr(import_module(f"sapper.{_SOURCES[name]}"), name)
            globals()[name] = found
            return found
        if name not in _MODULES:
            raise AttributeError(f"module 'sapper' has no attribute {name!r}")
        from sapper.errors import MissingExtra

        try:
            return import_module(f"sapper.{name}")
        except MissingExtra as problem:
            # `hasattr` and `inspect.getmembers` expect an AttributeError.
            raise AttributeError(f"sapper.{name}: {problem}") from problem

    def __dir__() -> list[str]:
        return sorted({*__all__, *_MODULES})
