"""A bot that is an engine in a separate process."""

from __future__ import annotations

from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.position import Position
from sapper.rules import Level, Settings
from sapper.solver.bots.base import Choice
from sapper.solver.bots.engine.client import Engine
from sapper.solver.bots.engine.process import parse_command

__all__ = ["EngineBot"]


class EngineBot:
    """Plays as an engine does; ``engine:COMMAND`` wherever a bot can be named.

    The engine starts before its first game. After a failure, the next game starts a new process.

    Args:
        command: The engine's command, split into words as in a shell.
        seconds: Time limit of each choice.
        game_seconds: Time limit of each game, for the engine's information.
        nodes: Limit of search nodes per choice, for the engine's information.
        memory_mb: Memory limit in MB.
        cpu_s: Limit of the process's processor time in seconds; None for no limit.
        forfeit: Whether a game in which the engine fails counts as lost; otherwise a run ends.

    Attributes:
        forfeits: The value of `forfeit`.

    Raises:
        BadSetting: If the command cannot be read, the program does not exist, or a limit is not
            positive.
    """

    def __init__(
        self,
        command: str,
        *,
        seconds: float = 10.0,
        game_seconds: float | None = None,
        nodes: int | None = None,
        memory_mb: int = 4096,
        cpu_s: int | None = None,
        forfeit: bool = False,
    ) -> None:
        parse_command(command)
        limits = {
            "seconds": seconds,
            "game_seconds": game_seconds,
            "nodes": nodes,
            "memory_mb": memory_mb,
            "cpu_s": cpu_s,
        }
        for name, value in limits.items():
            allowed = int if name in ("nodes", "memory_mb", "cpu_s") else (int, float)
            if value is None and name not in ("seconds", "memory_mb"):
                continue
            number = isinstance(value, allowed) and not isinstance(value, bool)
            if not number or not 0 < value < 1e9:  # type: ignore[operator]  # checked before
                raise BadSetting(f"{name} must be a positive number, got {shown(value)}")
        if not isinstance(forfeit, bool):
            raise BadSetting(f"forfeit must be true or false, got {shown(forfeit)}")
        self.command, self._limits, self.forfeits = command, limits, forfeit
        self._engine: Engine | None = None
        self._game = 0
        self._level: Level | None = None

    def begin(self, level: Level, seed: int) -> None:
        """Start a game whose rules are unknown, for example in another program."""
        self.begin_game(level, seed, None)

    def begin_game(self, level: Level, seed: int, settings: Settings | None) -> None:
        """Start a game, which ends the previous one.

        Raises:
            EngineFailed: If the engine cannot be started, or does not play such games.
        """
        engine = self.ready()
        engine.begin(self.next_number(), level, seed, settings)
        self._level = level

    @property
    def longest_s(self) -> float:
        """The longest time in seconds in which the engine may answer, with the time to stop it."""
        seconds = self._limits["seconds"]
        assert seconds is not None
        return seconds + 2.0

    def ready(self) -> Engine:
        """Return the running engine without a game; the last game ends.

        Raises:
            EngineFailed: If the engine cannot be started.
        """
        engine = self._running()
        if self._level is not None:
            engine.end(self._game, "aborted")
            self._level = None
        return engine

    def next_number(self) -> int:
        """Return a number for a new game."""
        self._game += 1
        return self._game

    def end_game(self, result: str) -> None:
        """Notify the engine of the result of the game: ``won``, ``lost`` or ``aborted``."""
        if self._engine is not None and self._engine.running and self._level is not None:
            self._level = None
            self._engine.end(self._game, result)

    def choose(self, position: Position) -> Choice:
        """Return the engine's choice.

        Raises:
            EngineFailed: If the engine breaks the protocol, takes too long or ends.
        """
        if self._level is None:
            shape = position.topology
            level = Level(shape.width, shape.height, position.mines, position.density, shape.name)
            self.begin(level, 0)
        return self._running().choose(self._game, position)

    def cpu_s(self) -> float | None:
        """Return the processor time of the engine's process in seconds.

        None if no process runs, or on a system where it cannot be measured.
        """
        return self._engine.cpu_s() if self._engine is not None else None

    def close(self) -> None:
        """End the engine's process."""
        if self._engine is not None:
            self._engine.close()
            self._engine, self._level = None, None

    def _running(self) -> Engine:
        if self._engine is None or not self._engine.running:
            self._level = None
            self._engine = Engine(self.command, **self._limits)  # type: ignore[arg-type]
        return self._engine

    def __reduce__(self) -> tuple[object, ...]:
        # A copy in another process starts its own engine.
        return _made, (self.command, {**self._limits, "forfeit": self.forfeits})


def _made(command: str, options: dict[str, object]) -> EngineBot:
    return EngineBot(command, **options)  # type: ignore[arg-type]
