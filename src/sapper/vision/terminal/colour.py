"""Find the cell under a cursor that is shown by a colour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sapper.topology import Cell
from sapper.vision.terminal.board import TextGeometry

__all__ = ["coloured_cell", "cursor_colour"]


def cursor_colour(backgrounds: Sequence[Sequence[str]], at: TextGeometry) -> str | None:
    """Return the background that only one cell of a fresh board has; None if there is none.

    Args:
        backgrounds: The background of each character, by line.
        at: Where the board is, none of whose cells is opened.
    """
    count = Counter(_cells(backgrounds, at).values())
    alone = [colour for colour, cells in count.items() if cells == 1]
    return alone[0] if len(alone) == 1 and len(count) == 2 else None


def coloured_cell(
    backgrounds: Sequence[Sequence[str]], at: TextGeometry, colour: str
) -> Cell | None:
    """Return the cell with this background; None if there is none, or several have it."""
    found = [cell for cell, shown in _cells(backgrounds, at).items() if shown == colour]
    return found[0] if len(found) == 1 else None


def _cells(backgrounds: Sequence[Sequence[str]], at: TextGeometry) -> dict[Cell, str]:
    cells = (Cell(row, col) for row in range(at.rows) for col in range(at.columns))
    places = {cell: at.place(*cell) for cell in cells}
    return {cell: backgrounds[y][x] for cell, (y, x) in places.items()}
