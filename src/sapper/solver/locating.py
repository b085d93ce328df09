"""Add details to errors about a position: cells and totals."""

from __future__ import annotations

from typing import cast

from sapper._util.shortening import joined
from sapper.errors import InconsistentPosition
from sapper.topology import Topology

__all__ = ["allowed_mines", "located"]


def allowed_mines(least: int, most: int) -> str:
    """Return the mine totals that fit, in the core's words.

    >>> allowed_mines(4, 17), allowed_mines(4, 4), allowed_mines(4, 3)
    ('4 to 17', 'exactly 4', 'none')
    """
    if least == most:
        return f"exactly {least}"
    return f"{least} to {most}" if least < most else "none"


def located(error: InconsistentPosition, shape: Topology) -> InconsistentPosition:
    """Return the same error with cells in place of indices."""
    # The core reports cells by index.
    cells = tuple(shape.cell(index) for index in cast(list[int], error.cells))
    message = f"{error}: {joined(cells)}" if cells else str(error)
    return InconsistentPosition(message, error.cause, cells)
