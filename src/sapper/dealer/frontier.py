"""Unopened cells that touch a number, and their connections."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sapper.position import NUMBERS, Position

__all__ = ["component", "frontier", "outside"]

_Cells = npt.NDArray[np.bool_]


def frontier(position: Position) -> _Cells:
    """Return, for each cell by index, whether it is unopened and touches an opened number."""
    cells = np.frombuffer(position.cells, np.uint8)
    return np.logical_and(position.topology.beside(_is_number(cells)), _is_unopened(cells))


def outside(position: Position) -> _Cells:
    """Return, for each cell by index, whether it is unopened and touches no number."""
    return np.greater(_is_unopened(np.frombuffer(position.cells, np.uint8)), frontier(position))


def component(position: Position, start: int) -> set[int]:
    """Return the frontier cells connected to a frontier cell, by index, including itself.

    Two cells are connected if a number touches both, directly or through others.
    """
    cells, around = position.cells, position.topology.graph.neighbours
    found, numbers = {start}, set[int]()
    left = [start]
    while left:
        for number in around(left.pop()):
            if cells[number] not in NUMBERS or number in numbers:
                continue
            numbers.add(number)
            new = [cell for cell in around(number) if cells[cell] in b".F" and cell not in found]
            found.update(new)
            left.extend(new)
    return found


def _is_number(cells: npt.NDArray[np.uint8]) -> _Cells:
    return np.logical_and(cells >= NUMBERS[0], cells <= NUMBERS[-1])


def _is_unopened(cells: npt.NDArray[np.uint8]) -> _Cells:
    return np.logical_or(np.equal(cells, ord(".")), np.equal(cells, ord("F")))
