"""Worker processes for heavy jobs, which would take the interpreter lock from the event loop."""

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
from typing import Any, Final, TypeVar

from sapper.errors import Cancelled, LimitReached
from sapper.server import limits
from sapper.server.jobs.errors import Busy
from sapper.server.jobs.process_worker import END, READY, REPORT, STOP, lower_priority, run_jobs
from sapper.translation import t
from sapper.web.language import in_its_language

__all__ = ["JobFuture", "ProcessPool", "ignore_result"]

_SPAWN: Final = multiprocessing.get_context("spawn")
_GRACE_S: Final = 0.25
"""Seconds for a job to stop before its process is killed."""

_Result = TypeVar("_Result")


class JobFuture:
    """A future of the running event loop that any thread can settle.

    Attributes:
        loop: The event loop.
        future: The future of the job's result.
    """

    __slots__ = ("future", "loop")

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()

    def settle(self, result: Any, problem: BaseException | None) -> None:
        """Settle the future, from any thread."""
        # The loop may have stopped in the meantime.
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self.settle_here, result, problem)

    def settle_here(self, result: Any, problem: BaseException | None) -> None:
        """Settle the future, from the event loop, unless it is settled already."""
        if self.future.done():
            return
        if problem is None:
            self.future.set_result(result)
        elif isinstance(problem, Exception) and not isinstance(problem, StopIteration):
            self.future.set_exception(problem)
        else:
            # A future does not accept these, and they must not stop the loop.
            self.future.set_exception(RuntimeError(f"a job failed: {problem!r}"))


class _Job(JobFuture):
    """One call and the future of its result."""

    __slots__ = ("stopped", "tell", "work", "worker")

    def __init__(self, work: Callable[[], Any], tell: Callable[[str], object] | None) -> None:
        super().__init__()
        self.work, self.tell = work, tell
        self.stopped = False
        self.worker: _Worker | None = None

    def report(self, text: str) -> None:
        """Pass a text about its progress on, from any thread."""
        if self.tell is not None:
            with suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.tell, text)


