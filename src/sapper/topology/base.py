"""The base of all board shapes: cells, their neighbours, and how they are drawn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from operator import index as index_of
from operator import itemgetter
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

import sapper._core as _core
from sapper._util.arguments import listed, whole
from sapper._util.shortening import shown
from sapper.errors import BadCell, BadSetting

__all__ = ["MAX_CELLS", "MOST_NEIGHBOURS", "Cell", "Point", "Tile", "Topology", "as_cell", "shared"]

MAX_CELLS = 4_000_000
"""The largest board in cells: enough for 2000x2000, and a bound on the cost of input."""
MOST_NEIGHBOURS = 12
"""The most neighbours of a cell, so that its number is one character in every text form."""
_TABLE_CELLS = 100_000
_LARGE = 40_000

Point = tuple[float, float]
"""``x`` to the right and ``y`` down, in units of the side of a square cell."""


class Cell(NamedTuple):
    """A cell, counted from 0 at the top left. A plain tuple is accepted everywhere."""

    row: int
    col: int

    def __str__(self) -> str:
        return f"({self.row}, {self.col})"


def as_cell(cell: Any) -> Cell:
    """Return a row and a column as a `Cell`, on any board.

    >>> as_cell([2, 3])
    Cell(row=2, col=3)

    Raises:
        BadSetting: If the value is not a row and a column.
    """
    try:
        row, col = cell
        return Cell(index_of(row), index_of(col))
    except (TypeError, ValueError):
        raise BadCell(f"a cell is (row, col), got {shown(cell)}") from None


class Tile(NamedTuple):
    """The neighbours and the outline of a kind of cell.

    Attributes:
        steps: The rows and columns from the cell to each neighbour.
        outline: The corners, clockwise, relative to the cell's position.
        middle: The centre of the largest circle inside, where its number is drawn.
        radius: The radius of that circle.
        mark: The symbol of an unopened cell in text drawings; empty for the default.
    """

    steps: tuple[tuple[int, int], ...]
    outline: tuple[Point, ...] = ((0, 0), (1, 0), (1, 1), (0, 1))
    middle: Point = (0.5, 0.5)
    radius: float = 0.5
    mark: str = ""

    @property
    def is_square(self) -> bool:
        """Whether the cell is drawn as a square of side 1 at its position."""
        return self.outline == _SQUARE.outline


_SQUARE = Tile(())


class Topology(ABC):
    """The cells of a board and their neighbours.

    Cells are laid out in ``height`` rows of ``width``; a cell's *index* is
    ``row * width + col``. Subclasses define which cells touch, usually by the pattern of a
    `Tiling`. Topologies are equal if they have the same class and size.
    """

    name: ClassVar[str]
    """The name in the text and JSON forms."""
    label: ClassVar[str] = ""
    """Its name for players."""
    summary: ClassVar[str] = ""
    """A summary in one sentence."""
    most_neighbours: ClassVar[int] = MOST_NEIGHBOURS
    """The largest number that a cell can show."""
    checkered: ClassVar[bool] = True
    """Whether columns and rows are drawn in alternating tints."""
    wraps: ClassVar[tuple[bool, bool]] = (False, False)
    """Whether the first row touches the last, and the first column the last."""

    def __init__(self, width: int, height: int) -> None:
        width, height = _sides(width, height)
        if width * height > MAX_CELLS:
            raise BadSetting(
                f"a board of {width}x{height} has {width * height} cells; "
                f"the maximum is {MAX_CELLS}"
            )
        self.width = width
        self.height = height

    def __setattr__(self, name: str, value: object) -> None:
        # Shared by all positions of a size.
        if name in ("width", "height") and name in self.__dict__:
            raise AttributeError(f"the {name} of a topology cannot be changed")
        super().__setattr__(name, value)

    @abstractmethod
    def neighbours(self, cell: tuple[int, int]) -> Iterable[Cell]:
        """Return the cells that touch ``cell``: each once, never itself, and symmetrically."""

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.width * self.height

    def cells(self) -> Iterator[Cell]:
        """Return every cell in row order."""
        for row in range(self.height):
            for col in range(self.width):
                yield Cell(row, col)

    def index(self, cell: tuple[int, int]) -> int:
        """Return the index of a cell.

        Raises:
            BadCell: If there is no such cell.
        """
        try:
            row, col = cell
            if 0 <= row < self.height and 0 <= col < self.width:
                return index_of(row) * self.width + index_of(col)
        except (TypeError, ValueError):
            raise BadCell(f"a cell is (row, col), got {shown(cell)}") from None
        raise BadCell(
            f"no cell ({shown(row)}, {shown(col)}) on a board with {self.height} rows "
            f"and {self.width} columns"
        )

    def indices(self, cells: Iterable[tuple[int, int]]) -> list[int]:
        """Return the indices of cells.

        Raises:
            BadCell: If one of them is not on the board.
            WrongType: If the value is not an iterable of cells.
        """
        return [self.index(cell) for cell in listed(cells, "cells (row, col)")]

    def cell(self, index: int) -> Cell:
        """Return the cell at an index."""
        return Cell(*divmod(index, self.width))

    def cells_at(self, indices: Iterable[int]) -> frozenset[Cell]:
        """Return the cells at these indices."""
        if self.size > _TABLE_CELLS:
            return frozenset(map(self.cell, indices))
        # Indexing a table is a third faster than calling `cell`, and `itemgetter` halves the time.
        table, some = self._table, tuple(indices)
        if len(some) < 2:
            return frozenset([table[index] for index in some])
        return frozenset(itemgetter(*some)(table))

    @cached_property
    def find(self) -> Callable[[int], Cell]:
        """Return the cell at an index: like `cell`, but faster except on the largest boards."""
        # Looking up a cell is faster than creating one, but a table of millions of cells would take
        # too much memory.
        return self._table.__getitem__ if self.size <= _TABLE_CELLS else self.cell

    @cached_property
    def _table(self) -> tuple[Cell, ...]:
        return tuple(self.cells())

    def tile(self, row: int, col: int) -> Tile:
        """Return the tile of a cell: a square by default."""
        return _SQUARE

    def place(self, row: int, col: int) -> Point:
        """Return the origin of a cell's outline."""
        return (col, row)

    def indent(self, row: int) -> float:
        """Return the shift of a row to the right in text drawings, in columns."""
        return 0.0

    @cached_property
    def extent(self) -> Point:
        """Width and height of the drawing."""
        return (self.width, self.height)

    def adjacency(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Return neighbours as compressed rows.

        The neighbours of cell ``i`` are ``indices[offsets[i]:offsets[i + 1]]``. Override this with
        a vectorised form if useful: a million cells take seconds one by one.
        """
        lists = [sorted(self.index(n) for n in self.neighbours(c)) for c in self.cells()]
        offsets = np.zeros(self.size + 1, dtype=np.uint32)
        np.cumsum([len(ns) for ns in lists], out=offsets[1:])
        indices = np.fromiter((n for ns in lists for n in ns), dtype=np.uint32)
        return offsets, indices

    def beside(self, cells: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Return the cells that touch any of these; both by index."""
        offsets, indices = self.adjacency()
        counts = np.zeros(len(indices) + 1, np.int64)
        np.cumsum(cells[indices], out=counts[1:])
        return np.greater(counts[offsets[1:]], counts[offsets[:-1]])

    @cached_property
    def graph(self) -> _core.Graph:
        """The native graph for the engine, created once."""
        return _core.Graph(*self.adjacency())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Topology):
            return NotImplemented
        return type(self) is type(other) and self._key == other._key

    def __hash__(self) -> int:
        return hash((type(self), *self._key))

    @property
    def _key(self) -> tuple[int, int]:
        return (self.width, self.height)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.width}, {self.height})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Do not pickle the graph: it is large, and the other process may already have it.
        return shared, (type(self), *self._key)


def _sides(width: object, height: object) -> tuple[int, int]:
    """Return the size of a board as plain integers."""
    try:
        return whole(width, "width", least=1), whole(height, "height", least=1)
    except BadSetting:
        raise BadSetting(
            "a board needs at least one row and one column, in whole numbers, "
            f"got {shown(width)}x{shown(height)}"
        ) from None


def shared(cls: type[Topology], width: int, height: int) -> Topology:
    """Return the topology of this class and size; the same object for the same arguments."""
    # Convert numpy integers to Python's, so that equal sizes share a topology.
    width, height = _sides(width, height)
    return (_small if width * height <= _LARGE else _large)(cls, width, height)


def _made(cls: type[Topology], width: int, height: int) -> Topology:
    return cls(width, height)


_small = lru_cache(maxsize=256)(_made)
# A graph of a million cells takes 35 MB, so only a few large ones are cached.
_large = lru_cache(maxsize=2)(_made)
