from __future__ import annotations

from math import ceil

import numpy as np
import pytest

from sapper.drawing import THEMES
from sapper.env.rendering import CELL_PX, picture
from sapper.position import Position
from sapper.topology import TOPOLOGIES

_SURFACE = tuple(bytes.fromhex(THEMES["light"]["surface"][1:]))


def test_every_character_has_its_own_picture() -> None:
    """All twelve kinds of cells look different, and each is in its place."""
    position = Position.parse("012345\n678.F*", mines=2)
    pixels = picture(position, "rgb_array")
    assert pixels.shape == (2 * CELL_PX, 6 * CELL_PX, 3)
    assert pixels.dtype == np.uint8
    tiles = {
        pixels[top : top + CELL_PX, left : left + CELL_PX].tobytes()
        for top in (0, CELL_PX)
        for left in range(0, 6 * CELL_PX, CELL_PX)
    }
    assert len(tiles) == 12


def test_ansi_rendering_is_the_position_text() -> None:
    """``ansi`` returns the rows of the position's text."""
    assert picture(Position.parse("1.\n1F", mines=1), "ansi") == "1.\n1F\n"


@pytest.mark.parametrize("shape", TOPOLOGIES)
def test_cells_are_drawn_within_their_outlines(shape: str) -> None:
    """Each cell is coloured to its corners, and nothing outside it is."""
    board = TOPOLOGIES[shape](6, 4)
    rng = np.random.default_rng(1)
    # Use blank cells, so that no glyph interferes.
    cells = bytes(rng.choice(list(b"0."), board.size).astype(np.uint8))
    pixels = picture(Position.trusted(board, cells, 9), "rgb_array")
    faces = {ord(char): picture(Position.parse(char, 1), "rgb_array")[1, 1] for char in "0."}
    for index, cell in enumerate(board.cells()):
        tile, place = board.tile(*cell), np.array(board.place(*cell))
        for corner in tile.outline:
            for part in (0.45, 0.6, 0.75):
                x, y = place + np.array(tile.middle) * (1 - part) + np.array(corner) * part
                found = pixels[int(y * CELL_PX), int(x * CELL_PX)]
                assert found.tolist() == faces[cells[index]].tolist()
    assert pixels.shape == (*(ceil(side * CELL_PX) for side in board.extent[::-1]), 3)
    shown = {tuple(pixel) for pixel in pixels.reshape(-1, 3)}
    square = board.tile(0, 0).is_square
    assert (_SURFACE in shown) is not square
