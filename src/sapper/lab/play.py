"""Plays a few games of a run: the work of one worker."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass
from time import monotonic
from typing import Any

from sapper._util.foreign_errors import described
from sapper._util.interrupt import noticed
from sapper._util.time_limit import TimeUp
from sapper.errors import BotFailed, SapperError
from sapper.lab.life import Pulse
from sapper.lab.repeating import add_command
from sapper.lab.spec import Spec
from sapper.lab.table import Rows
from sapper.simulation import BotRunner

__all__ = ["BOT_SECONDS", "Done", "Player", "Unit"]

BOT_SECONDS = 60.0
"""Default time limit of one choice, in seconds."""

_NATIVE_CHUNK = 200
"""Games played natively between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Games to play: `start` up to, but not including, `stop`.

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
    """Result of a unit: its first games, as many as there was time for.

    Attributes:
        unit: What was to be played.
        table: The games, in order, from the unit's first on.
        failure: The bot's failure in the next game, which ends the run; None if there is none.
        interrupted: Whether Ctrl-C ended it.
    """

    unit: Unit
    table: Any
    failure: SapperError | None = None
    interrupted: bool = False

    @property
    def reached(self) -> int:
        """The number of the first game that was not played."""
        return self.unit.start + int(self.table.num_rows)


class Player:
    """Plays the games of one run, unit after unit, with the same bot object.

    Args:
        spec: The run.
        bot_seconds: Time limit for one choice.
        pulse: Called of every choice, in a process that its parent watches.
    """

    def __init__(
        self, spec: Spec, bot_seconds: float = BOT_SECONDS, pulse: Pulse | None = None
    ) -> None:
        self._spec, self._match, self._pulse = spec, spec.match, pulse
        self._bot_seconds, self._ready = bot_seconds, False
        self._runner: BotRunner | None = None

    def _prepare(self) -> None:
        """Make the bot: not before it plays, so that its errors are those of a game."""
        if not self._ready and not self._match.native:
            self._runner = self._match.runner(self._bot_seconds)
            if self._pulse is not None:
                self._runner.told = self._pulse.choosing
        self._ready = True

    def play(self, unit: Unit, seconds: float) -> Done:
        """Play the games of a unit, one after the other, until the time is up.

        After this many seconds no further game is started. One is always played.
        """
        rows = Rows()
        failure: SapperError | None = None
        interrupted = False
        with ExitStack() as stack:
            # What a bot prints must not mix with the output on standard output.
            stack.enter_context(redirect_stdout(sys.stderr))
            try:
                self._prepare()
                if self._runner is not None:
                    stack.enter_context(self._runner)
                for games in self._chunks(unit, monotonic() + seconds):
                    if self._pulse is not None:
                        self._pulse.playing(len(rows))
                    rows.add(self._match.play(map(self._spec.seed_of, games), self._runner))
            except SapperError as problem:
                failure = problem
            except KeyboardInterrupt:
                noticed.set()
                interrupted = True
            except (TimeUp, MemoryError) as problem:
                # An error of the bot, noticed only after its choice.
                seed = self._spec.seed_of(unit.start + len(rows))
                failure = BotFailed(f"bot {self._match.name}, game {seed}: {described(problem)}")
        if isinstance(failure, BotFailed):
            seed = self._spec.seed_of(unit.start + len(rows))
            add_command(failure, self._spec, seed, self._bot_seconds)
        return Done(unit, rows.table(), failure, interrupted)

    def _chunks(self, unit: Unit, end: float) -> Iterator[range]:
        step = _NATIVE_CHUNK if self._runner is None else 1
        for start in range(unit.start, unit.stop, step):
            if start > unit.start and monotonic() >= end:
                return
            yield range(start, min(unit.stop, start + step))
