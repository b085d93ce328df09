"""Boards: their text and JSON forms, and their numbers."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper.board import Board
from sapper.errors import BadBoard, BadSetting
from sapper.generation import generate
from sapper.topology import TOPOLOGIES, Rectangle, topology


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Any small board."""
    shape = topology(
        draw(st.sampled_from([*TOPOLOGIES])),
        draw(st.integers(1, 8)),
        draw(st.integers(1, 8)),
    )
    mined = draw(st.lists(st.sampled_from([0, 1]), min_size=shape.size, max_size=shape.size))
    return Board(shape, bytes(mined))


@given(boards())
def test_text_round_trips(board: Board) -> None:
    """The printed text of a board gives the same board."""
    assert Board.parse(str(board)) == board


@given(boards())
def test_json_round_trips(board: Board) -> None:
    """A board is the same after a round trip through JSON text."""
    assert Board.from_json(json.loads(json.dumps(board.to_json()))) == board


@given(boards())
def test_numbers_count_the_mines_around(board: Board) -> None:
    """Every cell, even a mine, has the number of mines that touch it."""
    for cell, number in zip(board.topology.cells(), board.numbers, strict=True):
        assert number == sum(map(board.is_mine, board.topology.neighbours(cell)))


@given(boards())
def test_mines_are_counted_and_listed(board: Board) -> None:
    """The total, the list and the lookup agree, and the list rebuilds the board."""
    assert board.mines == len(board.mine_cells())
    assert all(map(board.is_mine, board.mine_cells()))
    assert Board.from_mines(board.topology, board.mine_cells()) == board


def test_comments_blank_lines_and_headers_are_read() -> None:
    """The text form accepts comments, blank lines and both headers."""
    text = "// a board\nmines: 1\ntopology: torus\n\n  111 \n1*1\n111\n"
    board = Board.parse(text)
    assert (board.mines, board.topology.name) == (1, "torus")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "at least one row"),
        ("*1\n1", "row 2 has 1 cells, but row 1 has 2"),
        ("*2\n11", r"cell \(0, 1\) shows 2, but has 1"),
        ("*.\n11", "row 1, column 2: '.' is not a cell"),
        ("mines: 2\n*1\n11", "mines: 2, but the rows have 1 mines"),
        ("mines: -1\n*1\n11", "line 1: mines must be a whole number, 0 or more"),
        ("mines: 9\n*1\n11", "between 0 and 4 for 4 cells, got 9"),
        ("shape: torus\n*1\n11", "line 1: unknown header 'shape'"),
        ("topology: cube\n*1\n11", "unknown topology 'cube'"),
    ],
)
def test_bad_text_is_rejected_with_a_reason(text: str, reason: str) -> None:
    """The message gives the reason and the location."""
    with pytest.raises(BadBoard, match=reason):
        Board.parse(text)


@pytest.mark.parametrize(
    "obj",
    [
        None,
        [],
        "*1",
        {},
        {"rows": "*1"},
        {"rows": ["*1", 11]},
        {"rows": ["*1", "11"], "mines": "1"},
        {"rows": ["*1", "11"], "mines": True},
        {"rows": ["*1", "11"], "mines": 2},
        {"rows": ["*1", "11"], "width": 3},
        {"rows": ["*1", "11"], "height": True},
        {"rows": ["*1", "11"], "topology": 4},
        {"rows": ["*1", "11"], "topology": "cube"},
        {"rows": [""]},
    ],
)
def test_bad_json_is_rejected(obj: Any) -> None:
    """Everything that is not a board raises the same error."""
    with pytest.raises(BadBoard):
        Board.from_json(obj)


def test_mine_off_the_board_is_rejected() -> None:
    """The error names the cell."""
    with pytest.raises(BadSetting, match=r"no cell \(2, 0\)"):
        Board.from_mines(Rectangle(2, 2), [(2, 0)])


@pytest.mark.parametrize(
    ("mined", "message"),
    [(b"\1", "a board of 2x2 has 4 cells, got 1"), (b"\0\1\2\0", "1 for a mine .*, got 2")],
)
def test_constructor_rejects_invalid_boards(mined: bytes, message: str) -> None:
    """Every board that can be constructed can also be read."""
    with pytest.raises(BadBoard, match=message):
        Board(topology("rectangle", 2, 2), mined)


@pytest.mark.parametrize(
    ("level", "no_guess"),
    [("9x9:10", None), ("9x9@0.2", None), ("9x9:10", "total"), ("6x6:4/hexagon", "total")],
)
def test_unchecked_boards_are_valid(level: str, no_guess: str | None) -> None:
    """Boards from the core are not checked at run time, so this test checks them."""
    for made in generate(level, 20, seed=1, no_guess=no_guess):
        board = made.board
        assert Board(board.topology, board.mined) == board
        assert hash(Board.trusted(board.topology, board.mined)) == hash(board)


def test_cell_is_read_as_in_the_text() -> None:
    """A mine is a star; every other cell is its number."""
    board = Board.parse("*10\n110")
    assert [[board[row, col] for col in range(3)] for row in range(2)] == [
        list(row) for row in board.rows
    ]
    assert board.bbbv == 2
