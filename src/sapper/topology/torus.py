"""The board without edges."""

from __future__ import annotations

from sapper.topology.rectangle import SQUARE
from sapper.topology.tiling import Tiling
from sapper.translation import t

__all__ = ["Torus"]


class Torus(Tiling):
    """A rectangle whose opposite sides touch, without edges or corners.

    On boards with fewer than three rows or columns, a cell would touch itself, or another cell
    twice; each neighbour counts once and the cell itself never.

    >>> len(Torus(9, 9).neighbours((0, 0)))
    8
    """

    name = "torus"
    label = t("Torus")
    summary = t("A rectangle whose opposite sides touch: no edges or corners.")
    pattern = ((SQUARE,),)
    wraps = (True, True)
