"""Explain proved cells with patterns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sapper.coach.patterns.occurrence import Found, Occurrence
from sapper.coach.patterns.planes import Planes
from sapper.coach.patterns.recognition import find
from sapper.position import Position, check_position
from sapper.topology import Cell, Rectangle
from sapper.translation import Text, t

__all__ = ["Explanation", "explanations", "pattern_for"]


_LARGE: Final = 10_000
"""On boards with more cells, a cell is explained from the cells around it."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The named reason why a cell is safe or mined.

    Attributes:
        cell: The cell.
        mined: Whether it is mined.
        occurrence: The pattern that proves it.
        earlier: Nearby patterns whose cells must be known first.
        then_one_number: Whether the pattern does not prove the cell itself, but one number does
            after it.
    """

    cell: Cell
    mined: bool
    occurrence: Occurrence
    earlier: tuple[Occurrence, ...] = ()
    then_one_number: bool = False

    @property
    def title(self) -> Text:
        """The explanation in words."""
        if self.then_one_number:
            return t("{pattern}, then one number", pattern=self.occurrence.title)
        return self.occurrence.title

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, with cells as ``[row, col]``."""
        return {
            "cell": list(self.cell),
            "mined": self.mined,
            "title": self.title,
            "occurrence": self.occurrence.to_json(),
            "earlier": [occurrence.to_json() for occurrence in self.earlier],
            "then_one_number": self.then_one_number,
        }


def pattern_for(position: Position, cell: tuple[int, int]) -> Explanation | None:
    r"""Return the pattern that explains why a cell is safe or mined.

    Patterns that need no earlier ones are preferred, then easier ones, then those with more
    numbers: 1-2-1 rather than 1-2.

    >>> wall = Position.parse("....\n1111\n0000")
    >>> print(pattern_for(wall, (0, 2)).title)
    1-1 at the wall
    >>> print(pattern_for(wall, (0, 3)).title)
    1-1 at the wall, then one number

    Args:
        position: The position; flags are ignored. On boards with more than 10,000 cells, only the
            cells within 15 rows and columns are used, without the mine total.
        cell: The cell.

    Returns:
        None if no pattern proves it, or a single number does.

    Raises:
        InconsistentPosition: If a number is impossible.
        BadCell: If the cell is not on the board.
    """
    check_position(position)
    shape = position.topology
    place = shape.cell(shape.index(cell))
    if type(shape) is not Rectangle:
        return None
    planes = Planes(position, place if shape.size > _LARGE else None)
    if not planes.unknown >> planes.frame.bit(*place) & 1:
        # Single numbers settle the cell, so the patterns need not be read.
        return None
    return _Rounds(position, planes).explain(place).get(place)


def explanations(position: Position) -> dict[Cell, Explanation]:
    """Return the pattern for every cell that patterns prove, one after another.

    Args:
        position: The position; flags are ignored.

    Raises:
        InconsistentPosition: If a number is impossible.
    """
    check_position(position)
    if type(position.topology) is not Rectangle:
        return {}
    return _Rounds(position, Planes(position)).explain()


class _Rounds:
    """Uses all patterns of a position, then those that appear when their cells are known."""

    def __init__(self, position: Position, planes: Planes) -> None:
        self._position, self._planes = position, planes
        self._made: dict[Cell, Explanation] = {}

    def explain(self, until: Cell | None = None) -> dict[Cell, Explanation]:
        planes, cells = self._planes, self._planes.frame.cells
        while until is None or until not in self._made:
            best: dict[int, Found] = {}
            for found in find(planes):
                if found.template.pattern.proves:
                    for bit in _single_bits(found.safe | found.mined):
                        if bit not in best or found.template.rank < best[bit].template.rank:
                            best[bit] = found
            if not best:
                break
            shown: dict[int, Occurrence] = {}
            safe = mined = 0
            for bit, found in sorted(best.items()):
                if id(found) not in shown:
                    shown[id(found)] = Occurrence(found, planes, self._position)
                occurrence, is_mined = shown[id(found)], bool(found.mined & bit)
                (cell,) = cells(bit)
                self._add(cell, is_mined, occurrence)
                safe, mined = safe | bit & ~found.mined, mined | bit & found.mined
            self._settle(safe, mined)
        return self._made

    def _add(self, cell: Cell, mined: bool, occurrence: Occurrence) -> None:
        near = {
            other: None
            for number in occurrence.numbers
            for known in self._position.topology.neighbours(number)
            if known in self._made
            for other in (*self._made[known].earlier, self._made[known].occurrence)
            if other is not occurrence
        }
        self._made[cell] = Explanation(cell, mined, occurrence, tuple(near))

    def _settle(self, safe: int, mined: int) -> None:
        """Settle the cells proved by patterns, then those that single numbers prove after them."""
        planes = self._planes
        unknown, mines = planes.unknown & ~(safe | mined), planes.mines | mined
        planes.settle(safe, mined)
        for cell in planes.frame.cells(unknown & ~planes.unknown):
            bit = 1 << planes.frame.bit(*cell)
            near = self._nearest(cell)
            if near is not None:
                is_mined = bool(planes.mines & ~mines & bit)
                self._made[cell] = Explanation(
                    cell, is_mined, near.occurrence, near.earlier, then_one_number=True
                )

    def _nearest(self, cell: Cell) -> Explanation | None:
        """Return the explanation of the nearest explained cell."""
        return min(
            self._made.values(),
            key=lambda made: max(abs(made.cell.row - cell.row), abs(made.cell.col - cell.col)),
            default=None,
        )


def _single_bits(plane: int) -> list[int]:
    found = []
    while plane:
        low = plane & -plane
        found.append(low)
        plane ^= low
    return found
