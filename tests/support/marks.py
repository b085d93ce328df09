"""Marks of single parameters."""

from __future__ import annotations

from typing import Any

import pytest

__all__ = ["slow"]


def slow(*values: Any) -> Any:
    """Leave these parameters to the slow tests; others of their kind run every time."""
    return pytest.param(*values, marks=pytest.mark.slow)
