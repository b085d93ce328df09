"""Errors of the core, with cells in place of its indices."""

from __future__ import annotations

from typing import cast

from sapper.errors import InconsistentPosition
from sapper.topology import Topology

__all__ = ["located"]


def located(error: InconsistentPosition, shape: Topology) -> InconsistentPosition:
    """Return the same error with cells in place of indices."""
    # The core knows no rows and columns: it reports indices.
    cells = tuple(shape.cell(index) for index in cast(list[int], error.cells))
    where = ", ".join(map(str, cells[:4])) + (", …" if len(cells) > 4 else "")
    message = f"{error}: {where}" if cells else str(error)
    return InconsistentPosition(message, error.cause, cells)
