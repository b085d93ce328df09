"""Positions as people paste them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sapper.errors import BadPosition
from sapper.position import Position

EXAMPLES: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[2] / "data" / "pasted_positions.json").read_text("utf-8")
)
SAID = {
    "cell": "is not a cell; use . for unopened, 0 to 8, F for a flag or * for an opened mine",
    "empty": "row 1 has an empty cell; use . for unopened, or 0 for open",
    "joined": "row 1 separates some cells and not others",
    "length": "cells, but row 1 has",
    "id": "line 1: a game id is a board, not a position",
    "header": "use 'mines', 'density', 'running' or 'topology'",
}


@pytest.mark.parametrize("example", EXAMPLES["read"], ids=lambda example: ascii(example["text"]))
def test_what_has_one_meaning_is_read(example: dict[str, Any]) -> None:
    """Separators, full-width characters and emoji are read as the text form."""
    position = Position.parse(example["text"])
    assert (position.rows, position.mines) == (example["rows"], example["mines"])
    assert Position.parse(str(position)) == position


@pytest.mark.parametrize("example", EXAMPLES["refused"], ids=lambda example: ascii(example["text"]))
def test_what_may_mean_two_things_is_refused(example: dict[str, str]) -> None:
    """The message says what is wrong and names the signs that are read."""
    with pytest.raises(BadPosition) as caught:
        Position.parse(example["text"])
    assert SAID[example["because"]] in str(caught.value)
