"""Exact advice for Flags: the chance of a mine in each cell, the best cell and the best bomb."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sapper.community.flags_game import bombed
from sapper.position import Position
from sapper.solver import analyze
from sapper.topology import Cell

__all__ = ["FlagsAdvice", "advise_flags"]


@dataclass(frozen=True, slots=True, eq=False)
class FlagsAdvice:
    """The chances of a position in Flags, for the side to move.

    Attributes:
        position: The position.
        p_mine: The chance of a mine in each unopened cell, from 0 to 1; nan if open.
        best: The likeliest mine; the first in row order among equals.
        proved: Number of proved mines, which the side to move can find one by one.
    """

    position: Position
    p_mine: npt.NDArray[np.float64]
    best: Cell
    proved: int

    @property
    def chance(self) -> float:
        """The chance of a mine on the best cell."""
        return float(self.p_mine[self.best])

    def expected(self, cell: tuple[int, int]) -> float:
        """Return the mean number of mines that a bomb on a cell finds."""
        shape = self.position.topology
        return float(np.nansum(self.p_mine.ravel()[bombed(shape, shape.index(cell))]))

    def best_bomb(self) -> Cell:
        """Return the cell where a bomb finds the most mines on average."""
        shape = self.position.topology
        return max(map(shape.cell, range(shape.size)), key=self.expected)


def advise_flags(position: Position) -> FlagsAdvice:
    r"""Return the advice for a position in which some cell is unopened.

    Every arrangement of mines that fits is equally likely; mines already found are known.

    >>> advice = advise_flags(Position.parse("*.\n2.", mines=2))
    >>> advice.best, advice.chance
    (Cell(row=0, col=1), 0.5)

    Raises:
        InconsistentPosition: If no arrangement fits.
    """
    found = analyze(position)
    best = position.topology.cell(int(np.nanargmax(found.p_mine)))
    return FlagsAdvice(position, found.p_mine, best, len(found.mined))
