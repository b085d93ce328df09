"""Ctrl-C: whether the code that cleans up after it has been reached.

A library may lose a `KeyboardInterrupt`, such as in a callback from native code. The program then
raises it again, unless it was noticed: clean-up must not be interrupted.
"""

from __future__ import annotations

import signal
import threading

__all__ = ["is_interrupt", "noticed"]

noticed = threading.Event()
"""Set by the code that handles Ctrl-C; cleared by the program before it starts a command."""


def is_interrupt(problem: BaseException) -> bool:
    """Whether an exception is Ctrl-C, and not raised by other code for reasons of its own.

    Ctrl-C reaches only the main thread of a process that does not ignore it.
    """
    return (
        isinstance(problem, KeyboardInterrupt)
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
    )
