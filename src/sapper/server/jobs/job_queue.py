"""Jobs waiting or running in a pool of threads or processes."""

from __future__ import annotations

import asyncio
import functools
import queue
from contextlib import suppress
from typing import Any, Generic, TypeVar

from sapper.server import limits
from sapper.server.instruments import Durations, note_refusal
from sapper.server.jobs.errors import Busy
from sapper.translation import t

__all__ = ["JobFuture", "JobQueue"]


class JobFuture:
    """A future of the running event loop that any thread can settle.

    Attributes:
        loop: The event loop of the future.
        future: The future of the job's result.
    """

    __slots__ = ("future", "loop", "submitted_s")

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()
        self.submitted_s = self.loop.time()

    def settle(self, result: Any, problem: BaseException | None, *, logged: bool = True) -> None:
        """Settle the future; may be called from any thread.

        Args:
            result: The result, if there is no problem.
            problem: The exception.
            logged: Whether asyncio logs an exception that is never awaited.
        """
        # The event loop may have stopped.
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(
                functools.partial(self.settle_here, result, problem, logged=logged)
            )

    def settle_here(
        self, result: Any, problem: BaseException | None, *, logged: bool = True
    ) -> None:
        """Settle the future from the event loop, unless it is already settled."""
        if self.future.done():
            return
        if problem is None:
            self.future.set_result(result)
        elif isinstance(problem, Exception) and not isinstance(problem, StopIteration):
            self.future.set_exception(problem)
        else:
            # Futures do not accept these exceptions, and they must not stop the loop.
            self.future.set_exception(RuntimeError(f"a job failed: {problem!r}"))
        if not logged:
            # Reading the exception tells asyncio that someone has seen it.
            self.future.exception()


_Job = TypeVar("_Job", bound=JobFuture)


class JobQueue(Generic[_Job]):
    """The base class of pools: a bounded queue of jobs, and the set of unfinished jobs.

    Attributes:
        durations: The durations of jobs, from submission to completion.
    """

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._open: dict[asyncio.Future[Any], _Job] = {}
        self.durations = Durations()

    @property
    def waiting(self) -> int:
        """Number of jobs that have not started."""
        return self._jobs.qsize()

    @property
    def unfinished(self) -> int:
        """Number of waiting and running jobs."""
        return len(self._open)

    def _check_room(self) -> None:
        if self.waiting >= limits.WAITING_JOBS:
            note_refusal("jobs_waiting")
            raise Busy(t("the server is too busy; try again in a moment"))

    def _add(self, job: _Job) -> None:
        self._open[job.future] = job
        job.future.add_done_callback(self._forget)
        self._jobs.put(job)

    def _forget(self, future: asyncio.Future[Any]) -> None:
        job = self._open.pop(future)
        self.durations.add(job.loop.time() - job.submitted_s)
