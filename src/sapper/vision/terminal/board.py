"""Find and read the board on a terminal screen."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np

from sapper.position import UNOPENED
from sapper.topology import Cell
from sapper.vision.errors import NoBoard
from sapper.vision.geometry import Geometry
from sapper.vision.reading import Reading
from sapper.vision.terminal.program import TextProgram

__all__ = ["TextGeometry", "cursor_cell", "find_board", "is_whole", "read_screen"]

_LEAST = 3
"""Minimum number of rows, and of cells per row."""


@dataclass(frozen=True, slots=True)
class TextGeometry(Geometry):
    """The location of a board's cells on a terminal screen.

    `x` and `y` are the column and line of the first cell, and `pitch` is the distance between
    columns, all in characters.

    Attributes:
        down: Distance between rows, in lines.
    """

    down: int = 1

    def place(self, row: int, col: int) -> tuple[int, int]:
        """Return the line and column of a cell's character."""
        return int(self.y) + row * self.down, int(self.x) + col * int(self.pitch)

    @property
    def reach(self) -> int:
        """Number of characters to the left and right that belong to a cell."""
        return int(self.pitch) // 2


def find_board(lines: Sequence[str], program: TextProgram) -> TextGeometry:
    """Find a board without opened cells.

    It is the largest block of evenly spaced characters for unopened cells that has at least three
    evenly spaced lines.

    Raises:
        NoBoard: If there is no board, or it is only partly visible.
    """
    fresh = {char for char, look in program.looks.items() if look == UNOPENED}
    alike: defaultdict[tuple[int, int, int], list[int]] = defaultdict(list)
    for y, line in enumerate(lines):
        for run in _runs([x for x, char in enumerate(line) if char in fresh]):
            alike[run].append(y)
    blocks = [
        TextGeometry(x, y, across, rows, columns, down)
        for (x, across, columns), ys in alike.items()
        for y, down, rows in _runs(ys)
    ]
    if not blocks:
        raise NoBoard(f"no fresh board of {program.name} on the screen")
    board = max(blocks, key=lambda at: at.rows * at.columns)
    if not is_whole(lines, program, board):
        high, wide = len(lines), len(lines[0])
        raise NoBoard(
            f"the board of {program.name} does not fit on a terminal of {high} lines "
            f"and {wide} columns"
        )
    return board


def _runs(places: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Return evenly spaced runs of at least three places: first place, distance and count."""
    at = 0
    for step, same in groupby(b - a for a, b in pairwise(places)):
        gaps = len(list(same))
        if gaps + 1 >= _LEAST:
            yield places[at], step, gaps + 1
        at += gaps


def is_whole(lines: Sequence[str], program: TextProgram, at: TextGeometry) -> bool:
    """Return whether the frame around the board is complete."""
    if not program.frame:
        return True
    # The frame may be next to the full width of the cells or next to their characters.
    return any(_is_framed(lines, program, at, gap) for gap in {at.reach + 1, 1})


def _is_framed(lines: Sequence[str], program: TextProgram, at: TextGeometry, gap: int) -> bool:
    """Return whether the frame is complete at this distance to the left and right of the cells."""
    top, left = at.place(0, 0)
    bottom, right = at.place(at.rows - 1, at.columns - 1)
    left, right = left - gap, right + gap
    top, bottom = top - at.down // 2 - 1, bottom + at.down // 2 + 1
    if min(top, left) < 0 or bottom >= len(lines) or right >= len(lines[0]):
        return False
    sides = [lines[y][x] for y in range(top, bottom + 1) for x in (left, right)]
    edges = lines[top][left : right + 1] + lines[bottom][left : right + 1]
    return set(edges).union(sides) <= set(program.frame)


def read_screen(lines: Sequence[str], program: TextProgram, at: TextGeometry) -> Reading:
    """Read the board, each cell with confidence 1 or 0.

    The confidence is 0 if the character is unknown, if there is more next to it than the cursor's
    mark, or if the frame of the board is incomplete.
    """
    whole = is_whole(lines, program, at)
    idle = {" ", *program.marks}
    looks, sure = [], []
    for row in range(at.rows):
        for col in range(at.columns):
            y, x = at.place(row, col)
            look = program.looks.get(lines[y][x])
            before, after = lines[y][max(0, x - at.reach) : x], lines[y][x + 1 : x + 1 + at.reach]
            # The frame has been checked already.
            before = before.strip(program.frame) if col == 0 else before
            after = after.strip(program.frame) if col == at.columns - 1 else after
            sure.append(whole and look is not None and set(before + after) <= idle)
            looks.append(look or UNOPENED)
    confidence = np.array(sure, dtype=np.float64).reshape(at.rows, at.columns)
    return Reading("".join(looks).encode(), confidence, at, program.name, _total(lines, program))


def _total(lines: Sequence[str], program: TextProgram) -> int | None:
    if program.total is None:
        return None
    match = re.search(program.total, "\n".join(lines))
    return int(match[1]) if match else None


def cursor_cell(
    lines: Sequence[str],
    cursor: tuple[int, int],
    program: TextProgram,
    at: TextGeometry,
) -> Cell | None:
    """Return the cell under the cursor; None if no cell or several cells are marked."""
    places = {
        at.place(row, col): Cell(row, col) for row in range(at.rows) for col in range(at.columns)
    }
    if not program.cursor:
        return places.get(cursor)
    marked = [
        cell
        for (y, x), cell in places.items()
        if lines[y][x - 1 : x] + lines[y][x + 1 : x + 2] == program.cursor
    ]
    return marked[0] if len(marked) == 1 else None
