"""Playing a few games of a run, wherever that is done: what a worker does."""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from itertools import islice
from time import monotonic
from typing import Any

from sapper.errors import BadSetting, BotFailed
from sapper.events import Action
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


class _Overdue(BaseException):
    """A choice took too long. No `Exception`, so that no bot catches it by chance."""


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
        with _watched(self._guard):
            try:
                for games in self._chunks(unit, monotonic() + seconds):
                    rows.add(self._match.play(map(self._spec.seed_of, games)))
            except BotFailed as problem:
                failure = str(problem)
            except KeyboardInterrupt:
                interrupted = True
            except (_Overdue, SystemExit, MemoryError) as problem:
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
        self._bot, self.limit = bot, seconds
        self._choices, self._longest = 0, 0
        self.since: float | None = None

    def begin(self, level: Level, seed: int) -> None:
        self._choices, self._longest = 0, 4 * level.shape().size
        self.since = monotonic()
        begin(self._bot, level, seed)

    def choose(self, position: Position) -> Answer:
        self._choices += 1
        self.since = monotonic()
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

    @property
    def overdue(self) -> bool:
        return self.since is not None and monotonic() - self.since > self.limit

    def told(self, problem: BaseException) -> str:
        if isinstance(problem, _Overdue):
            return f"choice {self._choices} took longer than {self.limit:g} s"
        return f"{type(problem).__name__}: {problem} in choice {self._choices}"


@contextmanager
def _watched(guard: _Guard | None) -> Iterator[None]:
    """End the choice that takes too long, in the thread that this is called from."""
    if guard is None:
        yield
        return
    guard.since = None
    player, finished = threading.get_ident(), threading.Event()
    # Only a signal can end what waits for the system, and only the main thread takes one.
    main = threading.current_thread() is threading.main_thread() and hasattr(signal, "SIGALRM")

    def look() -> None:
        while not finished.wait(min(0.5, guard.limit / 4)):
            if guard.overdue:
                if main:
                    signal.pthread_kill(player, signal.SIGALRM)
                else:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(player), ctypes.py_object(_Overdue)
                    )
                return

    before = signal.signal(signal.SIGALRM, _raise_overdue) if main else None
    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        # What a bot prints is no part of the answer on standard output.
        with redirect_stdout(sys.stderr):
            yield
    finally:
        finished.set()
        watcher.join()
        if main:
            signal.signal(signal.SIGALRM, before)


def _raise_overdue(*_: object) -> None:
    raise _Overdue
