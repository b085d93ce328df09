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
    if not isinstance(problem, KeyboardInterrupt):
        return False
    if threading.current_thread() is not threading.main_thread():
        return False
    handler = signal.getsignal(signal.SIGINT)
    # The handler of the program knows whether the key was pressed; others may know nothing.
    seen = getattr(getattr(handler, "__self__", None), "seen", True)
    return handler is not signal.SIG_IGN and bool(seen)
