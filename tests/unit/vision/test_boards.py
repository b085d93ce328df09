"""Boards in large pictures such as web pages, and several boards in one picture."""

from __future__ import annotations

import numpy as np
import pytest

from sapper import vision
from sapper.vision.boards import find_board, find_boards
from sapper.vision.geometry import Geometry, Image
from support.screens import SCREENS

KEYS, BOARD = Geometry(400, 10, 40, 5, 5), Geometry(40, 30, 20, 9, 9)
PAGES = SCREENS.parent / "pages"


def grid(cell: tuple[int, int, int], line: tuple[int, int, int]) -> Image:
    """A picture of 9x9 cells of 20 pixels each, separated by lines."""
    image = np.full((240, 260, 3), 245, dtype=np.uint8)
    image[30:210, 40:220] = line
    for row in range(9):
        for col in range(9):
            y, x = 30 + 20 * row, 40 + 20 * col
            image[y + 1 : y + 19, x + 1 : x + 19] = cell
    return image


def test_board_in_a_large_page_is_located() -> None:
    """The headings, buttons and frames around the board neither stretch nor shift it.

    The picture shows the demo page of the npm package react-minesweeper 1.0.2, at 1280x800.
    """
    at = vision.find_geometry(vision.load(PAGES / "react-minesweeper-30.png"))
    assert (at.rows, at.columns, at.pitch) == (10, 10, 30)
    assert abs(at.x - 490) <= 1
    assert abs(at.y - 208) <= 1


def test_lines_as_bright_as_cells_are_detected() -> None:
    """Colours that look equal in one mixture of channels differ in another."""
    at = vision.find_geometry(grid((0x77, 0xAA, 0x99), (0x99, 0x99, 0x88)))
    assert (at.rows, at.columns, at.pitch) == (9, 9, 20)


def test_several_boards_are_counted_from_the_top_left() -> None:
    """Without a number, one board is used; a number that is too high is refused."""
    one, other = grid((170, 170, 170), (60, 60, 60)), grid((90, 120, 200), (20, 20, 20))
    image = np.concatenate([one, other[:, :230]], axis=1)
    left, right = find_boards(image)
    assert (left.rows, left.columns, right.rows, right.columns) == (9, 9, 9, 9)
    assert left.x < 60 < 280 < right.x
    assert find_board(image, 2) == right
    with pytest.raises(vision.NoBoard, match="there is no board 3: the picture shows 2"):
        find_board(image, 3)


def test_layout_locates_the_board() -> None:
    """A larger grid whose cells differ, such as a keypad, is not a new board."""
    image = np.pad(grid((170, 170, 170), (60, 60, 60)), ((0, 0), (0, 400), (0, 0)))
    for key in range(25):
        y, x = 10 + 40 * (key // 5), 400 + 40 * (key % 5)
        image[y : y + 40, x : x + 40] = 10 * key
    assert find_board(image, grids=[KEYS, BOARD]) == BOARD
    assert find_board(image, 1, [KEYS, BOARD]) == KEYS
    assert find_board(image, grids=[Geometry(2000, 2000, 20, 9, 9)]).rows == 9


def test_running_board_comes_from_the_layout() -> None:
    """If no grid looks like a new board, the largest one is used."""
    image = np.random.default_rng(3).integers(0, 255, (400, 700, 3), dtype=np.uint8)
    assert find_board(image, grids=[BOARD, KEYS]) == KEYS
