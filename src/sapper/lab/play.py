"""Play the units of a run: the work of one worker."""

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
from sapper.lab.heartbeat import Heartbeat
from sapper.lab.repeating import add_command
from sapper.lab.spec import Spec
from sapper.lab.table import Rows
from sapper.simulation import BotRunner

__all__ = ["BOT_SECONDS", "Done", "Unit", "UnitPlayer"]

BOT_SECONDS = 60.0
"""Default time limit of one choice, in seconds."""

_NATIVE_CHUNK = 200
"""Games played natively between two checks of the clock."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Games to play: `start` up to but not including `stop`.

    Attributes:
        run: Index of the run among those played together.
        start: Number of the first game.
        stop: Number of the last game, plus one.
    """

    run: int
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a unit: as many of its games as there was time for.

    Attributes:
        unit: The unit.
        table: The games in order, starting with the first of the unit.
        failure: The bot's failure in the next game, which ends the run; None if there was none.
        interrupted: Whether the unit was interrupted by Ctrl-C.
    """

    unit: Unit
    table: Any
    failure: SapperError | None = None
    interrupted: bool = False

    @property
    def reached(self) -> int:
        """Number of the first unplayed game."""
        return self.unit.start + int(self.table.num_rows)


class UnitPlayer:
    """Plays the games of one run, unit after unit, with the same bot object.

    Args:
        spec: The run.
        bot_seconds: Time limit for one choice.
        heartbeat: Updated before every choice; None if no parent process monitors this one.
    """

    def __init__(
        self, spec: Spec, bot_seconds: float = BOT_SECONDS, heartbeat: Heartbeat | None = None
    ) -> None:
        self._spec, self._match, self._heartbeat = spec, spec.match, heartbeat
        self._bot_seconds, self._ready = bot_seconds, False
        self._runner: BotRunner | None = None

    def _prepare(self) -> None:
        """Create the bot just before its first game, so that errors are reported with a game."""
        if not self._ready and not self._match.native:
            self._runner = self._match.runner(self._bot_seconds)
            if self._heartbeat is not None:
                self._runner.on_choice = self._heartbeat.choosing
        self._ready = True

    def play(self, unit: Unit, seconds: float) -> Done:
        """Play the games of a unit in order until all are played or the time is up.

        No game starts after `seconds`, but at least one is always played.
        """
        rows = Rows()
        failure: SapperError | None = None
        interrupted = False
        with ExitStack() as stack:
            # Keep the bot's own output out of standard output.
            stack.enter_context(redirect_stdout(sys.stderr))
            try:
                self._prepare()
                if self._runner is not None:
                    stack.enter_context(self._runner)
                for games in self._chunks(unit, monotonic() + seconds):
                    if self._heartbeat is not None:
                        self._heartbeat.playing(len(rows))
                    rows.add(self._match.play(map(self._spec.seed_of, games), self._runner))
            except SapperError as problem:
                failure = problem
            except KeyboardInterrupt:
                noticed.set()
                interrupted = True
            except (TimeUp, MemoryError) as problem:
                # The error was noticed only after the bot had made its choice.
                seed = self._spec.seed_of(unit.start + len(rows))
                failure = BotFailed(
                    f"bot {self._match.name}, game {seed}: {described(problem)}",
                    timed_out=isinstance(problem, TimeUp),
                )
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
