"""Cell names for players: rows and columns from 1."""

from __future__ import annotations

from sapper.topology.base import Cell
from sapper.translation import Text, t

__all__ = ["cell_name"]


def cell_name(cell: Cell) -> Text:
    """Return the name of a cell for players.

    >>> cell_name(Cell(0, 3))
    'row 1, column 4'
    """
    return t("row {row}, column {column}", row=cell.row + 1, column=cell.col + 1)
