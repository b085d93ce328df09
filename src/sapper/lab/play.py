"""Play the units of a run: the work of one worker."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass
from time import monotonic, process_time
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

_MOST_TOGETHER = 64
"""Maximum number of games of an engine played between two checks of the clock."""
_SHORT_S = 0.25


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
        cpu_s: Processor time of the games in seconds, including that of an engine.
    """

    unit: Unit
    table: Any
    failure: SapperError | None = None
    interrupted: bool = False
    cpu_s: float = 0.0

    @property
    def reached(self) -> int:
        """Number of the first unplayed game."""
        return self.unit.start + int(self.table.num_rows)


class UnitPlayer:
    """Plays one run's games, unit after unit, with the same bot object.

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
        self._step = 8 if self._match.together else 1

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
        rows, before = Rows(), self._cpu_s()
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
                    self._add(games, rows)
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
        cpu_s = max(0.0, self._cpu_s() - before)
        return Done(unit, rows.table(), failure, interrupted, cpu_s)

    def _cpu_s(self) -> float:
        measure = None if self._runner is None else getattr(self._runner.bot, "cpu_s", None)
        return process_time() + ((measure() if callable(measure) else None) or 0.0)

    def _add(self, games: range, rows: Rows) -> None:
        try:
            rows.add(self._match.play(map(self._spec.seed_of, games), self._runner))
        except SapperError:
            if len(games) == 1:
                raise
            # Keep the games before the one that failed.
            for game in games:
                self._add(range(game, game + 1), rows)

    def _chunks(self, unit: Unit, end: float) -> Iterator[range]:
        """Divide a unit into games to play before the clock is checked again."""
        step = _NATIVE_CHUNK if self._runner is None else self._step
        start = unit.start
        while start < unit.stop and (start == unit.start or monotonic() < end):
            began = monotonic()
            yield range(start, min(unit.stop, start + step))
            start += step
            if self._match.together:
                # Playing several games at once is faster, but games are only saved at the end.
                seconds = monotonic() - began
                step *= 2 if seconds < _SHORT_S and step < _MOST_TOGETHER else 1
                self._step = step = max(1, step // 2) if seconds > 2 * _SHORT_S else step
