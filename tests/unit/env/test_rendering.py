from __future__ import annotations

import numpy as np

from sapper.env.rendering import CELL_PX, picture
from sapper.position import Position


def test_every_character_has_a_picture_of_its_own() -> None:
    """All twelve cells can be told apart in the picture, at their place."""
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


def test_the_text_is_that_of_the_position() -> None:
    """``ansi`` shows the rows of the position."""
    assert picture(Position.parse("1.\n1F", mines=1), "ansi") == "1.\n1F\n"
