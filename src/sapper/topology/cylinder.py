"""The board whose left side touches its right side."""

from __future__ import annotations

from sapper.topology.rectangle import SQUARE
from sapper.topology.tiling import Tiling
from sapper.translation import t

__all__ = ["Cylinder"]


class Cylinder(Tiling):
    """A rectangle whose left and right sides touch; the top and the bottom are edges.

    >>> len(Cylinder(9, 9).neighbours((0, 0)))
    5
    """

    name = "cylinder"
    label = t("Cylinder")
    summary = t("A rectangle whose left and right sides touch.")
    pattern = ((SQUARE,),)
    wraps = (False, True)
