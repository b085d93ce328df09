"""Playing a few games of a run, wherever that is done: what a worker does."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass, replace
from itertools import islice
from time import monotonic
from typing import Any

from sapper._util.time_limit import TimeLimit, TimeUp
from sapper.actions import Action
from sapper.errors import BadSetting, BotFailed
from sapper.lab.spec import Spec
from sapper.lab.table import Rows
from sapper.position import Position
from sapper.rules import Level
from sapper.solver.bots import Answer, Bot, Choice, begin, make_bot

__all__ = ["BOT_SECONDS", "Done", "Player", "Unit"]

BOT_SECONDS = 60.0
"""How long one choice may take, unless told otherwise."""

_NATIVE_CHUNK = 200
"""Games played natively between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Games to be played: `start` up to, but not including, `stop`.

    Attributes:
        run: Which of the runs that are played together.
        start: The first game's number.
        stop: The number after the last game's.
    """

    run: int
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a unit: its first games, as many as there was time for.

    Attributes:
        unit: What was to be played.
        table: The games, in order, from the unit's first on.
        failure: What the bot did in the game after these that ends the run; empty if nothing.
        interrupted: Whether Ctrl-C ended it.
    """

    unit: Unit
    table: Any
    failure: str = ""
    interrupted: bool = False

    @property
    def reached(self) -> int:
        """The number of the first game that was not played."""
        return self.unit.start + int(self.table.num_rows)


class Player:
    """Plays the games of one run, unit after unit, with one and the same bot.

    Args:
        spec: The run.
        bot_seconds: How long one choice may take.
    """

    def __init__(self, spec: Spec, bot_seconds: float = BOT_SECONDS) -> None:
        self._spec, self._match = spec, spec.match
        self._guard: _Guard | None = None
        if not spec.match.native:
            bot = make_bot(spec.match.bot, **spec.match.options)
            self._guard = _Guard(bot, spec.match.name, bot_seconds)
            self._match = replace(spec.match, bot=self._guard, options={})

    def play(self, unit: Unit, seconds: float) -> Done:
        """Play the games of a unit, one after the other, until the time is out.

        After so many seconds no further game is begun. One is always played.
        """
        rows = Rows()
        failure, interrupted = "", False
        with ExitStack() as stack:
            if self._guard is not None:
                stack.enter_context(self._guard.limit)
                # What a bot prints must not mix with the answer on standard output.
                stack.enter_context(redirect_stdout(sys.stderr))
            try:
                for games in self._chunks(unit, monotonic() + seconds):
                    rows.add(self._match.play(map(self._spec.seed_of, games)))
            except BotFailed as problem:
                failure = str(problem)
            except KeyboardInterrupt:
                interrupted = True
            except (TimeUp, SystemExit, MemoryError) as problem:
                seed = self._spec.seed_of(unit.start + len(rows))
                told = self._guard.told(problem) if self._guard else repr(problem)
                failure = f"bot {self._match.name}, game {seed}: {told}"
        return Done(unit, rows.table(), failure, interrupted)

    def _chunks(self, unit: Unit, end: float) -> Iterator[range]:
        step = _NATIVE_CHUNK if self._guard is None else 1
        for start in range(unit.start, unit.stop, step):
            if start > unit.start and monotonic() >= end:
                return
            yield range(start, min(unit.stop, start + step))


class _Guard:
    """A bot under watch: how long it takes, and that its answer has an end."""

    def __init__(self, bot: Bot, name: str, seconds: float) -> None:
        self.__name__ = name
        self._bot, self.limit = bot, TimeLimit(seconds)
        self._choices, self._longest = 0, 0

    def begin(self, level: Level, seed: int) -> None:
        self._choices, self._longest = 0, 4 * level.shape().size
        self.limit.start()
        begin(self._bot, level, seed)

    def choose(self, position: Position) -> Answer:
        self._choices += 1
        self.limit.start()
        answer = self._bot.choose(position)
        if isinstance(answer, Choice):
            return replace(answer, actions=self._ended(answer.actions))
        if isinstance(answer, Action) or not isinstance(answer, Iterable):
            return answer
        return self._ended(answer)

    def _ended(self, actions: Iterable[Action]) -> tuple[Action, ...]:
        taken = tuple(islice(actions, self._longest + 1))
        if len(taken) > self._longest:
            raise BadSetting(f"it answers more than {self._longest} actions at once")
        return taken

    def told(self, problem: BaseException) -> str:
        if isinstance(problem, TimeUp):
            return f"choice {self._choices} took longer than {self.limit.seconds:g} s"
        return f"{type(problem).__name__}: {problem} in choice {self._choices}"
