"""Brute force: lists and checks every arrangement of mines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from sapper.position import EXPLODED, FLAGGED, UNOPENED, Position
from sapper.topology import Cell

__all__ = [
    "MOST_UNOPENED",
    "Truth",
    "arrangements",
    "chances",
    "ends",
    "truth",
    "weights",
    "win_chances",
]

MOST_UNOPENED = 12
"""Maximum number of unopened cells for which listing all arrangements is quick."""


@dataclass(frozen=True)
class Truth:
    """The number of arrangements that fit: in total, and with a mine on each unopened cell."""

    solutions: int
    with_mine: dict[int, int]


def arrangements(
    position: Position,
    *,
    total: bool = True,
    numbers: Iterable[Cell] | None = None,
    running: bool = True,
) -> list[bytes]:
    """Return every board that fits, one byte per cell, 1 for a mine.

    ``total=False`` ignores the mine total, ``running=False`` that the game is running, and
    ``numbers`` restricts the check to these numbers.
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
    found = [board.tobytes() for board in boards[fits].astype(np.uint8)]
    return [board for board in found if not ends(position, board)] or found if running else found


def ends(position: Position, board: bytes) -> bool:
    """Return whether a running game on this board would have ended before the position.

    A mine total says the same, and no game ends before its first opening.
    """
    known = position.mines is not None or position.density in (0, 1)
    begun = any(chr(char) not in UNOPENED + FLAGGED + EXPLODED for char in position.cells)
    if known or not position.running or not begun:
        return False
    return all(
        chr(c) not in UNOPENED + FLAGGED or m for c, m in zip(position.cells, board, strict=True)
    )


def truth(position: Position) -> Truth:
    """Return the correct analysis of a small position."""
    boards = arrangements(position)
    unopened = [
        i for i, char in enumerate(position.cells.decode("ascii")) if char in (UNOPENED, FLAGGED)
    ]
    return Truth(len(boards), {i: sum(board[i] for board in boards) for i in unopened})


def weights(position: Position, boards: list[bytes]) -> list[Fraction]:
    """Return each arrangement's weight, which is 1 unless there is a density."""
    if position.density is None:
        return [Fraction(1)] * len(boards)
    density = Fraction(position.density)
    return [(density / (1 - density)) ** sum(board) for board in boards]


def chances(position: Position) -> dict[int, Fraction]:
    """Return each unopened cell's mine probability."""
    boards = arrangements(position)
    weight = weights(position, boards)
    whole = sum(weight)
    unopened = [i for i, char in enumerate(position.cells.decode("ascii")) if char in "F."]
    mined = {
        i: sum(w for w, board in zip(weight, boards, strict=True) if board[i]) for i in unopened
    }
    return {i: Fraction(found) / whole for i, found in mined.items()}


def win_chances(position: Position) -> dict[int, Fraction]:
    """Return, for each unopened cell, the chance to win by opening it and playing perfectly.

    The game is won once every safe cell is open, and lost by opening a mine. Each choice can use
    everything visible so far.
    """
    shape = position.topology
    boards = arrangements(position)
    weight = weights(position, boards)
    around = [[shape.index(n) for n in shape.neighbours(cell)] for cell in shape.cells()]
    shown = [
        [None if b[c] else sum(b[n] for n in around[c]) for c in range(len(b))] for b in boards
    ]
    unopened = frozenset(i for i, char in enumerate(position.cells) if char in b"F.")

    @cache
    def reached(left: frozenset[int], closed: frozenset[int]) -> Fraction:
        over = frozenset(at for at in left if all(boards[at][cell] for cell in closed))
        won = Fraction(sum(weight[at] for at in over))
        going = left - over
        if not going:
            return won
        return won + max(opened(going, closed, cell) for cell in closed)

    def opened(left: frozenset[int], closed: frozenset[int], cell: int) -> Fraction:
        parts: dict[int, set[int]] = {}
        for at in left:
            number = shown[at][cell]
            if number is not None:
                parts.setdefault(number, set()).add(at)
        return Fraction(sum(reached(frozenset(p), closed - {cell}) for p in parts.values()))

    whole = sum(weight)
    every = frozenset(range(len(boards)))
    return {cell: opened(every, unopened, cell) / whole for cell in unopened}
