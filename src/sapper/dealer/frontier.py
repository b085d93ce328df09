"""Which unopened cells touch a number, and which of them are connected."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sapper.position import Position
from sapper.topology import Topology

__all__ = ["component", "frontier", "outside"]

_Cells = npt.NDArray[np.bool_]


def frontier(position: Position) -> _Cells:
    """Return, for each cell by index, whether it is unopened and touches an opened number."""
    cells = np.frombuffer(position.cells, np.uint8)
    offsets, neighbours = _links(position.topology)
    touched = np.zeros(len(neighbours) + 1, np.int64)
    np.cumsum(_is_number(cells)[neighbours], out=touched[1:])
    touches = touched[offsets[1:]] > touched[offsets[:-1]]
    return np.logical_and(touches, _is_unopened(cells))


def outside(position: Position) -> _Cells:
    """Return, for each cell by index, whether it is unopened and touches no number."""
    return np.greater(_is_unopened(np.frombuffer(position.cells, np.uint8)), frontier(position))


def component(position: Position, start: int) -> set[int]:
    """Return the frontier cells connected to a frontier cell, by index, including itself.

    Two of them hang together when a number touches both, or through others.
    """
    cells, around = position.cells, position.topology.graph.neighbours
    found, numbers = {start}, set[int]()
    left = [start]
    while left:
        for number in around(left.pop()):
            if cells[number] not in b"012345678" or number in numbers:
                continue
            numbers.add(number)
            new = [cell for cell in around(number) if cells[cell] in b".F" and cell not in found]
            found.update(new)
            left.extend(new)
    return found


def _is_number(cells: npt.NDArray[np.uint8]) -> _Cells:
    return np.logical_and(cells >= ord("0"), cells <= ord("8"))


def _is_unopened(cells: npt.NDArray[np.uint8]) -> _Cells:
    return np.logical_or(np.equal(cells, ord(".")), np.equal(cells, ord("F")))


@lru_cache(maxsize=16)
def _links(shape: Topology) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    return shape.adjacency()
