"""Jobs for worker processes: endless ones, and ones that need too much memory."""

from __future__ import annotations

import select

__all__ = ["endless", "enormous"]


def endless(*_: object, **__: object) -> object:
    """Block in native code that polls no cancel flag."""
    return select.select([], [], [])


def enormous(size: int) -> int:
    """Allocate this many bytes; return their number."""
    return len(bytearray(size))
