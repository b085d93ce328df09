"""Choose one of several boards in a picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from sapper.vision.errors import NoBoard
from sapper.vision.geometry import Geometry, Image, find_geometry

__all__ = ["find_board", "find_boards"]

_MAX_BOARDS = 9
"""Maximum number of boards to find in one picture."""
_MAX_DIFFERENCE, _INNER = 12.0, 0.2
"""The largest root mean square difference between unopened cells, in levels from 0 to 255; and the
share of a cell that this comparison ignores at each side."""


def find_boards(image: Image) -> list[Geometry]:
    """Return the boards in a picture in reading order: top to bottom, then left to right."""
    rest, boards = image.copy(), list[Geometry]()
    while len(boards) < _MAX_BOARDS:
        try:
            at = find_geometry(rest)
        except NoBoard:
            break
        boards.append(at)
        margin = at.size // 4
        top, left = max(0, int(at.y) - margin), max(0, int(at.x) - margin)
        bottom = int(at.y + at.height) + margin
        right = int(at.x + at.width) + margin
        rest[top:bottom, left:right] = np.median(image[top:bottom, left:right], axis=(0, 1))
    return _in_reading_order(boards)


def find_board(image: Image, number: int | None = None, grids: Sequence[Geometry] = ()) -> Geometry:
    """Return the board with this number, counted from 1 in reading order.

    Without a number, return the board whose cells cover the largest part of the picture.

    Args:
        image: The picture.
        number: Number of the board.
        grids: Grids of cells from the window's layout; if there are none, the picture is searched.

    Raises:
        NoBoard: If there is no board, or no board with this number.
    """
    fits = [at for at in grids if at.fits(image)]
    if number is None:
        # A keypad is a grid too, but its keys differ, so prefer grids whose cells all look the
        # same. In a running game the cells differ as well.
        fits = [at for at in fits if _is_fresh(image, at)] or fits
        return max(fits, key=lambda at: at.width * at.height) if fits else find_geometry(image)
    boards = _in_reading_order(fits) if number <= len(fits) else find_boards(image)
    if number > len(boards):
        raise NoBoard(f"there is no board {number}: the picture shows {len(boards)}")
    return boards[number - 1]


def _in_reading_order(boards: Iterable[Geometry]) -> list[Geometry]:
    # Boards next to each other are rarely aligned exactly.
    return sorted(boards, key=lambda at: (round(at.y / (2 * at.row_pitch)), at.x))


def _is_fresh(image: Image, at: Geometry) -> bool:
    """Return whether most cells look alike, as on a board before the first click."""
    cut = max(1, round(at.size * _INNER))
    cells = at.cut(image)[..., cut:-cut, cut:-cut, :].reshape(at.rows * at.columns, -1)
    cells = cells.astype(np.float32)
    apart = np.sqrt(np.square(cells - np.median(cells, axis=0)).mean(axis=1))
    return bool((apart < _MAX_DIFFERENCE).mean() > 1 / 2)
