"""How many examples a property is tried on."""

from __future__ import annotations

from typing import Any

from hypothesis import settings

__all__ = ["examples", "repeats"]


def examples(count: int, **options: Any) -> settings:
    """Settings with this many examples in CI: fewer elsewhere, ten times as many in `thorough`."""
    return settings(max_examples=repeats(count), **options)


def repeats(count: int) -> int:
    """How often to repeat something instead of this many times, in the same proportion."""
    return max(1, count * settings().max_examples // 100)
