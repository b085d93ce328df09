"""The truth by brute force: every arrangement of mines is listed and checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sapper.position import EXPLODED, FLAGGED, UNOPENED, Position
from sapper.topology import Cell

__all__ = ["MOST_UNOPENED", "Truth", "arrangements", "truth"]

MOST_UNOPENED = 12
"""The most unopened cells that listing all arrangements is quick for."""


@dataclass(frozen=True)
class Truth:
    """How many arrangements fit, and for each unopened cell how many have a mine there."""

    solutions: int
    with_mine: dict[int, int]


def arrangements(
    position: Position, *, total: bool = True, numbers: Iterable[Cell] | None = None
) -> list[bytes]:
    """Every board that fits, one byte a cell, 1 a mine.

    ``total=False`` leaves the mine total aside; ``numbers`` are those to heed, if not all.
    """
    heeded = position.topology.cells() if numbers is None else numbers
    cells = position.cells.decode("ascii")
    unopened = [i for i, char in enumerate(cells) if char in (UNOPENED, FLAGGED)]
    assert len(unopened) <= MOST_UNOPENED
    boards = np.zeros((1 << len(unopened), len(cells)), dtype=np.int64)
    boards[:, [i for i, char in enumerate(cells) if char == EXPLODED]] = 1
    boards[:, unopened] = (np.arange(1 << len(unopened))[:, None] >> np.arange(len(unopened))) & 1
    fits = np.ones(len(boards), dtype=bool)
    if total and position.mines is not None:
        fits &= boards.sum(axis=1) == position.mines
    for cell in heeded:
        number = position.number(cell)
        if number is not None:
            around = [position.topology.index(n) for n in position.topology.neighbours(cell)]
            fits &= boards[:, around].sum(axis=1) == number
    return [board.tobytes() for board in boards[fits].astype(np.uint8)]


def truth(position: Position) -> Truth:
    """What an analysis has to say of a small position."""
    boards = arrangements(position)
    unopened = [
        i for i, char in enumerate(position.cells.decode("ascii")) if char in (UNOPENED, FLAGGED)
    ]
    return Truth(len(boards), {i: sum(board[i] for board in boards) for i in unopened})
