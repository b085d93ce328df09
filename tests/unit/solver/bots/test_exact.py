"""The bot `exact`, the baseline for all others."""

import pytest

from sapper.position import Position
from sapper.solver import analyze
from sapper.solver.bots import make_bot
from sapper.solver.bots.base import as_choice
from sapper.topology import Cell, topology


def test_all_safe_cells_are_opened_at_once() -> None:
    """A single choice opens all safe cells, without risk."""
    position = Position.parse("1..\n11.\n00.", mines=1)
    choice = as_choice(make_bot("exact").choose(position))
    assert {action.cell for action in choice.actions} == analyze(position).safe
    assert (choice.by, choice.risk, choice.guess) == ("proved", 0.0, False)


def test_guess_is_first_least_risky_cell() -> None:
    """The first cell of least risk in row order is opened, and its risk is stated."""
    choice = as_choice(make_bot("exact").choose(Position.parse("..\n11", mines=1)))
    assert [action.cell for action in choice.actions] == [Cell(0, 0)]
    assert (choice.by, choice.guess) == ("least risk", True)
    assert choice.risk == pytest.approx(0.5)


def test_remaining_mines_are_flagged() -> None:
    """Once the last mines are flagged, the bot has nothing left to do."""
    choice = as_choice(make_bot("exact").choose(Position.parse("F.\n22", mines=2)))
    assert [(a.kind.value, a.cell) for a in choice.actions] == [("flag", (0, 1))]
    assert not as_choice(make_bot("exact").choose(Position.parse("FF\n22", mines=2))).actions
    assert not as_choice(make_bot("exact").choose(Position.parse("00\n00"))).actions


def test_first_click_is_the_corner() -> None:
    """On an untouched board, all cells are equally risky."""
    choice = as_choice(make_bot("exact").choose(Position.unopened(topology("rectangle", 5, 5), 5)))
    assert [action.cell for action in choice.actions] == [Cell(0, 0)]
    assert choice.risk == pytest.approx(0.2)
