"""The shape of a board: its cells, and which of them touch.

Everything above works on a graph of cells, so a new shape is one class with one method.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from operator import index as index_of
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

import sapper._core as _core
from sapper.errors import BadSetting

__all__ = ["MAX_CELLS", "TOPOLOGIES", "Cell", "Rectangle", "Topology", "Torus", "topology"]

MAX_CELLS = 4_000_000
"""The largest board taken, in cells: room for 2000x2000, and a bound on what input can cost."""
_TABLE_CELLS = 100_000
_LARGE = 40_000


class Cell(NamedTuple):
    """A cell, counted from 0 at the top left. A plain tuple is accepted everywhere."""

    row: int
    col: int

    def __str__(self) -> str:
        return f"({self.row}, {self.col})"


class Topology(ABC):
    """A board's cells and their neighbours.

    Cells are laid out in ``height`` rows of ``width``; a cell's *index* is
    ``row * width + col``. Subclasses say which cells touch. Two topologies are equal when
    they are of one class and one size.
    """

    name: ClassVar[str]
    """The name in the text and JSON forms."""

    def __init__(self, width: int, height: int) -> None:
        if not (isinstance(width, int) and isinstance(height, int)) or width < 1 or height < 1:
            raise BadSetting(f"a board needs at least one row and one column, got {width}x{height}")
        if width * height > MAX_CELLS:
            raise BadSetting(
                f"a board of {width}x{height} has {width * height} cells; "
                f"the maximum is {MAX_CELLS}"
            )
        self.width = width
        self.height = height

    @abstractmethod
    def neighbours(self, cell: tuple[int, int]) -> Iterable[Cell]:
        """Return the cells that touch ``cell``: each once, never itself, and symmetric."""

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
            BadSetting: If there is no such cell.
        """
        try:
            row, col = cell
            if 0 <= row < self.height and 0 <= col < self.width:
                return index_of(row) * self.width + index_of(col)
        except (TypeError, ValueError):
            raise BadSetting(f"a cell is (row, col), got {cell!r:.40}") from None
        raise BadSetting(
            f"no cell ({row!r:.20}, {col!r:.20}) on a board with {self.height} rows "
            f"and {self.width} columns"
        )

    def cell(self, index: int) -> Cell:
        """Return the cell at an index."""
        return Cell(*divmod(index, self.width))

    def cells_at(self, indices: Iterable[int]) -> frozenset[Cell]:
        """Return the cells at these indices."""
        return frozenset(map(self.find, indices))

    @cached_property
    def find(self) -> Callable[[int], Cell]:
        """Return the cell at an index: like `cell`, but faster on all but the largest boards."""
        # Looking up a cell is faster than creating one, but a table of millions takes memory.
        return self._table.__getitem__ if self.size <= _TABLE_CELLS else self.cell

    @cached_property
    def _table(self) -> tuple[Cell, ...]:
        return tuple(self.cells())

    def adjacency(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Return neighbours as compressed rows.

        The neighbours of cell ``i`` are ``indices[offsets[i]:offsets[i + 1]]``. Override it
        where a vectorised form is worth having: a million cells take seconds one by one.
        """
        lists = [sorted(self.index(n) for n in self.neighbours(c)) for c in self.cells()]
        offsets = np.zeros(self.size + 1, dtype=np.uint32)
        np.cumsum([len(ns) for ns in lists], out=offsets[1:])
        indices = np.fromiter((n for ns in lists for n in ns), dtype=np.uint32)
        return offsets, indices

    @cached_property
    def graph(self) -> _core.Graph:
        """The native form that the engine works on; created once."""
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
        # The graph is not pickled: it is large, and the other side may have it already.
        return _made, (type(self), *self._key)


_AROUND = tuple((dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0))


class Rectangle(Topology):
    """The classic board: cells touch by sides and corners, at most eight neighbours.

    >>> len(Rectangle(9, 9).neighbours((0, 0)))
    3
    """

    name = "rectangle"

    def neighbours(self, cell: tuple[int, int]) -> list[Cell]:
        """Return the cells that touch ``cell`` by a side or a corner."""
        row, col = cell
        self.index(cell)
        return [
            Cell(row + dr, col + dc)
            for dr, dc in _AROUND
            if 0 <= row + dr < self.height and 0 <= col + dc < self.width
        ]

    @cached_property
    def graph(self) -> _core.Graph:
        """The native form that the engine works on; made once."""
        return _core.Graph.rectangle(self.width, self.height)

    def adjacency(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Return neighbours as compressed rows, without a Python loop over cells."""
        rows, cols = np.divmod(np.arange(self.size, dtype=np.int64), self.width)
        # One column per direction; row-major order of directions keeps every list sorted.
        r = rows[:, None] + np.array([dr for dr, _ in _AROUND])
        c = cols[:, None] + np.array([dc for _, dc in _AROUND])
        inside = (r >= 0) & (r < self.height) & (c >= 0) & (c < self.width)
        offsets = np.zeros(self.size + 1, dtype=np.uint32)
        np.cumsum(inside.sum(axis=1), out=offsets[1:])
        return offsets, (r * self.width + c)[inside].astype(np.uint32)


class Torus(Topology):
    """A rectangle whose opposite sides touch: no edge, no corner.

    On boards under three rows or columns a cell would touch another twice or itself;
    each neighbour counts once, and never the cell itself.

    >>> len(Torus(9, 9).neighbours((0, 0)))
    8
    """

    name = "torus"

    def neighbours(self, cell: tuple[int, int]) -> list[Cell]:
        """Return the cells that touch ``cell``, across the edges as well."""
        row, col = cell
        self.index(cell)
        found = {
            Cell((row + dr) % self.height, (col + dc) % self.width): None for dr, dc in _AROUND
        }
        found.pop(Cell(row, col), None)
        return list(found)


TOPOLOGIES: dict[str, type[Topology]] = {cls.name: cls for cls in (Rectangle, Torus)}
"""Every shape a board can have, by name. Register a new one here."""


# Typed, because 9.0 columns must not hit the cache entry of 9.
@lru_cache(maxsize=256, typed=True)
def _shared(cls: type[Topology], *key: int) -> Topology:
    return cls(*key)


# A graph of a million cells takes 35 MB, so few of them are kept for nobody.
_shared_large = lru_cache(maxsize=2, typed=True)(_shared.__wrapped__)


def _made(cls: type[Topology], width: int, height: int) -> Topology:
    small = not (isinstance(width, int) and isinstance(height, int)) or width * height <= _LARGE
    return (_shared if small else _shared_large)(cls, width, height)


def topology(name: str, width: int, height: int) -> Topology:
    """Return the topology of this name and size; the same object for the same arguments.

    >>> topology("torus", 4, 3)
    Torus(4, 3)

    Raises:
        BadSetting: If the shape is unknown, or the size is not allowed.
    """
    try:
        cls = TOPOLOGIES[name]
    except KeyError:
        names = ", ".join(TOPOLOGIES)
        raise BadSetting(f"unknown topology {name!r}; choose from: {names}") from None
    return _made(cls, width, height)
