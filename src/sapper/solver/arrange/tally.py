"""Work statistics of a method."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Tally"]


class Tally(NamedTuple):
    """The number of areas searched and of combinations tried."""

    areas: int = 0
    combinations: int = 0
