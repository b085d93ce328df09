"""The share of deductions covered by named patterns."""

import pytest

from sapper.board import Board
from sapper.coach.patterns import patterns
from sapper.coach.patterns.coverage import Coverage, play
from sapper.coach.patterns.normal_form import simplest
from sapper.coach.patterns.symmetry import SYMMETRIES, turned
from sapper.generation import generate

LINE = Board.parse("1*2*1\n11211\n00000")


def test_each_cell_of_a_pattern_is_a_deduction() -> None:
    """All five cells beside 1-1-2-1-1 follow from 1-2-1, and one number alone proves nothing."""
    found = play(LINE, (2, 0))
    assert found.explained == {"1-2-1": 5}
    assert (found.single, found.deductions, found.share) == (0, 5, 1.0)
    assert (found.stops, found.stops_explained) == (1, 1)


def test_no_guess_games_are_played_to_the_end() -> None:
    """Every clear cell is opened; most deductions have a name, and all of them are true."""
    total = Coverage()
    for made in generate("expert", 20, seed=3, no_guess="total"):
        found = play(made.board, made.start)
        assert found.guesses == 0
        total.add(found)
    assert total.games == 20
    assert total.share > 0.9
    low, high = total.share_interval
    assert 0.8 < low < total.share < high <= 1
    assert set(total.explained) <= set(patterns())
    assert total.by_game.total() == 20


def test_cells_named_at_stops_are_counted_on_request() -> None:
    """All cells that the engine proves are compared with all explanations."""
    found = play(LINE, (2, 0), at_stops=True)
    assert (found.proved, found.named) == (5, 5)
    assert (play(LINE, (2, 0)).proved, play(LINE, (2, 0)).named) == (0, 0)


def test_other_games_guess_where_nothing_is_proved() -> None:
    """A game that must not guess ends at the first guess."""
    (made,) = generate("expert", 1, seed=9, start=(0, 0))
    assert play(made.board, (0, 0), guess=True).guesses > 0
    assert play(made.board, (0, 0)).guesses == 0


def test_games_are_counted_the_same_every_time() -> None:
    """The counts of a game depend only on its board."""
    (made,) = generate("expert", 1, seed=4, no_guess="total")
    assert play(made.board, made.start) == play(made.board, made.start)


def test_the_mine_total_alone_is_not_a_deduction_of_several_numbers() -> None:
    """Cells that are safe because every mine is known are not counted."""
    found = play(Board.parse("01*10\n01110\n00000"), (2, 0))
    assert found.deductions == 0


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (("oo??", "o11?", "o???", "oooo"), ("+++", "?1?", "?1?", "ooo")),
        (("ooooo", "o?121", "?????"), None),
    ],
)
def test_the_simplest_picture_is_the_same_under_symmetries(
    rows: tuple[str, ...], expected: tuple[str, ...] | None
) -> None:
    """Turned pictures have the same normal form, without unneeded cells."""
    found = {simplest(turned(rows, symmetry)) for symmetry in SYMMETRIES}
    assert len(found) == 1
    assert expected is None or found == {expected}
