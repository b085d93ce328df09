"""Worker processes for expensive jobs, which would otherwise hold the interpreter lock."""

from __future__ import annotations

import asyncio
import concurrent.futures
import multiprocessing
import pickle
import queue
import select
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, ClassVar, Final, TypeVar

from sapper.errors import Cancelled, LimitReached
from sapper.server import limits
from sapper.server.jobs.job_queue import JobFuture, JobQueue
from sapper.server.jobs.job_slots import JobSlots
from sapper.server.jobs.process_worker import END, READY, REPORT, STOP, lower_priority, run_jobs
from sapper.translation import t
from sapper.web.language import in_its_language

__all__ = ["ProcessPool", "ignore_result"]

_SPAWN: Final = multiprocessing.get_context("spawn")
_GRACE_S: Final = 0.25
"""Seconds for a job to stop before its process is killed."""

_Result = TypeVar("_Result")


class _Job(JobFuture):
    """One call and the future of its result."""

    __slots__ = ("stopped", "tell", "work", "worker")

    def __init__(self, work: Callable[[], Any], tell: Callable[[str], object] | None) -> None:
        super().__init__()
        self.work, self.tell = work, tell
        self.stopped = False
        self.worker: _Worker | None = None

    def report(self, text: str) -> None:
        """Report a progress text; may be called from any thread."""
        if self.tell is not None:
            with suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.tell, text)


