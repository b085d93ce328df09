"""3BV and openings, counted by hand and by brute force."""

from itertools import combinations
from random import Random

import pytest

from sapper.board import Board
from sapper.metrics import bbbv, openings
from sapper.topology import TOPOLOGIES, topology


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


def opened_by(board: Board, cell: int) -> set[int]:
    """What a click on a clear cell opens."""
    opened, waiting = {cell}, [cell]
    while waiting:
        at = waiting.pop()
        if board.numbers[at] == 0:
            new = set(board.topology.graph.neighbours(at)) - opened
            opened |= new
            waiting += new
    return opened


@pytest.mark.parametrize("name", sorted(TOPOLOGIES))
def test_the_3bv_is_the_fewest_clicks_that_open_a_board(name: str) -> None:
    """On every topology, by trying all sets of clicks in order of their number."""
    shape, random = topology(name, 4, 4), Random(name)
    for mines in (1, 2, 3, 10):
        board = Board.from_mines(shape, random.sample([*shape.cells()], mines))
        clear = {cell for cell in range(shape.size) if not board.mined[cell]}
        opens = [opened_by(board, cell) for cell in clear]
        fewest = next(
            clicks
            for clicks in range(len(clear) + 1)
            if any(set().union(*chosen) == clear for chosen in combinations(opens, clicks))
        )
        assert bbbv(board) == fewest
