"""Track whether Ctrl-C has reached the clean-up code.

A library may lose a `KeyboardInterrupt`, for example in a callback from native code. The program
then raises it again, unless clean-up has started, which must not be interrupted.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

__all__ = ["is_interrupt", "noticed", "watched"]

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


class _Watch:
    """Records Ctrl-C before it calls the handler of the surrounding program.

    Attributes:
        seen: Whether Ctrl-C was pressed.
    """

    def __init__(self, before: Any) -> None:
        self.seen = False
        self._before = before

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Handle the signal."""
        self.seen = True
        self._before(number, frame)


@contextmanager
def watched() -> Iterator[None]:
    """Let `is_interrupt` tell Ctrl-C from a `KeyboardInterrupt` that code raises by itself.

    Only Python's own handler needs it: others record the signal or raise nothing.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or (
        threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    signal.signal(signal.SIGINT, _Watch(before).handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
