from __future__ import annotations

import pytest

from sapper import Action, Board, Level
from sapper.community.live_board import LiveBoard
from sapper.community.progress_map import progress_map
from sapper.errors import BadCell, IllegalAction

BOARD = Board.parse("*100\n1100\n0000")


def played(*actions: tuple[str, tuple[int, int]]) -> LiveBoard:
    """Return the board after these actions."""
    board = LiveBoard(BOARD, Level(4, 3, 1))
    for kind, cell in actions:
        board.act(Action(kind, cell))
    return board


def test_an_opened_mine_stays_known_and_counts_when_chording() -> None:
    """Opening a mine does not end the game."""
    board = played(("open", (0, 0)), ("open", (1, 1)))
    assert board.cells == "*....1......"
    assert board.act(Action("chord", (1, 1)))
    assert board.is_cleared


def test_a_chord_stops_at_the_first_mine() -> None:
    """Cells before the mine are opened, those after it are not."""
    board = played(("open", (1, 1)), ("flag", (2, 2)))
    assert board.act(Action("chord", (1, 1))) == {0: "*"}
    assert board.cells == "*....1....F."


def test_clicks_without_effect_change_nothing() -> None:
    """Clicks on open cells and flags, and chords without their flags, have no effect."""
    board = played(("open", (1, 1)), ("flag", (0, 0)))
    assert board.act(Action("open", (1, 1))) == {}
    assert board.act(Action("open", (0, 0))) == {}
    assert board.act(Action("flag", (1, 1))) == {}
    assert board.act(Action("chord", (0, 1))) == {}
    assert board.act(Action("flag", (0, 0))) == {0: "."}


def test_other_actions_are_refused() -> None:
    """When playing with others, nothing can be undone."""
    with pytest.raises(IllegalAction):
        played(("question", (0, 0)))
    with pytest.raises(BadCell):
        played(("open", (9, 9)))


def test_a_map_has_blocks_of_at_least_sixteen_cells() -> None:
    """A block changes when half of its cells are open."""
    board = Board.from_mines(Level(16, 16, 0).shape(), [(0, 0)])
    rows = progress_map(board, b"." * 256)
    assert (len(rows), len(rows[0])) == (4, 4)
    opened = bytearray(b"." * 256)
    for count in range(1, 9):
        assert progress_map(board, opened)[3] == "...."
        opened[256 - 16 * ((count + 3) // 4) + 11 + (count - 1) % 4 + 1] = ord("0")
    assert progress_map(board, opened)[3] == "...o"
    assert progress_map(board, b"." + b"1" * 255) == ["oooo"] * 4
