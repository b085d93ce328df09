"""Name cells as the page does: rows and columns count from 1."""

from __future__ import annotations

import re
from typing import Final

from sapper.topology import Cell

__all__ = ["cell_name", "with_cell_names"]

# How a cell is written in the messages of the library, which counts from 0.
_WRITTEN: Final = re.compile(r"\((-?\d+), (-?\d+)\)")


def cell_name(cell: Cell) -> str:
    """Return the name of a cell as the page shows it."""
    return f"row {cell.row + 1}, column {cell.col + 1}"


def with_cell_names(text: str) -> str:
    """Return a message of the library with its cells named as the page does.

    >>> with_cell_names("cannot open (0, 3): the game is won")
    'cannot open row 1, column 4: the game is won'
    """
    return _WRITTEN.sub(lambda found: cell_name(Cell(int(found[1]), int(found[2]))), text)
