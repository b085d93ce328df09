"""How many examples a property is tried on."""

from __future__ import annotations

from typing import Any

from hypothesis import settings

__all__ = ["examples"]


def examples(count: int, **options: Any) -> settings:
    """Settings with this many examples in CI: fewer elsewhere, ten times as many in `thorough`."""
    return settings(max_examples=count * settings().max_examples // 100, **options)
