"""Pattern names in hints and reviews."""

from __future__ import annotations

import pytest

from sapper.coach.pattern_name import PatternName, missed_pattern, pattern_name
from sapper.errors import BadSave
from sapper.position import Position
from sapper.topology import Cell

WALL = Position.parse("....\n1221\n0000", mines=2)


def test_cell_is_explained_by_name() -> None:
    """A trivial cell has no name."""
    found = pattern_name(WALL, (0, 0))
    assert found is not None
    assert found.id == "1-2-2-1" or "1-2" in found.title
    assert pattern_name(Position.parse("..\n00", mines=0), (0, 0)) is None


def test_json_form_is_read_again() -> None:
    """Every invalid form raises the same error."""
    found = pattern_name(WALL, (0, 0))
    assert found is not None
    assert PatternName.from_json(found.to_json(), WALL) == found
    with pytest.raises(BadSave, match="a pattern needs 'title'"):
        PatternName.from_json({"id": "1-1"}, WALL)


def test_missed_pattern_is_that_of_the_preferred_cell() -> None:
    """If no pattern proves a safe cell, no pattern was missed."""
    found = missed_pattern(WALL, [Cell(0, 0), Cell(0, 3)], Cell(0, 3))
    assert found == pattern_name(WALL, (0, 3))
    assert missed_pattern(WALL, [Cell(0, 0)]) == pattern_name(WALL, (0, 0))
    assert missed_pattern(WALL, []) is None


def test_big_boards_are_not_searched() -> None:
    """A search of a big board would delay the hint."""
    rows = ["." * 110, "1" * 110, *["0" * 110] * 108]
    big = Position.parse("\n".join(rows))
    assert pattern_name(big, (0, 2)) is None
    assert missed_pattern(big, [Cell(0, 2)]) is None
