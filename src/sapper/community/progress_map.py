"""Where a racer is, for the others: coarse enough to show no cell as safe or mined."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Final

from sapper.board import Board
from sapper.position import NUMBERS
from sapper.topology import Topology

__all__ = ["BLOCK", "progress_map"]

BLOCK: Final = 3
"""The least side of a block in cells, except on boards that are smaller."""


def _spans(length: int) -> list[range]:
    """Divide a side into parts of at least `BLOCK` cells."""
    parts = max(1, length // BLOCK)
    return [range(*ends) for ends in pairwise(part * length // parts for part in range(parts + 1))]


@lru_cache(maxsize=64)
def _blocks(shape: Topology) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return the indices of the cells in each block, in rows of blocks."""
    return tuple(
        tuple(
            tuple(row * shape.width + col for row in rows for col in cols)
            for cols in _spans(shape.width)
        )
        for rows in _spans(shape.height)
    )


def progress_map(board: Board, cells: bytes | bytearray) -> list[str]:
    """Return a row of characters for each row of blocks of at least 3x3 cells.

    Every player has the same board, so a map of single cells would show the others which cells are
    safe. A block shows ``.`` if none of its cells is open, ``o`` if some are, and ``O`` if all of
    its clear cells are; flags are not shown.
    """
    return [
        "".join(_letter(board.mined, cells, block) for block in row)
        for row in _blocks(board.topology)
    ]


def _letter(mined: bytes, cells: bytes | bytearray, block: tuple[int, ...]) -> str:
    opened = sum(cells[index] in NUMBERS for index in block)
    if not opened:
        return "."
    return "O" if opened == sum(not mined[index] for index in block) else "o"
