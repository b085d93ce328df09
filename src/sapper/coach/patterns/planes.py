"""A position as sets of cells in large integers, one bit per cell, and single-number logic on it.

A set of cells moves by a row or a column with one shift, so that logic runs on all cells at the
same time. `MARGIN` cells outside the board surround it: its rows are that far apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from sapper.errors import InconsistentPosition
from sapper.position import NUMBERS, Position
from sapper.topology import Cell, Rectangle, topology

__all__ = ["MARGIN", "Frame", "Planes", "frame"]

MARGIN: Final = 7
"""The cells around the board: a picture reaches this far from each of its cells."""

_REACH: Final = 15
"""The rows and columns in each direction of a part of a board."""

Slices = tuple[int, int, int, int]
"""A number from 0 to 15 for each cell: the set of cells for each binary digit, lowest first."""

_BYTES: Final = bytes(range(256))


def _table(wanted: bytes) -> bytes:
    return bytes(ord("1") if char in wanted else ord("0") for char in _BYTES)


_UNKNOWN: Final = _table(b".F")
_MINES: Final = _table(b"*")
_SHOWN: Final = _table(NUMBERS[:9])
_DIGITS: Final = tuple(
    _table(bytes(char for char in NUMBERS[:9] if (char - NUMBERS[0]) >> digit & 1))
    for digit in range(4)
)


@dataclass(frozen=True, slots=True)
class Frame:
    """The positions of the cells of a board, or of a part of it, in the integers.

    Attributes:
        width: Number of columns.
        height: Number of rows.
        stride: The distance of two rows in bits.
        board: All cells of the part.
        every: These and the cells around them.
        top: The first row of the part.
        left: The first column of the part.
    """

    width: int
    height: int
    stride: int
    board: int
    every: int
    top: int = 0
    left: int = 0

    def bit(self, row: int, col: int) -> int:
        """Return the number of the bit of a cell."""
        return (row - self.top + MARGIN) * self.stride + col - self.left

    def cell(self, bit: int) -> Cell:
        """Return the cell of a bit."""
        row, col = divmod(bit, self.stride)
        return Cell(row - MARGIN + self.top, col + self.left)

    def cells(self, plane: int) -> list[Cell]:
        """Return a set of cells on the board in row order."""
        found, plane = [], plane & self.board
        while plane:
            low = plane & -plane
            found.append(self.cell(low.bit_length() - 1))
            plane ^= low
        return found

    def plane(self, cells: bytes, table: bytes) -> int:
        """Return the cells whose byte has a ``1`` in a translation table."""
        width, gap = self.width, b"0" * MARGIN
        text = cells.translate(table)
        rows = [text[at : at + width] + gap for at in range(0, len(text), width)]
        # The first digit of an integer is its last bit.
        return int(b"".join(rows)[::-1], 2) << MARGIN * self.stride


@lru_cache(maxsize=64)
def frame(width: int, height: int) -> Frame:
    """Return the frame of a board of this size."""
    stride = width + MARGIN
    row = (1 << width) - 1
    board = sum(row << (r + MARGIN) * stride for r in range(height))
    return Frame(width, height, stride, board, (1 << (height + 2 * MARGIN) * stride) - 1)


class Planes:
    """A position reduced by what single numbers prove.

    Attributes:
        frame: The positions of the cells.
        unknown: The unopened cells that are not settled.
        mines: The known mines.
        left: The mines that each number still needs, as `Slices`.
        remaining: The number of unknown mines; None without a mine total.

    Args:
        position: A position on a rectangle.
        near: Read only the part of the board around this cell: numbers at its sides are ignored,
            and so is the mine total.

    Raises:
        InconsistentPosition: If a number is impossible.
    """

    def __init__(self, position: Position, near: Cell | None = None) -> None:
        shape, cells, total = position.topology, position.cells, position.mines
        assert isinstance(shape, Rectangle)
        self.frame, inner = frame(shape.width, shape.height), -1
        if near is not None:
            position, self.frame, inner = _part(position, near)
            cells, total = position.cells, None
        plane = self.frame.plane
        self._total = total
        self.shown = plane(cells, _SHOWN) & inner
        self.unknown = plane(cells, _UNKNOWN)
        self.mines = plane(cells, _MINES)
        d0, d1, d2, d3 = self.digits_of(position)
        self.digits: Slices = d0 & inner, d1 & inner, d2 & inner, d3 & inner
        self.left = self.digits
        self.settle()

    @staticmethod
    def digits_of(position: Position) -> Slices:
        """Return the numbers that the cells of a position on a rectangle show."""
        plane = frame(position.width, position.height).plane
        d0, d1, d2, d3 = (plane(position.cells, table) for table in _DIGITS)
        return d0, d1, d2, d3

    @property
    def remaining(self) -> int | None:
        """The number of unknown mines; None without a mine total."""
        return None if self._total is None else self._total - self.mines.bit_count()

    def settle(self, safe: int = 0, mined: int = 0) -> None:
        """Settle these cells, and then all cells that single numbers prove.

        Raises:
            InconsistentPosition: If a number is impossible.
        """
        while True:
            self.unknown &= ~(safe | mined)
            self.mines |= mined
            safe, mined = self.step()
            if not safe | mined:
                return

    def step(self) -> tuple[int, int]:
        """Update `left`, and return the cells that single numbers prove safe and mined.

        Raises:
            InconsistentPosition: If a number is impossible.
        """
        shown = self.shown
        left, short = _minus(self.digits, self.around(self.mines))
        room, over = _minus(self.around(self.unknown), left)
        if wrong := (short | over) & shown:
            first = self.frame.cells(wrong)[0]
            raise InconsistentPosition(
                f"the number at {first} is impossible",
                "number",
                (first,),
            )
        l0, l1, l2, l3 = left
        self.left = (l0 & shown, l1 & shown, l2 & shown, l3 & shown)
        done = shown & ~(l0 | l1 | l2 | l3)
        r0, r1, r2, r3 = room
        full = shown & ~(r0 | r1 | r2 | r3) & ~done
        return self.near(done) & self.unknown, self.near(full) & self.unknown

    def needs(self, number: int) -> int:
        """Return the numbers that still need this number of mines, from 1 to 8."""
        found = self.shown
        for digit, plane in enumerate(self.left):
            found &= plane if number >> digit & 1 else ~plane
        return found

    def near(self, plane: int) -> int:
        """Return the cells of a set and all their neighbours."""
        plane |= plane << 1 | plane >> 1
        stride = self.frame.stride
        return plane | plane << stride | plane >> stride

    def around(self, plane: int) -> Slices:
        """Return the number of neighbours of each cell that are in a set."""
        stride = self.frame.stride
        left, right = plane << 1, plane >> 1
        # Cells to both sides, and all three in a row.
        s0, s1 = left ^ right, left & right
        t0, t1 = s0 ^ plane, s1 | s0 & plane
        a0, a1, b0, b1 = t0 << stride, t1 << stride, t0 >> stride, t1 >> stride
        # Add the rows above and below, then the cells to both sides.
        c0, carry = a0 ^ b0, a0 & b0
        c1 = a1 ^ b1 ^ carry
        c2 = a1 & b1 | carry & (a1 ^ b1)
        d0, carry = c0 ^ s0, c0 & s0
        d1 = c1 ^ s1 ^ carry
        carry = c1 & s1 | carry & (c1 ^ s1)
        return d0, d1, c2 ^ carry, c2 & carry


def _part(position: Position, cell: Cell) -> tuple[Position, Frame, int]:
    """Return the part of a board around a cell, its frame, and the cells with true neighbours.

    The numbers of other cells of the part may touch cells outside it.
    """
    height, width = position.height, position.width
    top, left = max(0, cell.row - _REACH), max(0, cell.col - _REACH)
    bottom, right = min(height, cell.row + _REACH + 1), min(width, cell.col + _REACH + 1)
    rows = (position.cells[row * width + left : row * width + right] for row in range(top, bottom))
    shape = topology("rectangle", right - left, bottom - top)
    part = Position.trusted(shape, b"".join(rows), None, running=False)
    whole = frame(part.width, part.height)
    sides = (top > 0, left > 0, bottom < height, right < width)
    inner = sum(
        1 << whole.bit(row, col)
        for row in range(sides[0], part.height - sides[2])
        for col in range(sides[1], part.width - sides[3])
    )
    return part, replace(whole, top=top, left=left), inner


def _minus(first: Slices, second: Slices) -> tuple[Slices, int]:
    """Return the differences, and the cells in which they are negative."""
    a0, a1, a2, a3 = first
    b0, b1, b2, b3 = second
    borrow = ~a0 & b0
    d1 = a1 ^ b1 ^ borrow
    borrow = ~a1 & (b1 | borrow) | b1 & borrow
    d2 = a2 ^ b2 ^ borrow
    borrow = ~a2 & (b2 | borrow) | b2 & borrow
    d3 = a3 ^ b3 ^ borrow
    return (a0 ^ b0, d1, d2, d3), ~a3 & (b3 | borrow) | b3 & borrow
