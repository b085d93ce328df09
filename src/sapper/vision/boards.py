"""Choose one of several boards in a picture."""

from __future__ import annotations

import numpy as np

from sapper.vision.errors import NoBoard
from sapper.vision.geometry import Geometry, Image, find_geometry

__all__ = ["find_board", "find_boards"]

_MOST = 9
"""Boards looked for in one picture."""


def find_boards(image: Image) -> list[Geometry]:
    """Return the boards in a picture in reading order: from the top, then from the left."""
    rest, found = image.copy(), list[Geometry]()
    while len(found) < _MOST:
        try:
            at = find_geometry(rest)
        except NoBoard:
            break
        found.append(at)
        margin = at.size // 4
        top, left = max(0, int(at.y) - margin), max(0, int(at.x) - margin)
        bottom = int(at.y + at.rows * at.pitch) + margin
        right = int(at.x + at.columns * at.pitch) + margin
        rest[top:bottom, left:right] = np.median(image[top:bottom, left:right], axis=(0, 1))
    # Boards side by side are rarely aligned to the pixel.
    return sorted(found, key=lambda at: (round(at.y / (2 * at.pitch)), at.x))


def find_board(image: Image, number: int | None = None) -> Geometry:
    """Return the board of this number, counted from 1 in reading order.

    Without a number, it is the one whose cells fill most of the picture.

    Raises:
        NoBoard: If there is none, or fewer.
    """
    if number is None:
        return find_geometry(image)
    boards = find_boards(image)
    if number > len(boards):
        raise NoBoard(f"there is no board {number}: the picture shows {len(boards)}")
    return boards[number - 1]
