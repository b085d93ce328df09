"""Shapes made of a few kinds of cells in a repeating pattern."""

from __future__ import annotations

from collections import deque
from functools import cached_property
from typing import Any, ClassVar, Final
from weakref import ref

import numpy as np
import numpy.typing as npt

from sapper.errors import BadSetting
from sapper.topology.base import Cell, Point, Tile, Topology

__all__ = ["Tiling"]

_KEPT: Final = 16
"""The number of boards whose neighbour lists are cached, the most recently used ones."""
_MOST_KEPT: Final = 100_000
"""The largest such board in cells: a cell's neighbours take about 120 bytes."""


class Tiling(Topology):
    """A shape whose cells follow a pattern of tiles, as on a tiled floor.

    A subclass only has data: a name, the pattern, and which sides touch. Neighbours, pictures, and
    the data for the web app are derived from it.
    """

    pattern: ClassVar[tuple[tuple[Tile, ...], ...]]
    """The tiles of the first rows and columns; they repeat over the board."""
    pitch: ClassVar[Point] = (1.0, 1.0)
    """The offsets to the positions of the next column and the next row."""
    _known: list[tuple[Cell, ...] | None] | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.most_neighbours = max(len(tile.steps) for line in cls.pattern for tile in line)

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        for size, period, wraps, what in (
            (height, len(self.pattern), self.wraps[0], "rows"),
            (width, len(self.pattern[0]), self.wraps[1], "columns"),
        ):
            if wraps and size % period:
                raise BadSetting(f"a {self.name} needs a multiple of {period} {what}, got {size}")

    def tile(self, row: int, col: int) -> Tile:
        """Return the tile of a cell."""
        line = self.pattern[row % len(self.pattern)]
        return line[col % len(line)]

    def place(self, row: int, col: int) -> Point:
        """Return the origin of a cell's outline."""
        return (col * self.pitch[0], row * self.pitch[1])

    def indent(self, row: int) -> float:
        """Return the shift of a row to the right in text drawings, in columns."""
        return min(x for x, _ in self.tile(row, 0).outline) / self.pitch[0]

    @cached_property
    def extent(self) -> Point:
        """Width and height of the drawing."""
        # The outermost corner is a corner of one of the last cells of some kind.
        ends = [
            (self.place(row, col)[0] + x, self.place(row, col)[1] + y)
            for row in range(max(0, self.height - len(self.pattern)), self.height)
            for col in range(max(0, self.width - len(self.pattern[0])), self.width)
            for x, y in self.tile(row, col).outline
        ]
        return (max(x for x, _ in ends), max(y for _, y in ends))

    def neighbours(self, cell: tuple[int, int]) -> tuple[Cell, ...]:
        """Return the cells that touch ``cell``, in the order of the tile's steps.

        Even if a narrow board wraps onto itself, each neighbour counts once and the cell itself
        is never counted. Cached for boards of up to 100,000 cells.
        """
        index = self.index(cell)
        known = self._known
        if known is None:
            if self.size > _MOST_KEPT:
                return self._touching(index)
            known = self._known = _kept_for(self)
        found = known[index]
        if found is None:
            found = known[index] = self._touching(index)
        return found

    def _touching(self, index: int) -> tuple[Cell, ...]:
        row, col = divmod(index, self.width)
        find = self.find
        found: dict[Cell, None] = {}
        for rows, cols in self.tile(row, col).steps:
            r, c = row + rows, col + cols
            if self.wraps[0]:
                r %= self.height
            if self.wraps[1]:
                c %= self.width
            if 0 <= r < self.height and 0 <= c < self.width and (r, c) != (row, col):
                found[find(r * self.width + c)] = None
        return tuple(found)

    def adjacency(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Return neighbours as compressed rows, without a Python loop over cells."""
        size = self.size
        rows, cols = np.divmod(np.arange(size, dtype=np.int64), self.width)
        # One column per neighbour; `size` means none, and sorts last.
        table = np.full((size, self.most_neighbours), size, dtype=np.int64)
        for i, line in enumerate(self.pattern):
            for j, tile in enumerate(line):
                at = np.flatnonzero((rows % len(self.pattern) == i) & (cols % len(line) == j))
                for k, (down, right) in enumerate(tile.steps):
                    r, c = rows[at] + down, cols[at] + right
                    if self.wraps[0]:
                        r %= self.height
                    if self.wraps[1]:
                        c %= self.width
                    inside = (r >= 0) & (r < self.height) & (c >= 0) & (c < self.width)
                    found = np.where(inside, r * self.width + c, size)
                    table[at, k] = np.where(found == at, size, found)
        table.sort(axis=1)
        kept = table < size
        kept[:, 1:] &= table[:, 1:] != table[:, :-1]
        offsets = np.zeros(size + 1, dtype=np.uint32)
        np.cumsum(kept.sum(axis=1), out=offsets[1:])
        return offsets, table[kept].astype(np.uint32)

    def beside(self, cells: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Return the cells that touch any of these, both by index, by shifting the board."""
        steps = [step for line in self.pattern for tile in line for step in tile.steps]
        edge = max(map(abs, sum(steps, ())))
        if any(
            w and n <= 2 * edge for w, n in zip(self.wraps, (self.height, self.width), strict=True)
        ):
            # The board wraps onto itself, so a cell would touch itself.
            return super().beside(cells)
        edged = cells.reshape(self.height, self.width)
        for axis, wraps in enumerate(self.wraps):
            edged = np.pad(
                edged,
                [(edge, edge) if axis == side else (0, 0) for side in range(2)],
                mode="wrap" if wraps else "constant",
            )
        found = np.zeros((self.height, self.width), dtype=np.bool_)
        for i, line in enumerate(self.pattern):
            for j, tile in enumerate(line):
                part = found[i :: len(self.pattern), j :: len(line)]
                for down, right in tile.steps:
                    part |= edged[
                        edge + i + down : edge + self.height + down : len(self.pattern),
                        edge + j + right : edge + self.width + right : len(line),
                    ]
        return found.ravel()

    @classmethod
    def to_json(cls) -> dict[str, Any]:
        """Return the pattern for programs that draw and play it, such as the web app."""
        return {
            "name": cls.name,
            "label": cls.label,
            "summary": cls.summary,
            "checkered": cls.checkered,
            "wraps": list(cls.wraps),
            "pitch": list(cls.pitch),
            "tiles": [
                [{key: value for key, value in tile._asdict().items() if value} for tile in line]
                for line in cls.pattern
            ],
        }


_latest: deque[ref[Tiling]] = deque()


def _kept_for(shape: Tiling) -> list[tuple[Cell, ...] | None]:
    """Return a new neighbour list for a board; if there are too many, discard the oldest.

    A program may use thousands of sizes, for example a server whose visitors choose them.
    """
    _latest.append(ref(shape))
    if len(_latest) > _KEPT and (first := _latest.popleft()()) is not None:
        first._known = None
    return [None] * shape.size
