"""An engine in a few processes, shared by all games of an app."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from sapper.errors import SapperError
from sapper.position import FLAGGED, UNOPENED, Position
from sapper.rules import Level, Settings
from sapper.solver.bots.base import Choice
from sapper.solver.bots.engine.client import Engine
from sapper.solver.bots.engine.errors import EngineFailed
from sapper.solver.bots.engine.process import parse_command

__all__ = ["SharedEngine", "SharedGame"]

_log: Final = logging.getLogger(__name__)

_PROCESSES: Final = 2
"""Maximum number of processes of an engine."""
_WAIT_S: Final = 20.0
"""Time to wait for a process in use."""
_SECONDS: Final = 10.0
_UNOPENED: Final = frozenset((UNOPENED + FLAGGED).encode())


@dataclass(eq=False)
class SharedGame:
    """A game, with the data for starting it in another process.

    Attributes:
        level: The level.
        seed: Seed of the engine's random choices.
        settings: The other settings, if known.
    """

    level: Level
    seed: int
    settings: Settings | None = None


@dataclass(eq=False)
class _Process:
    """A process of the engine, and the games that it knows, least recently played first.

    Attributes:
        engine: The running engine.
        games: Each game's number, and the cells of its last position.
        started: The highest number of a game.
    """

    engine: Engine | None = None
    games: OrderedDict[SharedGame, tuple[int, bytes]] = field(default_factory=OrderedDict)
    started: int = 0


class SharedEngine:
    """Plays any number of games with a few processes of an engine. Threads may share it.

    A process that fails is replaced at the next choice; other games continue.

    Args:
        name: The engine's name in errors.
        command: Its command, split into words as in a shell.
        public: Whether players are strangers to the operator: then the details of a failure, which
            may contain paths, are only logged.
        seconds: Time limit of each choice.
        wait_s: Maximum time to wait for a process that other games use.

    Raises:
        BadSetting: If the command cannot be read or the program does not exist.
    """

    def __init__(
        self,
        name: str,
        command: str,
        *,
        public: bool = False,
        seconds: float = _SECONDS,
        wait_s: float = _WAIT_S,
    ) -> None:
        parse_command(command)
        self.name, self._command, self._public = name, command, public
        self._seconds, self._wait_s = seconds, wait_s
        self._idle = [_Process() for _ in range(_PROCESSES)]
        self._freed = threading.Condition()

    def choose(self, game: SharedGame, position: Position) -> Choice:
        """Return the engine's choice in a position of a game.

        Raises:
            EngineFailed: If the engine fails, does not play such boards or rules, or all its
                processes are busy.
        """
        with self._process(game) as process:
            try:
                engine = self._engine(process)
                return engine.choose(self._number(process, engine, game, position), position)
            except SapperError as problem:
                if process.engine is not None and process.engine.running:
                    raise
                raise self._failure(problem) from None

    def close(self) -> None:
        """End the processes that are not in use."""
        with self._freed:
            for process in self._idle:
                if process.engine is not None:
                    process.engine.close()

    @contextmanager
    def _process(self, game: SharedGame) -> Iterator[_Process]:
        """Reserve a process, if possible one that knows the game or at least runs."""
        with self._freed:
            if not self._freed.wait_for(lambda: self._idle, self._wait_s):
                raise EngineFailed("all its processes are busy; try again in a moment")
            process = max(self._idle, key=lambda one: (game in one.games, one.engine is not None))
            self._idle.remove(process)
        try:
            yield process
        finally:
            with self._freed:
                self._idle.append(process)
                self._freed.notify()

    def _engine(self, process: _Process) -> Engine:
        if process.engine is None or not process.engine.running:
            process.games.clear()
            process.engine = None
            process.engine = Engine(self._command, seconds=self._seconds, name=self.name)
        return process.engine

    def _number(
        self, process: _Process, engine: Engine, game: SharedGame, position: Position
    ) -> int:
        """Return the game's number in a process; start it there if necessary."""
        number, before = process.games.pop(game, (0, b""))
        # Engines expect opened cells to stay open, so undoing a move restarts the game.
        if number and _closed(before, position.cells):
            engine.end(number, "aborted")
            number = 0
        if not number:
            while len(process.games) >= engine.abilities.games:
                engine.end(process.games.popitem(last=False)[1][0], "aborted")
            process.started += 1
            number = process.started
            engine.begin(number, game.level, game.seed, game.settings)
        process.games[game] = number, position.cells
        return number

    def _failure(self, problem: SapperError) -> SapperError:
        if not self._public:
            return problem
        _log.warning("%s", problem)
        return EngineFailed("the engine failed; try again, or choose another bot")


def _closed(before: bytes, after: bytes) -> bool:
    """Return whether a cell that was open is not any more."""
    pairs = zip(before, after, strict=False)
    return any(old != new and old not in _UNOPENED for old, new in pairs)
