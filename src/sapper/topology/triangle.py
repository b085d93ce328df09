"""The board of triangles."""

from __future__ import annotations

from math import sqrt

from sapper.topology.base import Tile
from sapper.topology.tiling import Tiling
from sapper.translation import t

__all__ = ["Triangle"]

# Half the side and the full height of a triangle with the same area as a square cell.
_HALF = 1 / sqrt(sqrt(3))
_HEIGHT = sqrt(sqrt(3))

_SIDES = ((0, -2), (0, -1), (0, 1), (0, 2))


def _row(down: int, reach: int) -> tuple[tuple[int, int], ...]:
    return tuple((down, right) for right in range(-reach, reach + 1))


_UP = Tile(
    (*_row(-1, 1), *_SIDES, *_row(1, 2)),
    ((_HALF, 0), (2 * _HALF, _HEIGHT), (0, _HEIGHT)),
    (_HALF, _HEIGHT * 2 / 3),
    _HEIGHT / 3,
    "△",
)
_DOWN = Tile(
    (*_row(-1, 2), *_SIDES, *_row(1, 1)),
    ((0, 0), (2 * _HALF, 0), (_HALF, _HEIGHT)),
    (_HALF, _HEIGHT / 3),
    _HEIGHT / 3,
    "▽",
)


class Triangle(Tiling):
    """Triangles that alternately point up and down, with at most twelve neighbours.

    >>> len(Triangle(9, 9).neighbours((4, 4)))
    12
    """

    name = "triangle"
    label = t("Triangles")
    summary = t("Triangles pointing up and down alternately, with up to twelve neighbours.")
    pattern = ((_UP, _DOWN), (_DOWN, _UP))
    pitch = (_HALF, _HEIGHT)
