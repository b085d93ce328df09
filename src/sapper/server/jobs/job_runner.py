"""Run a session's jobs one at a time, off the event loop, each within a time budget."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from sapper.errors import Cancelled, SapperError
from sapper.server import limits
from sapper.server.jobs.errors import Busy, Superseded, TooSlow
from sapper.server.jobs.process_pool import ignore_result
from sapper.server.jobs.workers import WorkerPool
from sapper.server.protocol import Json
from sapper.translation import t, tn

__all__ = ["Job", "JobRunner"]

_log: Final = logging.getLogger(__name__)

_STOPPING_S: Final = 0.5
"""Seconds to wait for a job to stop."""

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Job(Generic[_Result]):
    """A change to a session.

    Attributes:
        work: The slow part, or None. It runs on a worker thread and uses only the game.
        finish: The quick part. It runs on the event loop and returns the message for the windows.
        heavy: Whether the slow part runs in a worker process, on a copy of the game.
        quick: Whether the slow part takes less time than starting it on a thread; it then runs on
            the event loop.
    """

    work: Callable[[], _Result] | None
    finish: Callable[[_Result], Json]
    heavy: bool = False
    quick: bool = False


class JobRunner:
    """Runs the jobs of one session.

    Args:
        pool: The worker threads.
        publish: Called with the outcome of a job that exceeded its budget.
    """

    def __init__(self, pool: WorkerPool, publish: Callable[[Json], None]) -> None:
        self._pool, self._publish = pool, publish
        self._running: asyncio.Future[Any] | None = None

    @property
    def busy(self) -> bool:
        """Whether a job is running."""
        return self._running is not None

    async def idle(self, budget_s: float | None = None) -> None:
        """Wait until no job is running.

        Args:
            budget_s: Maximum wait in seconds; None for no limit.

        Raises:
            Busy: If this takes longer.
        """
        loop = asyncio.get_running_loop()
        deadline = None if budget_s is None else loop.time() + budget_s
        while (running := self._running) is not None:
            left = None if deadline is None else deadline - loop.time()
            if left is not None and left <= 0:
                raise Busy(t("your last move is still being computed; a new game cancels it"))
            await asyncio.wait({running}, timeout=left)
            # Let callers that wait for the job itself continue before others.
            await asyncio.sleep(0)

    async def run(self, make: Callable[[], Job[Any]], *, replaces: bool = False) -> Json:
        """Run a job and return the message for the windows.

        Args:
            make: Function that creates the job when its turn comes, because the previous job may
                have started another game.
            replaces: Whether the job starts another game, so that it need not wait for a job that
                takes too long.

        Raises:
            TooSlow: If it takes longer than its budget. The job is then stopped; if it still
                finishes, its outcome is published unless the game has been replaced.
            Busy: If another job in this session takes too long.
            SapperError: If the job cannot be done; nothing has changed.
        """
        try:
            if self.busy:
                await self.idle(limits.JOB_BUDGET_S)
        except Busy:
            if not replaces:
                raise
            if self._running is not None:
                self._pool.stop(self._running)
            self._running = None
        job = make()
        if job.work is None:
            return job.finish(None)
        if job.quick:
            return job.finish(job.work())
        running = self._running = self._pool.submit(job.work, heavy=job.heavy)
        # Nothing waits for this job once another game has started.
        running.add_done_callback(ignore_result)
        try:
            if job.heavy:
                await self._pool.until_ready(running)
            done, _ = await asyncio.wait({running}, timeout=limits.JOB_BUDGET_S)
            if not done:
                self._pool.stop(running)
                done, _ = await asyncio.wait({running}, timeout=_STOPPING_S)
        except asyncio.CancelledError:
            # The window was closed, but the move still counts.
            running.add_done_callback(lambda late: self._finish_late(job, late))
            asyncio.get_running_loop().call_later(limits.JOB_BUDGET_S, self._pool.stop, running)
            raise
        if self._running is not running:
            raise Superseded("another game was begun before this was done")
        if done:
            self._running = None
            try:
                return job.finish(running.result())
            except Cancelled:
                raise TooSlow(
                    tn(
                        "this takes longer than {n} second and was cancelled; "
                        "the game is unchanged",
                        "this takes longer than {n} seconds and was cancelled; "
                        "the game is unchanged",
                        round(limits.JOB_BUDGET_S),
                    )
                ) from None
        running.add_done_callback(lambda late: self._finish_late(job, late))
        raise TooSlow(
            tn(
                "this takes longer than {n} second; the board changes once it is done; a new game "
                "cancels it",
                "this takes longer than {n} seconds; the board changes once it is done; a new game "
                "cancels it",
                round(limits.JOB_BUDGET_S),
            )
        )

    def _finish_late(self, job: Job[Any], late: asyncio.Future[Any]) -> None:
        if self._running is not late:
            return
        self._running = None
        if late.cancelled():
            return
        problem = late.exception()
        try:
            if problem is not None:
                raise problem
            message = job.finish(late.result())
            if message:
                self._publish(message)
        except Cancelled:
            pass
        except SapperError as refused:
            self._publish({"error": {"code": refused.code, "message": str(refused)}})
        except Exception:
            _log.exception("a job failed after its budget")
            text = t("something went wrong on the server; the game is unchanged")
            self._publish({"error": {"code": "internal", "message": text}})
