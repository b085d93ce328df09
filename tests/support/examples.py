"""The number of examples in a property test."""

from __future__ import annotations

from typing import Any

from hypothesis import settings

__all__ = ["examples", "repeats"]


def examples(count: int, **options: Any) -> settings:
    """Return settings with this many examples in `full`, fewer in CI and by default."""
    return settings(max_examples=repeats(count), **options)


def repeats(count: int) -> int:
    """Scale a number of repetitions in the same proportion."""
    return max(1, count * settings().max_examples // 100)
