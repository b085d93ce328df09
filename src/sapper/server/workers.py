"""Worker threads for everything that may take longer than an event loop can wait."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, TypeVar

from sapper.aside import aside
from sapper.errors import SapperError
from sapper.server import limits

__all__ = ["Busy", "WorkerPool"]

_Result = TypeVar("_Result")

_STUCK_S: Final = 0.1
"""A queue that has not moved for this long gets another thread."""
_IDLE_S: Final = 5.0
"""An additional thread ends after this long without work."""


class Busy(SapperError, RuntimeError):
    """The server is too busy for another job, or already has one of this player's."""

    code = "busy"


class _Job:
    """One call and the future of its result."""

    __slots__ = ("future", "loop", "since", "work")

    def __init__(self, work: Callable[[], Any], loop: asyncio.AbstractEventLoop) -> None:
        self.work, self.loop = work, loop
        self.future: asyncio.Future[Any] = loop.create_future()
        self.since = time.monotonic()

    def run(self) -> None:
        result, problem = None, None
        try:
            result = self.work()
        except BaseException as raised:
            problem = raised
        # The loop may have stopped in the meantime.
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self._settle, result, problem)

    def _settle(self, result: Any, problem: BaseException | None) -> None:
        if self.future.done():
            return
        if problem is None:
            self.future.set_result(result)
        elif isinstance(problem, Exception) and not isinstance(problem, StopIteration):
            self.future.set_exception(problem)
        else:
            # A future does not accept these, and they must not stop the loop.
            self.future.set_exception(RuntimeError(f"a job failed: {problem!r}"))


class WorkerPool:
    """Runs jobs in threads, in order; long ones do not delay the rest.

    While a job runs long and others wait, more threads are started, up to a bound.

    Args:
        threads: How many threads there are without long jobs. Few: they share one interpreter.
        most: How many there may be beside long jobs.
    """

    def __init__(self, threads: int, most: int) -> None:
        self._least, self._most = threads, most
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._threads: set[threading.Thread] = set()
        self._lock = threading.Lock()
        self._open: dict[asyncio.Future[Any], _Job] = {}
        self._watch: asyncio.TimerHandle | None = None

    def submit(self, work: Callable[[], _Result]) -> asyncio.Future[_Result]:
        """Submit a job, from the event loop. A cancelled job that is still waiting is skipped.

        Raises:
            Busy: If too many jobs wait.
        """
        if self._jobs.qsize() >= limits.WAITING_JOBS:
            raise Busy("the server has too much to do; try again in a moment")
        loop = asyncio.get_running_loop()
        job = _Job(work, loop)
        self._open[job.future] = job
        job.future.add_done_callback(lambda future: self._open.pop(future, None))
        self._jobs.put(job)
        if len(self._threads) < self._least:
            self._start_thread()
        if self._watch is None:
            self._watch = loop.call_later(_STUCK_S, self._add_threads, loop)
        return job.future

    def _add_threads(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start another thread if the oldest job runs long and others wait."""
        self._watch = None
        oldest = next(iter(self._open.values()), None)
        if oldest is None:
            return
        stuck = time.monotonic() - oldest.since >= _STUCK_S
        if stuck and not self._jobs.empty() and len(self._threads) < self._most:
            self._start_thread()
        self._watch = loop.call_later(_STUCK_S, self._add_threads, loop)

    def _start_thread(self) -> None:
        with self._lock:
            self._threads.add(aside(self._run, daemon=True))

    def _run(self) -> None:
        while True:
            try:
                job = self._jobs.get(timeout=_IDLE_S)
            except queue.Empty:
                with self._lock:
                    if len(self._threads) > self._least:
                        self._threads.discard(threading.current_thread())
                        return
                continue
            if job is None:
                with self._lock:
                    self._threads.discard(threading.current_thread())
                return
            if not job.future.cancelled():
                job.run()
            del job

    def close(self) -> None:
        """Stop the threads; a busy one stops after its job."""
        if self._watch is not None:
            self._watch.cancel()
        with self._lock:
            threads = list(self._threads)
        for _ in threads:
            self._jobs.put(None)
        deadline = time.monotonic() + 0.5
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
