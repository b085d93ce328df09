"""The conformance checker: does a program speak the engine protocol correctly?"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

from sapper._util.shortening import shown
from sapper.errors import BadSetting, SapperError
from sapper.game import Game
from sapper.position import Position
from sapper.rules import Level
from sapper.solver import analyze
from sapper.solver.bots import Choice
from sapper.solver.bots.engine import Abilities, Engine, EngineFailed
from sapper.solver.bots.engine.messages import decode, encode, longest_line
from sapper.solver.bots.engine.process import EngineProcess, parse_command
from sapper.topology import TOPOLOGIES

__all__ = ["Check", "check_engine"]

_END_S: Final = 1.0
"""Time within which an engine must exit."""
_EXACT: Final = 1e-9
"""Maximum error of chances that an engine calls exact."""
_POSITIONS: Final = (
    ("..\n11", 1),
    ("....\n1221\n0000", 2),
    (".....\n.2.2.\n.....", 3),
    ("...\n.3.\n...", 3),
)
"""Small positions, with their mine totals, for analyses."""


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check.

    Attributes:
        name: The name of the check.
        passed: Whether the engine passed; None if the check does not apply to it.
        reason: The reason why it failed or does not apply; otherwise a figure.
    """

    name: str
    passed: bool | None
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON."""
        return {"check": self.name, "passed": self.passed, "reason": self.reason}


class _Skipped(Exception):
    """A check does not apply to the engine."""


class _Failed(Exception):
    """The engine did not pass a check."""


def check_engine(command: str, games: int = 20, seconds: float = 10.0) -> Iterator[Check]:
    """Yield the result of each check of an engine.

    Args:
        command: The engine's command.
        games: Number of Beginner games to play.
        seconds: Time limit of each answer.

    Raises:
        BadSetting: If the command cannot be read or the program does not exist.
    """
    if games < 1:
        raise BadSetting(f"the number of games must be at least 1, got {games}")
    parse_command(command)
    checker = _Checker(command, games, seconds)
    for name, run in _CHECKS:
        try:
            yield Check(name, True, run(checker) or "")
        except _Skipped as skipped:
            yield Check(name, None, str(skipped))
        except (_Failed, EngineFailed) as problem:
            yield Check(name, False, str(problem).removeprefix(f"engine {shown(command)}: "))
            if run is _Checker.greeting:
                return


class _Checker:
    """Runs the checks of one engine."""

    def __init__(self, command: str, games: int, seconds: float) -> None:
        self.command, self._games, self._seconds = command, games, seconds
        self.abilities = Abilities("")

    def _engine(self) -> Engine:
        return Engine(self.command, seconds=self._seconds)

    def _level(self) -> Level:
        """Return a small level of a kind that the engine plays."""
        return self._levels(self.abilities.topologies or ("rectangle",))[0]

    def _levels(self, topologies: tuple[str, ...]) -> list[Level]:
        total = {"mines": ":6", "density": "@0.15", "unknown": ":?"}[self.abilities.totals[0]]
        return [Level.parse(f"6x6{total}/{name}") for name in topologies if name in TOPOLOGIES]

    def greeting(self) -> str:
        with self._engine() as engine:
            self.abilities = engine.abilities
        if not self.abilities.name:
            raise _Failed("its name is empty")
        return f"{self.abilities.name} {self.abilities.version}".strip()

    def whole_games(self) -> str:
        """Play games of Beginner, or of a small level of another kind."""
        level = Level.parse("beginner") if self._plays("beginner") else self._level()
        with self._engine() as engine:
            wins = sum(self._play(engine, number, level, number) for number in range(self._games))
        return f"{wins} of {self._games} games won"

    def _plays(self, level: str) -> bool:
        try:
            self.abilities.check_board(Level.parse(level))
        except EngineFailed:
            return False
        return True

    def _play(self, engine: Engine, number: int, level: Level, seed: int) -> bool:
        game = self._begin(engine, number, level, seed)
        choices = 0
        while not game.over:
            self._step(engine, number, game)
            choices += 1
            if choices > 2 * level.shape().size:
                raise _Failed(f"it made {choices} choices on {level} without ending the game")
        engine.end(number, str(game.status))
        return str(game.status) == "won"

    def _begin(self, engine: Engine, number: int, level: Level, seed: int) -> Game:
        if level.mines is None and level.density is None:
            game = Game(f"{level.width}x{level.height}@0.15/{level.topology}", seed=seed)
        else:
            game = Game(level, seed=seed)
        engine.begin(number, level, seed)
        game.open((0, 0))
        return game

    def _step(self, engine: Engine, number: int, game: Game) -> None:
        self._carry_out(engine.choose(number, self._position(game)), game)

    def _position(self, game: Game) -> Position:
        position = game.position
        if self.abilities.totals[0] == "unknown":
            position = Position(position.topology, position.cells)
        return position

    def _carry_out(self, choice: Choice, game: Game) -> None:
        done = 0
        for action in choice.actions:
            if game.over:
                break
            try:
                done += bool(game.play(action))
            except SapperError as problem:
                raise _Failed(f"it chose to {action.kind} {action.cell}: {problem}") from None
        if not done:
            raise _Failed(f"its choice {shown([a.label for a in choice.actions])} has no effect")

    def games_at_once(self) -> str:
        if self.abilities.games < 2:
            raise _Skipped("it plays one game at a time")
        count, level = min(self.abilities.games, 4), self._level()
        with self._engine() as engine:
            games = [self._begin(engine, number, level, number) for number in range(count)]
            while left := [number for number, game in enumerate(games) if not game.over]:
                # All requests are sent before the first answer is read.
                for number in left:
                    engine.ask(number, self._position(games[number]))
                for _ in left:
                    number, choice = engine.answer()
                    self._carry_out(choice, games[number])
        return f"{count} games"

    def shapes(self) -> str:
        names = self.abilities.topologies
        others = [name for name in names or tuple(TOPOLOGIES) if name != "rectangle"]
        if not others:
            raise _Skipped("it plays rectangles only")
        with self._engine() as engine:
            for number, level in enumerate(self._levels(tuple(others))):
                self._play(engine, number, level, number)
        return ", ".join(others)

    def analyses(self) -> str:
        if not self.abilities.analysis:
            raise _Skipped("it does not analyse positions")
        worst = 0.0
        with self._engine() as engine:
            for text, mines in _POSITIONS:
                position = Position.parse(text, mines)
                worst = max(worst, _compare(engine.analyze(position), position))
        return f"largest error {worst:.1e}"

    def stopping(self) -> str:
        """Ask for a choice and stop it immediately; it must still be answered."""
        with self._raw() as raw:
            raw.begin(self._level())
            raw.send({"type": "choose", "id": 1, "game": 1, "rows": raw.rows})
            raw.send({"type": "stop", "id": 1})
            raw.expect("choice", 1)
            raw.send({"type": "stop", "id": 99})
            raw.choose(2)
        return ""

    def unknown_messages(self) -> str:
        """Send unknown types and fields, which the engine must ignore."""
        with self._raw() as raw:
            raw.begin(self._level())
            raw.send({"type": "from-a-later-version", "id": 1, "of": {"any": ["form"]}})
            raw.send({"type": "choose", "id": 2, "game": 1, "rows": raw.rows, "more": [1, {}]})
            raw.expect("choice", 2)
        return ""

    def broken_messages(self) -> str:
        """Send lines that are not messages; the engine must continue with the next line."""
        with self._raw() as raw:
            raw.begin(self._level())
            for line in (b"\n", b"{\n", b"[]\n", b'{"type":7}\n', b'"\xff"\n', b"null\n"):
                raw.send_line(line)
            raw.choose(1)
            raw.send({"type": "choose", "id": 2, "game": 77, "rows": raw.rows})
            raw.expect("error", 2)
            raw.choose(3)
        return ""

    def abandoned_games(self) -> str:
        """Start a game again without ending it."""
        with self._raw() as raw:
            raw.begin(self._level())
            raw.choose(1)
            raw.begin(self._level())
            raw.choose(2)
        return ""

    def quitting(self) -> str:
        with self._raw() as raw:
            raw.send({"type": "quit"})
            return raw.expect_end("after quit")

    def closed_input(self) -> str:
        with self._raw() as raw:
            raw.process.close_input()
            return raw.expect_end("after the end of its standard input")

    def _raw(self) -> _Raw:
        return _Raw(self.command, self._seconds)


class _Raw:
    """An engine that has sent its greeting; anything can be sent to it."""

    def __init__(self, command: str, seconds: float) -> None:
        self.process = EngineProcess(parse_command(command), 4096)
        self._seconds, self.rows = seconds, [""]
        self.send({"type": "hello", "protocol": 1, "name": "sapper engine check"})
        self.expect("hello", None)

    def __enter__(self) -> _Raw:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.close()

    def send(self, message: dict[str, Any]) -> None:
        self.send_line(encode(message))

    def send_line(self, line: bytes) -> None:
        self.process.send(line, monotonic() + self._seconds)

    def begin(self, level: Level) -> None:
        self.rows = ["." * level.width] * level.height
        fields = {
            "width": level.width,
            "height": level.height,
            "topology": level.topology,
            "mines": level.mines,
            "density": level.density,
        }
        self.send({"type": "game", "game": 1, **fields, "seed": 1, "limits": {}})

    def choose(self, number: int) -> None:
        self.send({"type": "choose", "id": number, "game": 1, "rows": self.rows})
        self.expect("choice", number)

    def expect(self, kind: str, number: int | None) -> None:
        """Wait for a message, skipping errors and information about other requests."""
        deadline = monotonic() + self._seconds
        while True:
            line = self.process.receive(deadline, longest_line(36))
            if line is None:
                raise _Failed(f"it did not answer with {kind} within {self._seconds:g} s")
            message = decode(line)
            if message["type"] == kind and message.get("id") == number:
                return
            if message["type"] not in ("error", "info"):
                raise _Failed(f"expected {kind} with id {number}, got {shown(json.dumps(message))}")

    def expect_end(self, when: str) -> str:
        """Wait for the end of the engine, and return how long it took."""
        started = monotonic()
        if not self.process.wait(_END_S):
            raise _Failed(f"it did not end within {_END_S:g} s {when}")
        return f"{monotonic() - started:.2f} s"


def _compare(found: dict[str, Any], position: Position) -> float:
    """Check an analysis, and return the largest error of its chances."""
    exact = analyze(position)
    shape = position.topology
    for name, cells in (("safe", exact.safe), ("mined", exact.mined)):
        claimed = found.get(name, [])
        if not isinstance(claimed, list):
            raise _Failed(f"{name} must be a list of cells, got {shown(claimed)}")
        for pair in claimed:
            try:
                proved = shape.cell(shape.index(pair)) in cells
            except SapperError:
                raise _Failed(f"{name} names {shown(pair)}, which is no cell") from None
            if not proved:
                raise _Failed(f"it calls {shown(pair)} {name}, which is not proved")
    chances = found.get("chances")
    expected = exact.p_mine.tolist()
    if not (
        isinstance(chances, list)
        and [len(row) if isinstance(row, list) else None for row in chances]
        == [shape.width] * shape.height
    ):
        raise _Failed(f"chances must be {shape.height} rows of {shape.width}")
    worst = 0.0
    for row, (theirs, ours) in enumerate(zip(chances, expected, strict=True)):
        for column, (chance, right) in enumerate(zip(theirs, ours, strict=True)):
            if math.isnan(right):
                continue
            if isinstance(chance, bool) or not isinstance(chance, int | float):
                raise _Failed(f"the chance of ({row}, {column}) must be a number, got {chance!r}")
            worst = max(worst, abs(chance - right))
    if found.get("exact", True) and worst > _EXACT:
        raise _Failed(f"its chances are wrong by up to {worst:.1e}, but it calls them exact")
    return worst


_CHECKS: Final[tuple[tuple[str, Callable[[_Checker], str]], ...]] = (
    ("greets", _Checker.greeting),
    ("plays whole games", _Checker.whole_games),
    ("plays several games at once", _Checker.games_at_once),
    ("plays on other shapes", _Checker.shapes),
    ("analyses positions", _Checker.analyses),
    ("answers after stop", _Checker.stopping),
    ("ignores unknown messages and fields", _Checker.unknown_messages),
    ("survives broken messages", _Checker.broken_messages),
    ("restarts an abandoned game", _Checker.abandoned_games),
    ("ends after quit", _Checker.quitting),
    ("ends with its input", _Checker.closed_input),
)
