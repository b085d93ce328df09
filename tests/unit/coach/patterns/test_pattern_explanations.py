"""Proved cells are explained by patterns."""

from typing import NoReturn

import numpy as np
import pytest

from sapper.board import Board
from sapper.coach.patterns import explanations, pattern_for, recognition
from sapper.errors import BadCell
from sapper.position import Position
from sapper.solver import analyze
from sapper.topology import topology
from support.pictures import moments

WALL = Position.parse("....\n1111\n0000")
LINE = Position.parse(".....\n11211\n00000")


def test_a_cell_is_explained_by_the_largest_easy_pattern() -> None:
    """The cell beside the 2 also follows from 1-1 at the wall, but 1-2-1 has more numbers."""
    found = pattern_for(LINE, (0, 2))
    assert found is not None
    assert (found.title, found.mined, found.earlier) == ("1-2-1", False, ())
    assert found.to_json()["cell"] == [0, 2]


def test_a_cell_after_a_pattern_names_the_pattern() -> None:
    """One number settles the last cell once the pattern is known."""
    found = pattern_for(WALL, (0, 3))
    assert found is not None
    assert found.mined
    assert found.then_one_number
    assert found.title == "1-1 at the wall, then one number"


def test_cells_that_one_number_proves_have_no_pattern() -> None:
    """A single number needs no name."""
    assert pattern_for(Position.parse("*1.\n110"), (0, 2)) is None
    assert pattern_for(Position.parse(".1\n11"), (0, 0)) is None


def test_library_is_not_read_for_a_single_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading all patterns takes longer than everything else in a hint."""

    def read() -> NoReturn:
        raise AssertionError("the library was read")

    monkeypatch.setattr(recognition, "all_patterns", read)
    for cell in ((0, 0), (0, 2)):
        assert pattern_for(Position.parse("*1.\n110"), cell) is None
    with pytest.raises(AssertionError, match="the library was read"):
        pattern_for(LINE, (0, 2))


def test_every_explanation_is_true() -> None:
    """The engine proves each explained cell, and earlier patterns are explained first."""
    for position in moments()[::3]:
        known = analyze(position)
        for cell, found in explanations(position).items():
            assert cell in (known.mined if found.mined else known.safe)
            assert found.occurrence not in found.earlier
            assert pattern_for(position, cell) == found


def test_other_shapes_and_cells() -> None:
    """Other shapes have no explanations; cells must be on the board."""
    assert explanations(Position.unopened(topology("torus", 8, 8))) == {}
    with pytest.raises(BadCell):
        pattern_for(WALL, (9, 9))


def test_large_boards_are_explained_from_nearby_cells() -> None:
    """Explanations from a part of the board are true and use the coordinates of the whole board."""
    rng = np.random.default_rng(1)
    shape = topology("rectangle", 120, 100)
    mined = (rng.random(shape.size) < 0.15).astype(np.uint8)
    board = Board(shape, mined.tobytes())
    numbers = np.frombuffer(board.numbers, np.uint8) + ord("0")
    closed = (mined == 1) | (rng.random(shape.size) < 0.3)
    cells = np.where(closed, ord("."), numbers).astype(np.uint8).tobytes()
    position = Position(shape, cells)
    everywhere = explanations(position)
    assert len(everywhere) > 20
    for cell in everywhere:
        found = pattern_for(position, cell)
        if found is not None:
            assert found.mined == board.is_mine(cell)
            assert cell in found.occurrence.cells or found.then_one_number
    same = [cell for cell, found in everywhere.items() if pattern_for(position, cell) == found]
    assert len(same) > 0.8 * len(everywhere)