class ProcessPool:
    """Runs jobs in processes of a low priority, which end with this one.

    A job is a callable that can be pickled, such as a `functools.partial` of a module's function;
    so are its arguments, its result and its exceptions. It changes nothing in this process.

    Args:
        most: The most processes. Each is started on demand.
        idle: Whether they only use processor time that others leave, for jobs that may be long;
            otherwise their priority is just below that of the server.
        memory: The most bytes that a job may use, where the system can bound them; None does not
            bound them.
    """

    def __init__(self, most: int, *, idle: bool = True, memory: int | None = None) -> None:
        self._most, self._idle, self._memory = most, idle, memory
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._open: dict[asyncio.Future[Any], _Job] = {}
        self._workers: list[_Worker] = []
        self._ready: concurrent.futures.Future[None] = concurrent.futures.Future()

    def submit(
        self, work: Callable[[], _Result], tell: Callable[[str], object] | None = None
    ) -> asyncio.Future[_Result]:
        """Submit a job, from the event loop. A cancelled job that is still waiting is skipped.

        Args:
            work: The job.
            tell: Called with each text that the job gives to `process_worker.report`.

        Raises:
            Busy: If too many jobs wait.
        """
        if self._jobs.qsize() >= limits.WAITING_JOBS:
            raise Busy(t("the server is too busy; try again in a moment"))
        job = _Job(in_its_language(work), tell)
        self._open[job.future] = job
        job.future.add_done_callback(lambda future: self._open.pop(future, None))
        if len(self._open) > len(self._workers) and len(self._workers) < self._most:
            self._start_worker()
        self._jobs.put(job)
        return job.future

    def prepare(self) -> None:
        """Start all processes, so that the first jobs need not wait for them."""
        while len(self._workers) < self._most:
            self._start_worker()

    def _start_worker(self) -> None:
        self._workers.append(_Worker(self._jobs, self._note_ready, self._idle, self._memory))

    async def until_ready(self, future: asyncio.Future[Any]) -> None:
        """Wait until a first process is ready or this job is done, at most a few seconds."""
        if not self._ready.done():
            ready = asyncio.wrap_future(self._ready)
            # Cancelling it would cancel the wrapped future, which others wait for.
            await asyncio.wait(
                {asyncio.shield(ready), future},
                timeout=limits.START_BUDGET_S,
                return_when=asyncio.FIRST_COMPLETED,
            )

    def _note_ready(self) -> None:
        with suppress(concurrent.futures.InvalidStateError):
            self._ready.set_result(None)

    def stop(self, future: asyncio.Future[Any]) -> None:
        """Have a job raise `Cancelled`; kill its process if it does not stop soon."""
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
            # On a busy machine it takes a while to end.
            job.settle_here(None, Cancelled("the job was cancelled"))

    @property
    def pids(self) -> list[int]:
        """The process ids of the workers that were started."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        for _ in self._workers:
            self._jobs.put(None)
        for worker in self._workers:
            worker.close()


class _Worker:
    """One process, and the thread that talks to it."""

    def __init__(
        self,
        jobs: queue.SimpleQueue[_Job | None],
        note_ready: Callable[[], None],
        idle: bool,
        memory: int | None,
    ) -> None:
        self._jobs, self._note_ready, self._idle, self._memory = jobs, note_ready, idle, memory
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
        """The id of its process, once started."""
        return None if self._process is None else self._process.pid

    def stop(self, job: _Job) -> None:
        """Tell the process that this job is to stop, if it runs it. Never waits for it."""
        with self._lock:
            if self._job is job and not self._sending:
                self._send_stop()

    def _send_stop(self) -> None:
        # A process that has not even read its job would keep the caller waiting; it is killed soon.
        if self._connection is not None and _has_room(self._connection):
            with suppress(OSError):
                self._connection.send_bytes(STOP)

    def kill(self, job: _Job | None = None) -> None:
        """Kill the process, if it runs this job."""
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
        # Linux ends a child with the thread that started it, so this one stays until the end.
        while (job := self._next()) is not None and not self._closed:
            if not (job.future.cancelled() or job.stopped):
                job.worker = self
                job.settle(*self._answer(job))
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
        """Wait for a job, with a process that is ready for it."""
        # After a kill too, so that the next job does not have to wait for the start.
        # If it cannot be started, the job will report the reason.
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
            # Without the lock, for which the event loop would have to wait: a large job takes as
            # long as its process takes to read it, which on a busy machine may be seconds.
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
                # Just after it had sent its answer: the next job needs another process.
                self._discard()
            result, problem = pickle.loads(answer)
            return result, problem
        except (EOFError, OSError):
            self._discard()
            if job.stopped:
                return None, Cancelled("the job was cancelled")
            if self._memory is not None:
                # The native core ends its process if memory runs out.
                return None, LimitReached(t("this needs more memory than the server can provide"))
            return None, RuntimeError("a worker process ended before its job was done")
        except Exception as problem:
            return None, problem

    def _started(self) -> Connection:
        if self._connection is None and not self._closed:
            mine, its = _SPAWN.Pipe()
            process = _SPAWN.Process(
                target=run_jobs, args=(its, self._memory), name="sapper-job", daemon=True
            )
            process.start()
            its.close()
            assert process.pid is not None
            # At once, so that its imports disturb nobody; but not so low that where other programs
            # keep all cores busy, it would never be ready.
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
        """Forget a process that has ended; the next job starts another one."""
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
    """Return whether a short message can be sent at once."""
    if sys.platform == "win32":
        return True
    # Not select(), which knows only the first 1,024 file descriptors.
    poll = select.poll()
    poll.register(connection, select.POLLOUT)
    return bool(poll.poll(0))


def ignore_result(future: asyncio.Future[Any]) -> None:
    """Read the exception of an abandoned job, so that asyncio does not log it."""
    if not future.cancelled():
        future.exception()
