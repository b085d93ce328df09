"""Work statistics of a method."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["WorkTally"]


class WorkTally(NamedTuple):
    """The number of areas searched and of combinations tried."""

    areas: int = 0
    combinations: int = 0
