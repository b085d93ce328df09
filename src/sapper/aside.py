"""Threads for work that may be abandoned when nobody waits for it any more."""

from __future__ import annotations

import threading
from collections.abc import Callable

__all__ = ["aside", "left_behind"]

_NAME = "sapper-aside"


def aside(work: Callable[[], object], *, daemon: bool = False) -> threading.Thread:
    """Start work in its own thread.

    Python waits for it before it exits, unless it is a `daemon`. A thread in native code that
    Python ends from outside brings the process down, so a program that will not wait asks
    `left_behind`, and leaves by `os._exit`.
    """
    thread = threading.Thread(target=work, name=_NAME, daemon=daemon)
    thread.start()
    return thread


def left_behind() -> bool:
    """Return whether such work is still running."""
    return any(thread.name == _NAME for thread in threading.enumerate())
