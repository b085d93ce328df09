"""Marks of single parameters."""

from __future__ import annotations

from typing import Any

import pytest

__all__ = ["slow"]


def slow(*values: Any) -> Any:
    """Mark these parameters for the slow tests; others of their kind always run."""
    return pytest.param(*values, marks=pytest.mark.slow)
