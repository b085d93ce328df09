"""The numbers of a position as constraints on the unopened cells around them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from sapper.errors import InconsistentPosition
from sapper.position import EXPLODED, FLAGGED, NUMBERS, UNOPENED, Position
from sapper.topology import Cell

__all__ = ["COVERED", "Witness", "Witnesses"]

COVERED: Final = (ord(UNOPENED), ord(FLAGGED))
"""The characters of unopened cells."""

_MINE, _ZERO = ord(EXPLODED), NUMBERS[0]


@dataclass(frozen=True, slots=True)
class Witness:
    """A number, and its constraint on unopened cells.

    Attributes:
        cell: The cell of the number.
        number: The number.
        cells: The unopened cells around it, by index.
        mines: The mines among them: the number minus the opened mines.
    """

    cell: Cell
    number: int
    cells: frozenset[int]
    mines: int

    def least_in(self, other: Witness) -> int:
        """Return the minimum number of its mines in cells that another number also touches."""
        return self.mines - len(self.cells - other.cells)

    def most_in(self, other: Witness) -> int:
        """Return the maximum number of its mines in cells that another number also touches."""
        return min(self.mines, len(self.cells & other.cells))


class Witnesses:
    """The witnesses of a position, created on access.

    Accessing an impossible number raises `InconsistentPosition`.

    Args:
        position: The position.
        only: The cells of the numbers to use, by index (default: all numbers).
    """

    def __init__(self, position: Position, only: Container[int] | None = None) -> None:
        self._cells, self._shape, self._only = position.cells, position.topology, only
        self._known: dict[int, Witness | None] = {}

    def around(self, cell: int) -> Iterator[tuple[int, Witness]]:
        """Return the numbers that touch a cell, with their indices."""
        for near in self._shape.graph.neighbours(cell):
            witness = self.at(near)
            if witness is not None:
                yield near, witness

    def near(self, witnesses: Iterable[Witness]) -> dict[int, Witness]:
        """Return the numbers that share an unopened cell with one of these, in row order."""
        shared = sorted({cell for witness in witnesses for cell in witness.cells})
        return dict(sorted(pair for cell in shared for pair in self.around(cell)))

    def all(self) -> dict[int, Witness]:
        """Return every number with an unopened cell around it, in row order."""
        found = ((cell, self.at(cell)) for cell in range(len(self._cells)))
        return {cell: witness for cell, witness in found if witness is not None}

    def at(self, cell: int) -> Witness | None:
        """Return the number of a cell; None without an unopened cell around it."""
        if cell not in self._known:
            self._known[cell] = self._made(cell)
        return self._known[cell]

    def _made(self, cell: int) -> Witness | None:
        char = self._cells[cell]
        if char not in NUMBERS or (self._only is not None and cell not in self._only):
            return None
        around = self._shape.graph.neighbours(cell)
        covered = frozenset(near for near in around if self._cells[near] in COVERED)
        opened = sum(self._cells[near] == _MINE for near in around)
        number = char - _ZERO
        if not covered:
            return None
        if not 0 <= number - opened <= len(covered):
            where = self._shape.cell(cell)
            raise InconsistentPosition(
                f"the {number} at {where} has {opened} opened mines and {len(covered)} unopened "
                "cells around it",
                "number",
                (where,),
            )
        return Witness(self._shape.cell(cell), number, covered, number - opened)
