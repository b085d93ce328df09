"""The bot that looks ahead, and perfect play at the end."""

import pytest
from hypothesis import assume, given

from sapper.position import EXPLODED, Position
from sapper.simulation.match import Match
from sapper.solver import analyze
from sapper.solver.bots import make_bot
from sapper.solver.bots._end_game import TooMuch, best, fitting
from sapper.solver.bots.base import Choice, as_choice
from sapper.topology import topology
from support.known import known
from support.oracle import arrangements
from support.strategies import positions

# Source: see tests/data/README.md.
SMALL = [param for param in known("optimal_small_boards") if param.values[0]["boards"] <= 600]


def chosen(position: Position) -> Choice:
    """What the bot does."""
    return as_choice(make_bot("lookahead").choose(position))


@pytest.mark.parametrize("board", SMALL)
def test_perfect_play_wins_what_it_is_known_to(board: dict[str, int]) -> None:
    """From the untouched board, every opening considered."""
    shape = topology("rectangle", board["width"], board["height"])
    found = best(Position.unopened(shape, board["mines"]), 600, 1_000_000)
    assert (found.wins, found.boards) == (board["wins"], board["boards"])


@given(positions(lies=0))
def test_the_boards_that_fit_are_all_of_them(position: Position) -> None:
    """As listing every arrangement finds them; an opened mine is on none of the lists."""
    assume(position.mines is not None)
    exploded = {i for i, char in enumerate(position.cells) if char == ord(EXPLODED)}
    listed = {
        frozenset(i for i, mine in enumerate(board) if mine) - exploded
        for board in arrangements(position)
    }
    found = fitting(position, 5000)
    assert len(found) == len(listed)
    assert set(found) == listed


def test_too_many_boards_or_thoughts_are_given_up() -> None:
    """Each has its own bound."""
    position = Position.unopened(topology("rectangle", 4, 4), 3)
    with pytest.raises(TooMuch, match="500 boards"):
        best(position, 500, 10**6)
    with pytest.raises(TooMuch, match="states"):
        best(position, 600, 20)


def test_of_equal_risks_it_takes_the_guess_that_tells_something() -> None:
    """Each of some cells is a mine on one board of three; only one of them tells the rest."""
    position = Position.parse("01111.\n02.222\n02.32.\n123..2\n1.2...", mines=7)
    assert [action.cell for action in chosen(position).actions] == [(4, 3)]
    assert best(position, 10, 100)[:2] == (2, 3)
    assert analyze(position).p_mine[4, 3] == analyze(position).p_mine[3, 4] == pytest.approx(1 / 3)


def test_it_opens_what_is_proved_and_flags_what_is_left() -> None:
    """As `exact` does."""
    choice = chosen(Position.parse("1..\n11.\n00.", mines=1))
    assert (choice.by, choice.guess) == ("proved", False)
    left = chosen(Position.parse("F.\n22", mines=2))
    assert [(a.kind.value, a.cell) for a in left.actions] == [("flag", (0, 1))]


def test_without_a_total_it_looks_ahead_only() -> None:
    """The boards that fit have no equal number of mines, and may be very many."""
    choice = chosen(Position.parse("....\n.11.\n...."))
    assert (choice.by, choice.guess) == ("lookahead", True)


def test_it_wins_more_than_the_least_risk_alone() -> None:
    """On the same boards; a small sample, so only clearly worse would fail."""
    wins = {
        bot: sum(row.result == "won" for row in Match(bot, "intermediate").play(range(1, 201)))
        for bot in ("exact", "lookahead")
    }
    assert wins["lookahead"] >= wins["exact"] - 4
