"""Worker threads for work that would otherwise block the event loop for too long."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from sapper._core import Cancel
from sapper._util.cancel_flag import cancelled_by
from sapper.server.jobs.job_queue import JobFuture, JobQueue
from sapper.server.jobs.process_pool import ProcessPool
from sapper.web.language import in_its_language

__all__ = ["WorkerPool"]

_Result = TypeVar("_Result")

_LONG_S: Final = 0.05
"""Seconds after which a job counts as long; another thread then replaces its thread in the pool."""


class _Job(JobFuture):
    """One call and the future of its result."""

    __slots__ = ("began", "cancel", "thread", "work")

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__()
        self.work = work
        self.cancel = Cancel()
        self.began: float | None = None
        self.thread: threading.Thread | None = None

    def run(self) -> None:
        self.thread = threading.current_thread()
        self.began = time.monotonic()
        result, problem = None, None
        try:
            with cancelled_by(self.cancel):
                result = self.work()
        except BaseException as raised:
            problem = raised
        self.settle(result, problem)


class WorkerPool(JobQueue[_Job]):
    """Runs jobs in threads, in order; long jobs do not delay others.

    A thread that runs a long job is replaced by another one. All threads have the same priority,
    because the event loop would wait for a low-priority thread that holds the interpreter lock.
    Jobs known to be heavy run in a low-priority worker process instead.

    Args:
        threads: Number of threads for short jobs; only a few, because they share one interpreter.
        most: Maximum number of threads, including those for long jobs.
        processes: Number of processes for heavy jobs.
        idle: Whether processes run only in idle time; see `ProcessPool`.
        name: The name of the pool of processes.
    """

    def __init__(
        self,
        threads: int,
        most: int,
        processes: int = 1,
        *,
        idle: bool = True,
        name: str = "workers",
    ) -> None:
        super().__init__()
        self._least, self._most = threads, most
        self.heavy = ProcessPool(processes, idle=idle, name=name)
        self._threads: set[threading.Thread] = set()
        self._long: set[threading.Thread] = set()
        self._lock = threading.Lock()
        self._watch: asyncio.TimerHandle | None = None

    def submit(
        self,
        work: Callable[[], _Result],
        *,
        heavy: bool = False,
        tell: Callable[[str], object] | None = None,
    ) -> asyncio.Future[_Result]:
        """Submit a job from the event loop. A waiting job that is cancelled is skipped.

        Args:
            work: The job.
            heavy: Whether to run it in a process; it must then meet the requirements of
                `ProcessPool`.
            tell: Called with a heavy job's progress messages.

        Raises:
            Busy: If too many jobs are waiting.
        """
        if heavy:
            return self.heavy.submit(work, tell)
        self._check_room()
        job = _Job(in_its_language(work))
        self._add(job)
        self._start_thread()
        if self._watch is None:
            self._watch = job.loop.call_later(_LONG_S, self._look, job.loop)
        return job.future

    async def until_ready(self, heavy: asyncio.Future[Any]) -> None:
        """Wait until a process is ready or this heavy job is done."""
        await self.heavy.until_ready(heavy)

    def stop(self, future: asyncio.Future[Any]) -> None:
        """Make a job raise `Cancelled` in its current or next native call."""
        job = self._open.get(future)
        if job is not None:
            job.cancel.set()
        else:
            self.heavy.stop(future)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Move long jobs out of the pool while more threads are allowed."""
        self._watch = None
        if not self._open:
            return
        now = time.monotonic()
        for job in list(self._open.values()):
            if job.began is None or job.thread is None or now - job.began < _LONG_S:
                continue
            with self._lock:
                room = len(self._threads) + len(self._long) < self._most
                apart = room and job.thread in self._threads
                if apart:
                    self._threads.discard(job.thread)
                    self._long.add(job.thread)
            if apart:
                self._start_thread()
        self._watch = loop.call_later(_LONG_S, self._look, loop)

    def _start_thread(self) -> None:
        with self._lock:
            if len(self._threads) < self._least:
                thread = threading.Thread(target=self._run, name="worker", daemon=True)
                thread.start()
                self._threads.add(thread)

    def _run(self) -> None:
        thread = threading.current_thread()
        while True:
            with self._lock:
                if thread in self._long:
                    self._long.discard(thread)
                    return
            job = self._jobs.get()
            if job is None:
                return
            if not job.future.cancelled():
                job.run()
            del job

    def close(self) -> None:
        """Stop the processes and the threads; busy threads stop after their job."""
        self.heavy.close()
        if self._watch is not None:
            self._watch.cancel()
        for future in list(self._open):
            self.stop(future)
        with self._lock:
            threads = [*self._threads, *self._long]
        for _ in threads:
            self._jobs.put(None)
        deadline = time.monotonic() + 0.5
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
