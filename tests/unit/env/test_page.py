"""The tables in docs/gymnasium.md, because doctest runs only code blocks."""

from __future__ import annotations

import re
from pathlib import Path

import gymnasium

import sapper.env  # noqa: F401  (registers the environments)

PAGE = Path(__file__).parents[3] / "docs" / "gymnasium.md"


def test_calls_in_tables_work() -> None:
    """Every environment in a table can be reset; one row used to have impossible rules."""
    rows = re.findall(r"^\|.*\|$", PAGE.read_text("utf-8"), re.MULTILINE)
    calls = [call for row in rows for call in re.findall(r"`(gymnasium\.make\w*\([^`]*\))`", row)]
    assert calls
    for call in calls:
        env = eval(call, {"gymnasium": gymnasium})
        env.reset(seed=1)
