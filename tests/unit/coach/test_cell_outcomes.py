"""Possible contents of a cell: chances by brute force, values that match perfect play."""

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
def test_the_chances_are_those_of_all_arrangements(position: Position) -> None:
    """The chances of each number and of a mine match, and add up to 1."""
    unopened = position.unopened_cells()
    assume(unopened)
    shape = position.topology
    boards = arrangements(position)
    for cell in unopened[:3]:
        at = shape.index(cell)
        near = [shape.index(other) for other in shape.neighbours(cell)]
        shown = [None if board[at] else sum(board[n] for n in near) for board in boards]
        found = outcomes(position, cell, values=False)
        assert {one.number: one.chance for one in found} == pytest.approx(
            {number: shown.count(number) / len(boards) for number in set(shown)}
        )
        assert all(one.value is None for one in found)


def test_the_values_add_up_to_the_chance_of_the_cell() -> None:
    """By perfect play, the sum over the numbers is the cell's win chance."""
    position = Position.parse("mines: 2\n.1....")
    for at in win_chance(position).cells:
        found = outcomes(position, at.cell)
        values = [one.value for one in found]
        assert all(value is not None and value.kind == "exact" for value in values)
        total = sum(one.chance * one.value.win_chance for one in found if one.value is not None)
        assert total == pytest.approx(at.win_chance)
        told = found[-1].to_json()
        assert (told["number"], told["value"]["win_chance"]) == (None, 0.0)


def test_an_opened_cell_has_no_outcomes() -> None:
    """Cells off the board and impossible positions have none either."""
    with pytest.raises(BadSetting, match=re.escape("(0, 1) is opened")):
        outcomes(Position.parse(".1.", 1), (0, 1))
    with pytest.raises(BadSetting, match="no cell"):
        outcomes(Position.parse(".1.", 1), (1, 1))
    with pytest.raises(InconsistentPosition):
        outcomes(Position.parse(".3.", 1), (0, 0))
