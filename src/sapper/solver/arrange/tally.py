"""Work statistics of a method."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Tally"]


class Tally(NamedTuple):
    """The areas searched, and what was tried in them."""

    areas: int = 0
    combinations: int = 0
