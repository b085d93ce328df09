"""Jobs for worker processes that never end or need too much memory."""

from __future__ import annotations

import select

__all__ = ["endless", "enormous"]


def endless(*_: object, **__: object) -> object:
    """Block in native code that never checks a cancel flag."""
    return select.select([], [], [])


def enormous(size: int) -> int:
    """Allocate this many bytes, and return the number."""
    return len(bytearray(size))
