"""A racer's progress as shown to others, too coarse to show any cell as safe or mined."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from sapper.board import Board
from sapper.position import NUMBERS
from sapper.topology import Topology

__all__ = ["BLOCK", "progress_map"]

BLOCK: Final = 3
"""Minimum side of a block in cells, except on smaller boards."""
_LETTERS: Final = np.frombuffer(b".oO", np.uint8)


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
def _clear(board: Board) -> npt.NDArray[np.intp]:
    """Return the number of clear cells in each block."""
    blocks, height, width = _blocks(board.topology)
    return np.bincount(blocks[np.frombuffer(board.mined, np.uint8) == 0], minlength=height * width)


def progress_map(board: Board, cells: bytes | bytearray) -> list[str]:
    """Return a row of characters for each row of blocks of at least 3x3 cells.

    Every player has the same board, so a map of individual cells would show the others which
    cells are safe. A block shows ``.`` if none of its cells is open, ``o`` if some are, and ``O``
    if all of its clear cells are; flags are not shown.
    """
    blocks, height, width = _blocks(board.topology)
    shown = np.frombuffer(cells, np.uint8)
    is_open = (shown >= NUMBERS[0]) & (shown <= NUMBERS[-1])
    opened = np.bincount(blocks[is_open], minlength=height * width)
    states = (opened > 0).astype(np.intp) + ((opened > 0) & (opened == _clear(board)))
    text = _LETTERS[states].tobytes().decode("ascii")
    return [text[row * width : (row + 1) * width] for row in range(height)]
