"""The cancel flag of the work that this thread does, where no argument leads down to it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sapper._core import Cancel

__all__ = ["cancel_flag", "cancelled_by"]

_here = threading.local()


@contextmanager
def cancelled_by(flag: Cancel) -> Iterator[None]:
    """Have what a dealer asks of the native core in this block stop once the flag is set."""
    _here.flag = flag
    try:
        yield
    finally:
        _here.flag = None


def cancel_flag() -> Cancel | None:
    """The flag of the block that this thread is in, or None."""
    return getattr(_here, "flag", None)
