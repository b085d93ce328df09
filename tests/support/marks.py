"""Marks for single parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

__all__ = ["sampled", "slow"]


def slow(*values: Any) -> Any:
    """Mark these parameters as slow; a test always runs with its other parameters."""
    return pytest.param(*values, marks=pytest.mark.slow)


def sampled(cases: Iterable[Any], every: int) -> list[Any]:
    """Mark all cases as slow except the first one and every n-th one after it.

    Args:
        cases: Values of one parameter, or `pytest.param` objects.
        every: The distance between the cases that always run.
    """
    found = []
    for number, case in enumerate(cases):
        if number % every == 0:
            found.append(case)
        elif isinstance(case, type(pytest.param())):
            marks = [*case.marks, pytest.mark.slow]
            found.append(pytest.param(*case.values, id=case.id, marks=marks))
        else:
            found.append(slow(case))
    return found
