"""A started engine: its greeting, games, choices and analyses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic
from types import TracebackType
from typing import Any, Final, Self, TypeGuard, TypeVar

from sapper._core import __version__
from sapper._util.shortening import shortened, shown
from sapper.position import Position
from sapper.rules import Level, Settings
from sapper.solver.bots.base import Choice
from sapper.solver.bots.engine.errors import EngineFailed
from sapper.solver.bots.engine.messages import (
    PROTOCOL,
    Abilities,
    choice_of,
    decode,
    encode,
    game_message,
    longest_line,
    position_fields,
)
from sapper.solver.bots.engine.process import EngineProcess, parse_command

__all__ = ["Engine"]

_Answer = TypeVar("_Answer")

_GREETING_S: Final = 20.0
"""Time for an engine to start and greet; virtual machines and interpreters are slow to start."""
_GRACE_S: Final = 1.0
"""Time for an engine to answer after `stop`."""
_MOST_OTHER: Final = 1_000
"""Maximum number of other messages before an answer."""


class Engine:
    """An engine, which runs until it is closed.

    Args:
        command: Its command; see `sapper.solver.bots.engine.process.parse_command`.
        seconds: Time limit of each answer.
        game_seconds: Time limit of each game, for the engine's information.
        nodes: Limit of search nodes per answer, for the engine's information.
        memory_mb: Memory limit in MB.
        cpu_s: Limit of processor time in seconds.
        name: Name of the engine in errors (default: its command).

    Attributes:
        abilities: The engine's declarations in its greeting.

    Raises:
        BadSetting: If the command cannot be read, or the program does not exist.
        EngineFailed: If the engine cannot be started, or its greeting is invalid.
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
        name: str | None = None,
    ) -> None:
        self._name, self._seconds = name or shown(command), seconds
        self._limits = {
            "move_ms": round(seconds * 1000),
            "game_ms": None if game_seconds is None else round(game_seconds * 1000),
            "nodes": nodes,
        }
        self._cells, self._next_id = 0, 0
        self._seen: dict[int, bytes] = {}
        self._asked: dict[int, tuple[str, Callable[[dict[str, Any]], Any]]] = {}
        self._process = EngineProcess(parse_command(command), memory_mb, cpu_s)
        try:
            self.abilities = self._greet()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def running(self) -> bool:
        """Whether the engine can be used; a failure ends it."""
        return self._process.running

    def cpu_s(self) -> float | None:
        """Return the engine's processor time in seconds; None where it cannot be measured."""
        return self._process.cpu_s()

    def begin(self, game: int, level: Level, seed: int, settings: Settings | None = None) -> None:
        """Start a game.

        Args:
            game: The game's number, chosen by the caller.
            level: The level.
            seed: Seed of the engine's random choices, independent of the mines.
            settings: The other settings, if known.

        Raises:
            EngineFailed: If the engine does not play such boards or rules, or has ended.
        """
        self._check(level, settings)
        self._cells = max(self._cells, level.width * level.height)
        self._seen[game] = b""
        self._send(game_message(game, level, seed, settings, self._limits))

    def choose(self, game: int, position: Position) -> Choice:
        """Return the engine's choice in a position of a game.

        Raises:
            EngineFailed: If the engine breaks the protocol, takes too long or ends; it is then
                closed.
        """
        self.ask(game, position)
        return self.answer()[1]

    def ask(self, game: int, position: Position) -> None:
        """Request a choice in a position of a game, without waiting for it.

        Each game can have one such request, in up to `Abilities.games` games.

        Raises:
            EngineFailed: If the engine has ended, or does not read; it is then closed.
        """
        before, cells = self._seen[game], position.cells
        self._seen[game] = cells
        request = {"type": "choose", "game": game, "rows": position.rows}
        if before:
            cell = position.topology.cell
            request["changed"] = [
                tuple(cell(index))
                for index, (old, new) in enumerate(zip(before, cells, strict=False))
                if old != new
            ]
        shape = position.topology
        self._request(request, "choice", lambda answer: (game, choice_of(answer, shape)))

    def answer(self) -> tuple[int, Choice]:
        """Return the next choice, and its game; choices arrive in any order.

        The time limit counts from the previous choice.

        Raises:
            EngineFailed: As `choose`.
        """
        found: tuple[int, Choice] = self._answer()
        return found

    def analyze(self, position: Position) -> dict[str, Any]:
        """Return the engine's analysis of a position, as it was sent.

        Raises:
            EngineFailed: If the engine does not analyse such positions, breaks the protocol, takes
                too long or ends.
        """
        if not self.abilities.analysis:
            raise self._failure("it does not analyse positions")
        self._check(position)
        self._cells = max(self._cells, position.topology.size)
        request = {"type": "analyze", **position_fields(position), "limits": self._limits}
        self._request(request, "analysis", dict)
        found: dict[str, Any] = self._answer()
        return found

    def _check(self, board: Level | Position, settings: Settings | None = None) -> None:
        try:
            self.abilities.check_board(board)
            if settings is not None:
                self.abilities.check_rules(settings.rules)
        except EngineFailed as problem:
            raise EngineFailed(f"engine {self._name}: {problem}") from None

    def end(self, game: int, result: str) -> None:
        """Notify the engine that a game has ended: ``won``, ``lost`` or ``aborted``."""
        del self._seen[game]
        self._send({"type": "end", "game": game, "result": result})

    def close(self) -> None:
        """Ask the engine to quit, and end it and all its child processes."""
        self._process.close()

    def _request(
        self, request: dict[str, Any], kind: str, parse: Callable[[dict[str, Any]], Any]
    ) -> None:
        """Send a request; `parse` converts its answer, a message of this kind."""
        self._next_id += 1
        self._asked[self._next_id] = kind, parse
        self._send({**request, "id": self._next_id})

    def _answer(self) -> Any:
        """Return the next parsed answer to one of the requests."""
        oldest = next(iter(self._asked))
        try:
            answer = self._receive(self._parsed, monotonic() + self._seconds)
            if answer is None:
                self._send({"type": "stop", "id": oldest})
                answer = self._receive(self._parsed, monotonic() + _GRACE_S)
            if answer is None:
                raise EngineFailed(f"it did not answer within {self._seconds:g} s")
        except EngineFailed as problem:
            raise self._failure(str(problem)) from None
        return answer

    def _parsed(self, message: dict[str, Any]) -> Any:
        """Return the parsed answer in a message; None if it can be ignored."""
        found, number = message["type"], message.get("id")
        asked = self._asked.get(number) if _is_id(number) else None
        if found == "error" and (number is None or asked is not None):
            raise EngineFailed(f"it reported an error: {_error_text(message)}")
        if found == "info":
            return None
        if asked is not None and _is_id(number) and found == asked[0]:
            del self._asked[number]
            return asked[1](message)
        numbers = " or ".join(map(str, self._asked))
        if found in ("choice", "analysis") and asked is None:
            raise EngineFailed(f"expected an answer with id {numbers}, got {shown(number)}")
        kinds = " or ".join(dict.fromkeys(kind for kind, _ in self._asked.values()))
        raise EngineFailed(f"expected a message of type {kinds}, got {shown(found)}")

    def _greet(self) -> Abilities:
        deadline = monotonic() + _GREETING_S
        greeting = {"type": "hello", "protocol": PROTOCOL, "name": "Sapper", "version": __version__}
        self._send(greeting)
        try:
            abilities = self._receive(Abilities.from_json, deadline)
            if abilities is None:
                raise EngineFailed(f"it did not greet within {_GREETING_S:g} s")
        except EngineFailed as problem:
            raise self._failure(str(problem)) from None
        return abilities

    def _receive(
        self, parse: Callable[[dict[str, Any]], _Answer | None], deadline: float
    ) -> _Answer | None:
        """Return the first parsed message; None if none arrived before the deadline."""
        for _ in range(_MOST_OTHER):
            line = self._process.receive(deadline, longest_line(self._cells))
            if line is None:
                return None
            if line.strip() and (answer := parse(decode(line))) is not None:
                return answer
        raise EngineFailed(f"it sent {_MOST_OTHER} messages without an answer")

    def _send(self, message: Mapping[str, Any]) -> None:
        if not self.running:
            raise self._failure("it has been closed")
        try:
            self._process.send(encode(message), monotonic() + self._seconds)
        except EngineFailed as problem:
            raise self._failure(str(problem)) from None

    def _failure(self, reason: str) -> EngineFailed:
        """Close the engine, and return an error that names it."""
        self.close()
        return EngineFailed(f"engine {self._name}: {reason}")


def _is_id(number: object) -> TypeGuard[int]:
    return isinstance(number, int) and not isinstance(number, bool)


def _error_text(message: Mapping[str, Any]) -> str:
    parts = [str(message[name]) for name in ("code", "message") if name in message]
    return shortened(": ".join(parts) or "no reason given", 200)
