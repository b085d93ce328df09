"""Run a command with resource limits, and end it and all its descendants with the caller.

Run as ``python -I -S guard.py FD LIMITS COMMAND...``; it starts fast because it imports nothing
from Sapper. The caller keeps the other end of the pipe FD; when that end closes, for whatever
reason, everything started by the command is killed.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import sys

_PR_SET_CHILD_SUBREAPER = 36
_CANNOT_START = 127


def _start(command: list[str], limits: dict[str, int], lifeline: int) -> int:
    """Start the command in a separate process group, and return its process id."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.close(lifeline)
        os.setpgid(0, 0)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        for name, value in limits.items():
            resource.setrlimit(getattr(resource, name), (value, value))
        os.execvp(command[0], command)
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else str(problem)
        os.write(2, f"cannot start {command[0]}: {str(reason).lower()}\n".encode())
    finally:
        os._exit(_CANNOT_START)


def _end_all(group: int) -> None:
    """Kill the command's process group, then every descendant that left the group."""
    with contextlib.suppress(OSError):
        os.killpg(group, signal.SIGKILL)
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            children = _children()
            for child in children:
                with contextlib.suppress(OSError):
                    os.kill(child, signal.SIGKILL)
            if not children:
                # This system cannot list the descendants of a process.
                return
            os.waitpid(-1, 0)


def _children() -> list[int]:
    """Return this process's children; with the subreaper, these include orphaned descendants."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return []


def main() -> int:
    """Run the command until it ends or the caller closes the pipe; return its exit status."""
    lifeline, limits, command = int(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3:]
    if sys.platform == "linux":
        # Orphaned descendants become children of this process instead of process 1.
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    command_pid = _start(command, limits, lifeline)
    # Now only the command holds the other ends of the pipes, so it is noticed when the command
    # exits.
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    status = -signal.SIGKILL
    while True:
        pid, how = os.waitpid(command_pid, os.WNOHANG)
        if pid:
            status = os.waitstatus_to_exitcode(how)
            break
        ready, _, _ = select.select([lifeline, wake], [], [])
        if lifeline in ready:
            break
        os.read(wake, 4096)
    _end_all(command_pid)
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
