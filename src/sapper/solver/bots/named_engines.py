"""Engines that an operator adds to the apps as bots, by name."""

from __future__ import annotations

from collections.abc import Iterable

from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.position import Position
from sapper.rules import Level, Settings
from sapper.solver.bots.base import Choice
from sapper.solver.bots.engine import SharedEngine, SharedGame
from sapper.solver.bots.registry import register
from sapper.translation import Text, t

__all__ = ["add_engines"]


class _Player:
    """A bot that plays one game at a time with a shared engine."""

    def __init__(self, engine: SharedEngine) -> None:
        self._engine = engine
        self._game: SharedGame | None = None

    def begin_game(self, level: Level, seed: int, settings: Settings | None) -> None:
        """Start a game."""
        self._game = SharedGame(level, seed, settings)

    def choose(self, position: Position) -> Choice:
        """Return the engine's choice.

        Raises:
            EngineFailed: As `SharedEngine.choose`.
        """
        assert self._game is not None
        return self._engine.choose(self._game, position)


class _Factory:
    """Creates the bots of a shared engine; an entry of the registry."""

    def __init__(self, engine: SharedEngine) -> None:
        self._engine = engine
        self.label = Text(engine.name, {})
        self.__doc__ = t("A program added by the operator.")

    def __call__(self) -> _Player:
        return _Player(self._engine)


def add_engines(specs: Iterable[str], *, public: bool = False) -> None:
    """Add engines to the bots of this process; each is given as ``NAME=COMMAND``.

    Nothing is started until a game uses the engine.

    Args:
        specs: The engines.
        public: As in `SharedEngine`.

    Raises:
        BadSetting: If an engine has no name or command, its name is taken or not allowed, or its
            program does not exist.
    """
    for spec in specs:
        name, equals, command = spec.partition("=")
        if not equals or not command.strip():
            raise BadSetting(f"an engine must be given as NAME=COMMAND, got {shown(spec)}")
        register(name)(_Factory(SharedEngine(name, command, public=public)))
