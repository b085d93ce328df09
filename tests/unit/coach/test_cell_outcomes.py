"""The possible contents of a cell: their chances, by brute force, and their win chances."""

import re

import pytest
from hypothesis import assume, given

from sapper import win_chance
from sapper.coach import outcomes
from sapper.errors import BadSetting, InconsistentPosition
from sapper.position import Position
from support.oracle import arrangements
from support.strategies import positions


@given(position=positions(lies=0))
def test_chances_match_all_arrangements(position: Position) -> None:
    """The chances of each number and of a mine match, and add up to 1."""
    unopened = position.unopened_cells()
    assume(unopened)
    shape = position.topology
    boards = arrangements(position)
    for cell in unopened[:3]:
        at = shape.index(cell)
        near = [shape.index(other) for other in shape.neighbours(cell)]
        contents = [None if board[at] else sum(board[n] for n in near) for board in boards]
        results = outcomes(position, cell, values=False)
        assert {one.number: one.chance for one in results} == pytest.approx(
            {number: contents.count(number) / len(boards) for number in set(contents)}
        )
        assert all(one.value is None for one in results)


def test_values_add_up_to_the_win_chance() -> None:
    """With perfect play, the sum over the numbers is the cell's win chance."""
    position = Position.parse("mines: 2\n.1....")
    for at in win_chance(position).cells:
        results = outcomes(position, at.cell)
        values = [one.value for one in results]
        assert all(value is not None and value.kind == "exact" for value in values)
        total = sum(one.chance * one.value.win_chance for one in results if one.value is not None)
        assert total == pytest.approx(at.win_chance)
        obj = results[-1].to_json()
        assert (obj["number"], obj["value"]["win_chance"]) == (None, 0.0)


def test_opened_cell_has_no_outcomes() -> None:
    """Cells off the board and impossible positions are refused as well."""
    with pytest.raises(BadSetting, match=re.escape("(0, 1) is opened")):
        outcomes(Position.parse(".1.", 1), (0, 1))
    with pytest.raises(BadSetting, match="no cell"):
        outcomes(Position.parse(".1.", 1), (1, 1))
    with pytest.raises(InconsistentPosition):
        outcomes(Position.parse(".3.", 1), (0, 0))
