"""The bot that looks ahead, and its perfect play at the end."""

import pytest

from sapper.position import Position
from sapper.simulation.match import Match
from sapper.solver import analyze
from sapper.solver.bots import make_bot
from sapper.solver.bots.base import Choice, as_choice
from sapper.solver.search import optimal
from sapper.topology import Cell


def chosen(position: Position) -> Choice:
    """Return the bot's choice."""
    return as_choice(make_bot("lookahead").choose(position))


def test_more_informative_guess_breaks_ties() -> None:
    """Each cell is a mine on one board in three, but only two cells reveal the rest."""
    position = Position.parse("01111.\n02.222\n02.32.\n123..2\n1.2...", mines=7)
    result = optimal(position)
    assert (result.wins, result.solutions, result.best) == (2, 3, {Cell(3, 4), Cell(4, 3)})
    assert {action.cell for action in chosen(position).actions} <= result.best
    assert analyze(position).p_mine[4, 3] == analyze(position).p_mine[3, 4] == pytest.approx(1 / 3)


def test_proved_cells_are_opened_and_mines_flagged() -> None:
    """As in `exact`, proved cells are opened, and remaining mines are flagged."""
    choice = chosen(Position.parse("1..\n11.\n00.", mines=1))
    assert (choice.by, choice.guess) == ("proved", False)
    left = chosen(Position.parse("F.\n22", mines=2))
    assert [(a.kind.value, a.cell) for a in left.actions] == [("flag", (0, 1))]


def test_without_total_only_lookahead_is_used() -> None:
    """Without a total, the boards that fit differ in mine count and may be too many."""
    choice = chosen(Position.parse("....\n.11.\n...."))
    assert (choice.by, choice.guess) == ("lookahead", True)


def test_lookahead_wins_more_than_least_risk() -> None:
    """Two bots play the same few boards, so only a clear disadvantage fails the test."""
    wins = {
        bot: sum(row.result == "won" for row in Match(bot, "intermediate").play(range(1, 201)))
        for bot in ("exact", "lookahead")
    }
    assert wins["lookahead"] >= wins["exact"] - 4
