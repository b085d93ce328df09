"""Track whether Ctrl-C has reached the clean-up code.

A library may lose a `KeyboardInterrupt`, for example in a callback from native code. The program
then raises it again, unless clean-up has started, which must not be interrupted.
"""

from __future__ import annotations

import signal
import threading

__all__ = ["is_interrupt", "noticed"]

noticed = threading.Event()
"""Set by the code that handles Ctrl-C; cleared by the program before it starts a command."""


def is_interrupt(problem: BaseException) -> bool:
    """Return whether an exception was caused by Ctrl-C.

    Ctrl-C reaches only the main thread of a process that does not ignore it.
    """
    if not isinstance(problem, KeyboardInterrupt):
        return False
    if threading.current_thread() is not threading.main_thread():
        return False
    handler = signal.getsignal(signal.SIGINT)
    # Only the signal handler of the `sapper` program records that Ctrl-C was pressed.
    seen = getattr(getattr(handler, "__self__", None), "seen", True)
    return handler is not signal.SIG_IGN and bool(seen)
