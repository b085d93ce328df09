"""Threads for work that may be left behind, where nobody waits for it any more."""

from __future__ import annotations

import threading
from collections.abc import Callable

__all__ = ["aside", "left_behind"]

_NAME = "sapper-aside"


def aside(work: Callable[[], object], *, daemon: bool = False) -> threading.Thread:
    """Begin work in a thread of its own.

    Python waits for it before it exits, unless it is a `daemon`. A thread in native code that
    Python ends from outside brings the process down, so a program that will not wait asks
    `left_behind`, and leaves by `os._exit`.
    """
    thread = threading.Thread(target=work, name=_NAME, daemon=daemon)
    thread.start()
    return thread


def left_behind() -> bool:
    """Whether such work still goes on."""
    return any(thread.name == _NAME for thread in threading.enumerate())
