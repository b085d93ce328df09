"""The path of the pointer between two actions, checked and packed.

A path is a list of whole numbers, three for each point. The first point has its time, in
milliseconds before the second action, and its x and y; each later point has the milliseconds since
the previous point and the changes in x and y. Lengths are in `PARTS` of a cell, from the top left
corner of the board.
"""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt

from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.topology import Topology

__all__ = ["MOST_POINTS", "PARTS", "POINT_BYTES", "pack", "points", "unpack"]

PARTS: Final = 16
"""Parts of a cell: the pixels of other programs' replays, whose cells have 16."""
MOST_POINTS: Final = 1_000
"""The most points of a path; the page halves the points of longer ones."""

POINT_BYTES: Final = 12
"""The packed size of a point."""


def pack(values: object, shape: Topology) -> bytes:
    """Check a path over a board shape, and return it packed.

    Raises:
        BadSetting: If the path is invalid; the message gives the reason.
    """
    if (
        not isinstance(values, list)
        or not 0 < len(values) <= 3 * MOST_POINTS
        or len(values) % 3
        or set(map(type, values)) != {int}
    ):
        raise BadSetting(
            "a pointer path must be 3 whole numbers for each of at most "
            f"{MOST_POINTS:,} points, got {shown(values)}"
        )
    try:
        packed = array("i", values).tobytes()
    except OverflowError:
        raise BadSetting("a number in a pointer path must be between -2^31 and 2^31") from None
    # A path has only about ten points, so numpy's overhead would slow down moves.
    between = values[3::3]
    if sum(between) > values[0] or min(between, default=0) < 0:
        raise BadSetting("the points of a pointer path must be in order, all before the action")
    for name, changes, cells in (
        ("x", values[1::3], shape.width),
        ("y", values[2::3], shape.height),
    ):
        places = list(accumulate(changes))
        least, most = min(places), max(places)
        if least < 0 or most >= PARTS * cells:
            raise BadSetting(
                f"{name} of a pointer path must be between 0 and {PARTS * cells - 1}, "
                f"got {least if least < 0 else most}"
            )
    return packed


def unpack(path: bytes) -> list[int]:
    """Return a packed path as numbers."""
    return array("i", path).tolist()


def points(path: bytes) -> npt.NDArray[np.int64]:
    """Return the points of a packed path, each as milliseconds before the action, x and y."""
    table = np.frombuffer(path, np.int32).reshape(-1, 3).astype(np.int64)
    table[1:, 0] *= -1
    found: npt.NDArray[np.int64] = np.cumsum(table, axis=0)
    return found