class ProcessPool(JobQueue[_Job]):
    """Runs jobs in low-priority processes, which end together with this one.

    A job is a picklable callable without side effects in this process, such as a
    `functools.partial` of a module's function. Its result and exceptions must also be picklable.

    Args:
        most: Maximum number of processes, which are started on demand.
        idle: Whether jobs run only in idle processor time, for long jobs; otherwise, they run just
            below the server's priority.
        memory: Memory limit of a job in bytes, where the system supports it; None for no limit.
        name: The name of the pool; pools of the same name in all workers share one limit.
    """

    slots_folder: ClassVar[Path | None] = None
    """The folder of the files that limit the jobs of all servers on this machine."""
    sharers: ClassVar[int] = 1
    """Number of servers that share this machine, and divide the processes between them."""

    def __init__(
        self, most: int, *, idle: bool = True, memory: int | None = None, name: str = "jobs"
    ) -> None:
        super().__init__()
        self._most = max(1, most // self.sharers)
        self._idle, self._memory = idle, memory
        folder = self.slots_folder
        self._slots = None if folder is None else JobSlots(folder / name, most)
        self._workers: list[_Worker] = []
        self._ready: concurrent.futures.Future[None] = concurrent.futures.Future()

    def submit(
        self, work: Callable[[], _Result], tell: Callable[[str], object] | None = None
    ) -> asyncio.Future[_Result]:
        """Submit a job from the event loop. A waiting job that is cancelled is skipped.

        Args:
            work: The job.
            tell: Called with each string that the job passes to `process_worker.report`.

        Raises:
            Busy: If too many jobs are waiting.
        """
        self._check_room()
        job = _Job(in_its_language(work), tell)
        self._add(job)
        if len(self._workers) < min(self.unfinished, self._most):
            self._start_worker()
        return job.future

    def prepare(self) -> None:
        """Start all processes, so that the first jobs do not wait for them."""
        while len(self._workers) < self._most:
            self._start_worker()

    def _start_worker(self) -> None:
        options = self._idle, self._memory, self._slots
        self._workers.append(_Worker(self._jobs, self._note_ready, *options))

    async def until_ready(self, future: asyncio.Future[Any]) -> None:
        """Wait up to a few seconds until a process is ready or the job is done."""
        if not self._ready.done():
            ready = asyncio.wrap_future(self._ready)
            # Shield it: cancelling it would cancel the wrapped future, which others are waiting
            # for.
            await asyncio.wait(
                {asyncio.shield(ready), future},
                timeout=limits.START_BUDGET_S,
                return_when=asyncio.FIRST_COMPLETED,
            )

    def _note_ready(self) -> None:
        with suppress(concurrent.futures.InvalidStateError):
            self._ready.set_result(None)

    def stop(self, future: asyncio.Future[Any]) -> None:
        """Make a job raise `Cancelled`; kill its process if it does not stop soon."""
        job = self._open.get(future)
        if job is None or job.stopped:
            return
        job.stopped = True
        if job.worker is None:
            job.settle_here(None, Cancelled("the job was cancelled"))
            return
        job.worker.stop(job)
        job.loop.call_later(_GRACE_S, self._kill, job)

    def _kill(self, job: _Job) -> None:
        if not job.future.done() and job.worker is not None:
            job.worker.kill(job)
            # On a busy machine, the process may take a while to end.
            job.settle_here(None, Cancelled("the job was cancelled"))

    @property
    def pids(self) -> list[int]:
        """Process ids of the started workers."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    def close(self) -> None:
        """Kill the processes."""
        for _ in self._workers:
            self._jobs.put(None)
        for worker in self._workers:
            worker.close()


class _Worker:
    """A process and the thread that communicates with it."""

    def __init__(
        self,
        jobs: queue.SimpleQueue[_Job | None],
        note_ready: Callable[[], None],
        idle: bool,
        memory: int | None,
        slots: JobSlots | None,
    ) -> None:
        self._jobs, self._note_ready, self._idle = jobs, note_ready, idle
        self._memory, self._slots = memory, slots
        self._lock = threading.Lock()
        self._job: _Job | None = None
        self._sending = False
        self._killed = False
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="process-worker", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int | None:
        """Process id, or None before the start."""
        return None if self._process is None else self._process.pid

    def stop(self, job: _Job) -> None:
        """Ask the process, without waiting, to stop this job if it is running it."""
        with self._lock:
            if self._job is job and not self._sending:
                self._send_stop()

    def _send_stop(self) -> None:
        # A process that has not read its job yet would block the caller; it will be killed soon
        # anyway.
        if self._connection is not None and _has_room(self._connection):
            with suppress(OSError):
                self._connection.send_bytes(STOP)

    def kill(self, job: _Job | None = None) -> None:
        """Kill the process if it is running this job."""
        with self._lock:
            if (job is None or self._job is job) and self._process is not None:
                self._process.kill()
                self._killed = True

    def close(self) -> None:
        """End the process and the thread."""
        self._closed = True
        self.kill()
        self._thread.join(1.0)

    def _run(self) -> None:
        # Linux ends a child process together with the thread that started it, so this thread runs
        # until the end.
        while (job := self._next()) is not None and not self._closed:
            if not (job.future.cancelled() or job.stopped):
                job.worker = self
                result, problem = self._answer(job)
                # A job that the shutdown interrupts may have no one left to await it; asyncio would
                # log its exception.
                job.settle(result, problem, logged=not self._closed)
            del job
        with self._lock:
            if self._connection is not None:
                with suppress(OSError):
                    self._connection.send_bytes(END)
                self._connection.close()
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()

    def _next(self) -> _Job | None:
        """Keep a process ready, and wait for a job."""
        # Restart the process after a kill as well, so that the next job does not wait for the
        # start. If the process cannot be started, the job will report the reason.
        with suppress(Exception):
            self._started()
        return self._jobs.get()

    def _answer(self, job: _Job) -> tuple[Any, Exception | None]:
        """Run a job in the process; return its result or exception."""
        try:
            work = pickle.dumps(job.work, pickle.HIGHEST_PROTOCOL)
            connection = self._started()
            with self._lock:
                if job.stopped:
                    return None, Cancelled("the job was cancelled")
                self._job, self._sending = job, True
            # Send the job without holding the lock, so that the event loop does not have to wait:
            # sending a large job takes as long as the process takes to read it, which may be
            # seconds on a busy machine.
            connection.send_bytes(work)
            with self._lock:
                self._sending = False
                if job.stopped:
                    self._send_stop()
            while (answer := connection.recv_bytes()).startswith(REPORT):
                job.report(answer[len(REPORT) :].decode())
            with self._lock:
                self._job = None
                killed = self._killed
            if killed:
                # The process was killed just after sending its answer; the next job needs a new
                # one.
                self._discard()
            result, problem = pickle.loads(answer)
            return result, problem
        except (EOFError, OSError):
            self._discard()
            if job.stopped:
                return None, Cancelled("the job was cancelled")
            if self._memory is not None:
                # The native core aborts its process if memory runs out.
                return None, LimitReached(t("this needs more memory than the server can provide"))
            return None, RuntimeError("a worker process ended before its job was done")
        except Exception as problem:
            return None, problem

    def _started(self) -> Connection:
        if self._connection is None and not self._closed:
            mine, its = _SPAWN.Pipe()
            process = _SPAWN.Process(
                target=run_jobs,
                args=(its, self._memory, self._slots),
                name="sapper-job",
                daemon=True,
            )
            process.start()
            its.close()
            assert process.pid is not None
            # Lower the priority immediately, so that imports do not slow other work, but not to
            # idle: if other programs kept all cores busy, the process would never become ready.
            lower_priority(process.pid)
            with self._lock:
                self._connection, self._process = mine, process
            try:
                if mine.recv_bytes() != READY:
                    raise EOFError
            except (EOFError, OSError):
                self._discard()
                raise
            if self._idle:
                lower_priority(process.pid, idle=True)
            self._note_ready()
        if self._connection is None:
            raise EOFError
        return self._connection

    def _discard(self) -> None:
        """Discard a process that has ended; the next job starts a new one."""
        with self._lock:
            connection, process = self._connection, self._process
            self._connection = self._process = self._job = None
            self._sending = self._killed = False
        if connection is not None:
            connection.close()
        if process is not None:
            process.kill()
            process.join()


def _has_room(connection: Connection) -> bool:
    """Return whether a short message can be sent without blocking."""
    if sys.platform == "win32":
        return True
    # Not select(), which supports only the first 1,024 file descriptors.
    poll = select.poll()
    poll.register(connection, select.POLLOUT)
    return bool(poll.poll(0))


def ignore_result(future: asyncio.Future[Any]) -> None:
    """Retrieve the exception of an abandoned job, so that asyncio does not log it."""
    if not future.cancelled():
        future.exception()
