"""Marks for single parameters."""

from __future__ import annotations

from typing import Any

import pytest

__all__ = ["slow"]


def slow(*values: Any) -> Any:
    """Mark these parameters as slow; a test always runs with its other parameters."""
    return pytest.param(*values, marks=pytest.mark.slow)
