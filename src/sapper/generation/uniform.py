"""Random boards, uniform among those that keep the promise of the first click."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

import sapper._core as _core
from sapper.board import Board
from sapper.errors import BadSetting
from sapper.generation.seeds import substream
from sapper.rules import FirstClick, Level
from sapper.topology import Tiling, Topology, topology

__all__ = [
    "cleared",
    "deal",
    "first_cells",
    "kept_clear",
    "largest_neighbourhood",
    "most_kept",
]

_PART = 60
"""The side of a part that contains all kinds of cells of any larger tiled board."""


def kept_clear(shape: Topology, first_click: FirstClick, start: int) -> list[int]:
    """Return the cells that a first click on `start`, an index, keeps free of mines."""
    if first_click is FirstClick.ANY:
        return []
    if first_click is FirstClick.SAFE:
        return [start]
    return [start, *shape.graph.neighbours(start)]


def cleared(level: Level, first_click: FirstClick, start: int) -> list[int]:
    """Return the result of `kept_clear`, provided that the level's mines fit on the other cells.

    Raises:
        BadSetting: If the mines do not fit.
    """
    shape = level.shape()
    clear = kept_clear(shape, first_click, start)
    if level.mines is not None and level.mines > shape.size - len(clear):
        raise BadSetting(
            f"first click {first_click} at {shape.cell(start)} keeps {len(clear)} cells clear: "
            f"mines must be at most {shape.size - len(clear)}, got {level.mines}"
        )
    return clear


def deal(level: Level, first_click: FirstClick, start: int, seed: int) -> Board:
    """Deal a board for a first click on `start`, an index, as a ``classic`` game does.

    Raises:
        BadSetting: If the mines do not fit on the other cells.
    """
    shape = level.shape()
    clear, drawn = cleared(level, first_click, start), substream(seed, "deal")
    if level.mines is not None:
        return Board.trusted(shape, _core.uniform_mines(shape.size, level.mines, clear, drawn))
    assert level.density is not None
    return Board.trusted(shape, _core.independent_mines(shape.size, level.density, clear, drawn))


def largest_neighbourhood(shape: Topology) -> int:
    """Return the most cells kept clear by an opening click: a cell and its neighbours."""
    if isinstance(shape, Tiling) and shape.size > _PART**2:
        # A smaller board is enough: it has every kind of cell with all its neighbours, while a
        # million cells would take seconds.
        shape = topology(shape.name, min(shape.width, _PART), min(shape.height, _PART))
    return 1 + int(_degrees(shape).max())


@lru_cache(maxsize=16)
def _degrees(shape: Topology) -> npt.NDArray[np.uint32]:
    return np.diff(shape.adjacency()[0])


def most_kept(shape: Topology, first_click: FirstClick) -> int:
    """Return the maximum number of cells that a first click keeps free of mines.

    >>> from sapper.topology import topology
    >>> [most_kept(topology(name, 5, 5), FirstClick.OPENING) for name in ("rectangle", "hexagon")]
    [9, 7]
    """
    match first_click.keeps_clear:
        case "nothing":
            return 0
        case "cell":
            return 1
        case "neighbours":
            return largest_neighbourhood(shape)


def first_cells(level: Level, first_click: FirstClick) -> Sequence[int]:
    """Return the cells, by index, whose first click can keep the promise."""
    shape = level.shape()
    free = shape.size - (level.mines or 0)
    if first_click is FirstClick.OPENING and free < largest_neighbourhood(shape):
        found: Sequence[int] = np.flatnonzero(_degrees(shape) < free).tolist()
    else:
        found = range(shape.size) if first_click is FirstClick.ANY or free else ()
    if not found:
        raise BadSetting(f"no cell of {level} can keep the promise of first click {first_click}")
    return found
