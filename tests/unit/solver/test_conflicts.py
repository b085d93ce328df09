"""Contradictions as text and as JSON."""

import pytest

from sapper.errors import BadSetting, InconsistentPosition
from sapper.position import Position
from sapper.solver import both_ways, conflict


@pytest.mark.parametrize(
    ("text", "mines", "cells", "sentence"),
    [
        ("8.", None, [(0, 0)], "The 8 at (0, 0) is impossible with the cells around it."),
        ("1*1\n112", None, [(1, 2)], "The 2 at (1, 2) is impossible with the cells around it."),
        (
            "...\n143\n...",
            None,
            [(1, 0), (1, 1)],
            "The 1 at (1, 0) and the 4 at (1, 1) contradict each other.",
        ),
        ("...\n.1.\n...", 0, [(1, 1)], "The 1 at (1, 1) contradicts the mine total of 0."),
        (
            "..1..1..",
            1,
            [(0, 2), (0, 5)],
            "The 1 at (0, 2) and the 1 at (0, 5) contradict the mine total of 1.",
        ),
        (".1", 2, [], "The mine total of 2 does not fit the number of cells."),
        (".1.", 2, [(0, 1)], "The 1 at (0, 1) contradicts the mine total of 2."),
        ("0", 1, [], "The mine total of 1 does not fit the number of cells."),
    ],
)
def test_conflict_of_impossible_position(
    text: str, mines: int | None, cells: list[tuple[int, int]], sentence: str
) -> None:
    """A conflict contains the numbers, the total if it matters, and a sentence."""
    contradiction = conflict(Position.parse(text, mines))
    assert contradiction is not None
    assert list(contradiction.cells) == cells
    assert contradiction.minimal
    assert contradiction.sentence == sentence
    assert contradiction.to_json() == {
        "cells": [list(cell) for cell in cells],
        "mines": mines,
        "minimal": True,
        "sentence": sentence,
    }


def test_possible_position_has_no_conflict() -> None:
    """The list of conflicts of a possible position is empty."""
    assert conflict(Position.parse("..\n11", 1)) is None


def test_both_ways_rejects_invalid_arguments() -> None:
    """Opened cells, cells off the board and impossible positions are refused."""
    with pytest.raises(BadSetting, match=r"\(1, 0\) is opened"):
        both_ways(Position.parse("..\n11", 1), (1, 0))
    with pytest.raises(BadSetting, match="no cell"):
        both_ways(Position.parse("..\n11", 1), (2, 0))
    with pytest.raises(InconsistentPosition):
        both_ways(Position.parse("..\n31", 1), (0, 0))
