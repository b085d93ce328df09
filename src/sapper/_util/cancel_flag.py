"""The cancel flag of the current thread, for code that cannot take it as an argument."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sapper._core import Cancel

__all__ = ["cancel_flag", "cancelled_by"]


class _Here(threading.local):
    # The default is a class attribute, because every dealer query reads it and missing attributes
    # are slow.
    flag: Cancel | None = None


_here = _Here()


@contextmanager
def cancelled_by(flag: Cancel) -> Iterator[None]:
    """Stop native calls by dealers inside this block once the flag is set."""
    _here.flag = flag
    try:
        yield
    finally:
        _here.flag = None


def cancel_flag() -> Cancel | None:
    """Return the flag of this thread's enclosing `cancelled_by` block, or None."""
    return _here.flag
