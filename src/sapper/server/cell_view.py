"""What a browser may see of a game: one character per cell, and never a mine before the end.

``.`` unopened, ``F`` flag, ``?`` question mark, ``0``-``8`` opened. Once the game is over also
``*`` a mine, ``X`` the mine that was opened, ``x`` a flag where no mine was.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sapper.game import Game, Status

__all__ = ["changes", "rows", "seen"]

_EXPLODED, _FLAGGED = ord("*"), ord("F")


def seen(game: Game) -> bytes:
    """Return one ASCII character per cell in row order."""
    position = game.position
    cells = bytearray(position.cells)
    for cell in game.questions:
        cells[position.topology.index(cell)] = ord("?")
    if game.status is Status.LOST:
        _show_mines(cells, game.board.mined)
    return bytes(cells)


def _show_mines(cells: bytearray, mined: bytes) -> None:
    for index, char in enumerate(cells):
        if char == _EXPLODED:
            cells[index] = ord("X")
        elif char == _FLAGGED:
            if not mined[index]:
                cells[index] = ord("x")
        elif mined[index]:
            cells[index] = ord("*")


def rows(cells: bytes, width: int) -> list[str]:
    """Return a view as one string per row."""
    text = cells.decode("ascii")
    return [text[at : at + width] for at in range(0, len(text), width)]


def changes(before: bytes, after: bytes) -> list[list[Any]]:
    """Return the cells that differ, as ``[index, character]``."""
    old, new = np.frombuffer(before, np.uint8), np.frombuffer(after, np.uint8)
    indices = np.flatnonzero(old != new)
    return [[index, chr(after[index])] for index in indices.tolist()]
