"""3BV and openings, counted by hand."""

import pytest

from sapper.board import Board
from sapper.metrics import bbbv, openings


@pytest.mark.parametrize(
    ("text", "expected_openings", "expected_bbbv"),
    [
        ("000\n000", 1, 1),
        ("***", 0, 0),
        ("1*1", 0, 2),
        ("*1\n11", 0, 3),
        ("01*10\n01110\n00000", 1, 1),
        ("01*10", 2, 2),
        ("00000\n12321\n1***1\n12321\n00000", 2, 4),
    ],
)
def test_small_boards_are_as_counted_by_hand(
    text: str, expected_openings: int, expected_bbbv: int
) -> None:
    """A click for each opening, and one for each number in no opening."""
    board = Board.parse(text)
    assert openings(board) == expected_openings
    assert bbbv(board) == expected_bbbv


def test_openings_join_over_the_edges_of_a_torus() -> None:
    """The same rows have one opening less where left and right touch."""
    assert openings(Board.parse("topology: torus\n001*100")) == 1
    assert openings(Board.parse("001*100")) == 2
