"""A racer's progress as shown to others, too coarse to show any cell as safe or mined."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from sapper.board import Board
from sapper.position import NUMBERS
from sapper.topology import Topology

__all__ = ["BLOCK", "STEPS", "progress_map", "progress_share"]

BLOCK: Final = 4
"""Minimum side of a block in cells, except on smaller boards."""
STEPS: Final = 20
"""The shown share of opened cells is rounded down to a multiple of 1 / `STEPS`."""
_LETTERS: Final = np.frombuffer(b".o", np.uint8)


def _parts(length: int) -> npt.NDArray[np.intp]:
    """Divide a side into parts of at least `BLOCK` cells; return the part of each."""
    parts = max(1, length // BLOCK)
    return np.arange(length) * parts // length


@lru_cache(maxsize=64)
def _blocks(shape: Topology) -> tuple[npt.NDArray[np.intp], int, int]:
    """Return the block of each cell, and the rows and columns of blocks."""
    rows, cols = _parts(shape.height), _parts(shape.width)
    height, width = int(rows[-1]) + 1, int(cols[-1]) + 1
    return (rows[:, None] * width + cols[None, :]).ravel(), height, width


@lru_cache(maxsize=64)
def _sizes(shape: Topology) -> npt.NDArray[np.intp]:
    """Return the number of cells in each block."""
    blocks, height, width = _blocks(shape)
    return np.bincount(blocks, minlength=height * width)


def progress_map(board: Board, cells: bytes | bytearray) -> list[str]:
    """Return a row of characters for each row of blocks of at least 4x4 cells.

    Every player may have the same board, so a map of individual cells would show the others which
    cells are safe. A block shows ``o`` if at least half of its cells are open, which says only that
    at most half of them are mines, and ``.`` otherwise; flags are not shown.
    """
    blocks, height, width = _blocks(board.topology)
    shown = np.frombuffer(cells, np.uint8)
    is_open = (shown >= NUMBERS[0]) & (shown <= NUMBERS[-1])
    opened = np.bincount(blocks[is_open], minlength=height * width)
    text = (
        _LETTERS[(2 * opened >= _sizes(board.topology)).astype(np.intp)].tobytes().decode("ascii")
    )
    return [text[row * width : (row + 1) * width] for row in range(height)]


def progress_share(opened: int, clear: int) -> float:
    """Return the share of clear cells that are open, as others see it.

    The exact number, together with the map, could show which cells were opened.

    >>> progress_share(17, 71), progress_share(71, 71)
    (0.2, 1.0)
    """
    return STEPS * opened // max(1, clear) / STEPS if clear else 1.0
