"""The child side of `sapper.server.jobs.process_pool`: run jobs one by one."""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import queue
import signal
import sys
import threading
from contextlib import nullcontext, suppress
from multiprocessing.connection import Connection
from typing import Final

from sapper._core import Cancel
from sapper._util.cancel_flag import cancelled_by
from sapper._util.memory import bound_memory
from sapper._util.parent_process import end_with_parent
from sapper._util.shortening import shortened
from sapper.errors import LimitReached
from sapper.plugins import load_plugins
from sapper.server.jobs.job_slots import JobSlots
from sapper.translation import t

__all__ = ["END", "READY", "REPORT", "STOP", "lower_priority", "report", "run_jobs"]

READY: Final = b"ready"
"""Sent by the worker once it can run jobs."""
STOP: Final = b"stop"
"""Sent by the parent to make the running job raise `Cancelled`."""
END: Final = b"end"
"""Sent by the parent, and queued when the connection breaks."""

REPORT: Final = b"report:"
"""Prefix of progress messages sent by the worker; pickled answers start differently."""

_JOBS: Final = (
    "sapper.server.session.analysis_tasks",
    "sapper.server.jobs.analyses",
    "sapper.server.session.autoplay",
    "sapper.server.jobs.game_files",
    "sapper.server.jobs.replays",
    "sapper.server.jobs.reviews",
)
"""Modules of the jobs, imported before the first job."""
_NICENESS: Final = 19
_GIVING_WAY: Final = 5


_connections: Final[list[Connection]] = []
"""The connection to the server; empty outside worker processes."""


def report(text: str) -> None:
    """Report progress of the current job to the server; does nothing outside worker processes."""
    for connection in _connections:
        with suppress(OSError):
            connection.send_bytes(REPORT + text.encode())


def run_jobs(
    connection: Connection, memory: int | None = None, slots: JobSlots | None = None
) -> None:
    """Run each job that arrives, and send back its result or exception.

    Args:
        connection: The pipe that delivers pickled jobs (callables without arguments), `STOP` or
            `END`.
        memory: Memory limit of a job in bytes, where the system supports it.
        slots: The limit shared with other servers; None without one.
    """
    end_with_parent()
    # Ignore Ctrl-C: the server handles it and ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    jobs: queue.SimpleQueue[tuple[bytes, Cancel]] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(connection, jobs), daemon=True).start()
    for name in _JOBS:
        importlib.import_module(name)
    # A job may contain an object of a plugin's class, such as a topology.
    load_plugins()
    # Everything imported so far stays in memory.
    gc.freeze()
    if memory is not None:
        bound_memory(memory)
    _connections.append(connection)
    connection.send_bytes(READY)
    while True:
        job, cancel = jobs.get()
        if job == END:
            return
        with nullcontext() if slots is None else slots.taken(lambda flag=cancel: flag.is_set):  # type: ignore[misc]
            answer = _run(job, cancel)
        try:
            connection.send_bytes(answer)
        except OSError:
            return


def _receive(connection: Connection, jobs: queue.SimpleQueue[tuple[bytes, Cancel]]) -> None:
    cancel = Cancel()
    while True:
        try:
            message = connection.recv_bytes()
        except (EOFError, OSError):
            message = END
        if message in (STOP, END):
            # The job may not have started yet.
            cancel.set()
        if message != STOP:
            cancel = Cancel()
            jobs.put((message, cancel))
        if message == END:
            return


def _run(job: bytes, cancel: Cancel) -> bytes:
    """Return the pickled pair of a job's result and exception, one of which is None."""
    try:
        with cancelled_by(cancel):
            result = pickle.loads(job)()
        return pickle.dumps((result, None), pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        problem = LimitReached(t("this needs more memory than the server can provide"))
        return pickle.dumps((None, problem), pickle.HIGHEST_PROTOCOL)
    except Exception as problem:
        try:
            pickled = pickle.dumps((None, problem), pickle.HIGHEST_PROTOCOL)
            pickle.loads(pickled)
        except Exception:
            replaced = RuntimeError(shortened(f"{type(problem).__name__}: {problem}", 300))
            pickled = pickle.dumps((None, replaced), pickle.HIGHEST_PROTOCOL)
        return pickled


def lower_priority(pid: int, *, idle: bool = False) -> None:
    """Give a process a low priority.

    Args:
        pid: Process id.
        idle: Whether to run only in idle time; otherwise, only the server takes precedence.
    """
    if sys.platform == "win32":
        return
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, pid, _NICENESS if idle else _GIVING_WAY)
    if idle and sys.platform == "linux":
        # A low-priority process may keep its core for milliseconds after another process wakes up.
        with suppress(OSError):
            os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))
