"""The bot that plays perfectly where that is feasible."""

import pytest

from sapper.position import Position
from sapper.simulation.match import Match
from sapper.solver.bots import make_bot
from sapper.solver.bots.base import Choice, as_choice
from sapper.solver.search import optimal
from sapper.topology import Cell


def chosen(position: Position, **options: int) -> Choice:
    """Return the bot's choice."""
    return as_choice(make_bot("optimal", **options).choose(position))


RISKY = Position.parse("01111.\n02.222\n02.32.\n123..2\n1.2...", mines=7)


def test_guess_has_the_best_win_chance() -> None:
    """Five cells have the same risk, but only two of them reveal the other mines."""
    choice = chosen(RISKY)
    assert optimal(RISKY).best == {Cell(3, 4), Cell(4, 3)}
    assert {action.cell for action in choice.actions} <= optimal(RISKY).best
    assert (choice.by, choice.guess, choice.risk) == ("perfect play", True, pytest.approx(1 / 3))


def test_exceeded_limits_fall_back_to_least_risk() -> None:
    """Three solutions are too many, and an untouched board takes more than five states."""
    assert chosen(RISKY, solutions=2).by == "least risk"
    untouched = Position.parse("....\n....\n....\n....", mines=3)
    assert chosen(untouched, states=5).by == "least risk"
    assert chosen(untouched).by == "perfect play"


def test_missing_total_falls_back_to_least_risk() -> None:
    """Perfect play needs the total; without it, the bot takes the least risk."""
    assert chosen(Position.parse("....\n.11.\n....")).by == "least risk"


def test_proved_cells_are_opened_and_mines_flagged() -> None:
    """As in `exact`, proved cells are opened, and remaining mines are flagged."""
    assert chosen(Position.parse("1..\n11.\n00.", mines=1)).by == "proved"
    left = chosen(Position.parse("F.\n22", mines=2))
    assert [(a.kind.value, a.cell) for a in left.actions] == [("flag", (0, 1))]


def test_small_board_is_won_optimally() -> None:
    """On 4x4 with 4 mines and the best first cell, (0, 1), the bot wins 961 of 1820 boards."""
    match = Match("optimal", "4x4:4", first_click="any", start=(0, 1))
    wins = sum(row.result == "won" for row in match.play(range(1000)))
    # Four standard deviations for 1000 games with a win chance of 0.528.
    assert abs(wins - 528) < 64
