"""The board of hexagons."""

from __future__ import annotations

from math import sqrt

from sapper.topology.base import Tile
from sapper.topology.tiling import Tiling
from sapper.translation import t

__all__ = ["Hexagon"]

# A hexagon with a corner at the bottom, whose vertical sides are one unit apart.
_SIDE = 1 / sqrt(3)
_OUTLINE = (
    (0.5, 0),
    (1, _SIDE / 2),
    (1, _SIDE * 3 / 2),
    (0.5, _SIDE * 2),
    (0, _SIDE * 3 / 2),
    (0, _SIDE / 2),
)
_SIDES = ((0, -1), (0, 1))

_EVEN = Tile(((-1, -1), (-1, 0), *_SIDES, (1, -1), (1, 0)), _OUTLINE, (0.5, _SIDE))
_ODD = Tile(
    ((-1, 0), (-1, 1), *_SIDES, (1, 0), (1, 1)),
    tuple((x + 0.5, y) for x, y in _OUTLINE),
    (1, _SIDE),
)


class Hexagon(Tiling):
    """Hexagons in rows, with every other row shifted right by half a cell; at most six neighbours.

    >>> Hexagon(3, 3).neighbours((1, 1))
    (Cell(row=0, col=1), Cell(row=0, col=2), Cell(row=1, col=0), Cell(row=1, col=2), \
Cell(row=2, col=1), Cell(row=2, col=2))
    """

    name = "hexagon"
    label = t("Hexagons")
    summary = t("Hexagons in shifted rows, with up to six neighbours.")
    pattern = ((_EVEN,), (_ODD,))
    pitch = (1.0, _SIDE * 3 / 2)
    checkered = False
