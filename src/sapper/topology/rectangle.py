"""The classic board."""

from __future__ import annotations

from functools import cached_property

import sapper._core as _core
from sapper.topology.base import Tile
from sapper.topology.tiling import Tiling
from sapper.translation import t

__all__ = ["SQUARE", "Rectangle"]

SQUARE = Tile(tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)))
"""A square that touches eight others."""


class Rectangle(Tiling):
    """The classic board: cells touch at sides and corners, with at most eight neighbours.

    >>> len(Rectangle(9, 9).neighbours((0, 0)))
    3
    """

    name = "rectangle"
    label = t("Rectangle")
    summary = t("The classic board: squares with up to eight neighbours.")
    pattern = ((SQUARE,),)

    @cached_property
    def graph(self) -> _core.Graph:
        """The native graph for the engine, created once, without checks."""
        return _core.Graph.rectangle(self.width, self.height)
