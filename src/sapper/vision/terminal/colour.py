"""Find the cell under a cursor that is shown as a colour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sapper.topology import Cell
from sapper.vision.terminal.board import TextGeometry

__all__ = ["coloured_cell", "cursor_colour"]


def cursor_colour(backgrounds: Sequence[Sequence[str]], at: TextGeometry) -> str | None:
    """Return the background that exactly one cell of a fresh board has, or None.

    Args:
        backgrounds: The background of each character, by line.
        at: Location of the board, whose cells are all unopened.
    """
    count = Counter(_cells(backgrounds, at).values())
    alone = [colour for colour, cells in count.items() if cells == 1]
    return alone[0] if len(alone) == 1 and len(count) == 2 else None


def coloured_cell(
    backgrounds: Sequence[Sequence[str]], at: TextGeometry, colour: str
) -> Cell | None:
    """Return the cell with this background; None if no cell or several cells have it."""
    cells = [cell for cell, background in _cells(backgrounds, at).items() if background == colour]
    return cells[0] if len(cells) == 1 else None


def _cells(backgrounds: Sequence[Sequence[str]], at: TextGeometry) -> dict[Cell, str]:
    cells = (Cell(row, col) for row in range(at.rows) for col in range(at.columns))
    places = {cell: at.place(*cell) for cell in cells}
    return {cell: backgrounds[y][x] for cell, (y, x) in places.items()}
