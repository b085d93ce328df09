"""Measure finished games of the history in the background."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar

from sapper.errors import Cancelled, SapperError
from sapper.history import History, Measures, PatternCount, pattern_counts
from sapper.server import limits
from sapper.server.jobs.errors import Busy
from sapper.server.jobs.job_cost import cells_of_moves
from sapper.server.jobs.process_pool import ProcessPool, ignore_result
from sapper.server.storage.fair_play import FairPlay, figures_of
from sapper.server.storage.save_queue import Ticket

__all__ = ["Measuring"]

_log: Final = logging.getLogger(__name__)

_DELAY_S: Final = 2.0
"""Seconds between a game's end and its measuring, for which nothing waits."""
_PAUSE_S: Final = 5.0

_Result = TypeVar("_Result")


class Measuring:
    """Finds the guesses of finished games, one game at a time, in a low-priority process.

    Waiting games are marked in the file, so they are measured even if the server is killed.

    Args:
        history: All visitors' games.
        pool: Runs the work.
        elsewhere: Called when games have finished, if another server measures them.
        fair_play: The figures of games on leaderboards, which are computed after the measures.
    """

    def __init__(
        self,
        history: History,
        pool: ProcessPool,
        elsewhere: Callable[[], Awaitable[None]] | None = None,
        fair_play: FairPlay | None = None,
    ) -> None:
        self._history, self._pool, self._elsewhere = history, pool, elsewhere
        self._fair_play = fair_play
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Start with the games left over from earlier."""
        if self._elsewhere is None:
            self._wake.set()
            self._add(self._run())

    def expect(self, ticket: Ticket | None = None) -> None:
        """Measure the games in a batch once it is saved or, for None, those already in the file."""
        self._add(self._expect(ticket))

    async def stop(self) -> None:
        """Stop; games that have not been measured stay marked in the file."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _add(self, work: asyncio._CoroutineLike[None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _expect(self, ticket: Ticket | None) -> None:
        if ticket is not None:
            await ticket.wait()
        if self._elsewhere is not None:
            await self._elsewhere()
        self._wake.set()

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            await asyncio.sleep(_DELAY_S)
            self._wake.clear()
            try:
                await self._measure_all()
            except (OSError, sqlite3.Error) as problem:
                _log.warning("finished games cannot be measured now: %s", problem)
                self._wake.set()
                await asyncio.sleep(_PAUSE_S)
            except Exception:
                _log.exception("finished games could not be measured")
                await asyncio.sleep(_PAUSE_S)

    async def _measure_all(self) -> None:
        while waiting := await asyncio.to_thread(self._history.waiting, 1):
            [game] = waiting
            found = await self._measured(game.key, game.moves, _measures)
            measures, patterns = found or (None, ())
            await asyncio.to_thread(self._history.measure, game, measures, patterns)
        while self._fair_play and (entry := await asyncio.to_thread(self._fair_play.waiting)):
            figures = await self._measured(entry.game, entry.moves, figures_of)
            await asyncio.to_thread(self._fair_play.note, entry, figures)

    async def _measured(
        self, key: str, moves: dict[str, Any], measure: Callable[[dict[str, Any]], _Result]
    ) -> _Result | None:
        """Return the measures of a game; None if its moves cannot be played in time or at all."""
        if cells_of_moves(moves) > limits.SMALL_CELLS:
            # Guesses are not counted on big boards.
            return None
        while True:
            with suppress(Busy):
                job = self._pool.submit(partial(measure, moves))
                break
            await asyncio.sleep(_PAUSE_S)
        # When the server stops, nothing awaits the job.
        job.add_done_callback(ignore_result)
        stop = None
        try:
            await self._pool.until_ready(job)
            stop = asyncio.get_running_loop().call_later(
                limits.MEASURING_BUDGET_S, self._pool.stop, job
            )
            return await job
        except (Cancelled, SapperError) as problem:
            _log.warning("the game %s cannot be measured: %s", key, problem)
            return None
        except Exception:
            # Other games should not wait for this one forever.
            _log.exception("the game %s cannot be measured", key)
            return None
        finally:
            if stop is not None:
                stop.cancel()
            self._pool.stop(job)


def _measures(moves: dict[str, Any]) -> tuple[Measures, tuple[PatternCount, ...]]:
    """Measure a game and its patterns; runs in a worker process."""
    return Measures.of_moves(moves), pattern_counts(moves)
