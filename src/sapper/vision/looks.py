"""The possible looks of a cell, with one character each."""

from __future__ import annotations

from sapper.position import EXPLODED, FLAGGED, UNOPENED

__all__ = ["ENDING", "LOOKS", "MINE", "WRONG_FLAG", "to_cells"]

MINE = "M"
"""An unopened mine shown after the game."""
WRONG_FLAG = "X"
"""A flag shown as wrong after the game."""

LOOKS = "012345678" + UNOPENED + FLAGGED + EXPLODED + MINE + WRONG_FLAG
"""Every look: those of a position's cells, and the two that only appear after a game."""
ENDING = EXPLODED + MINE + WRONG_FLAG
"""Looks that only occur in a lost game."""

_AS_CELLS = bytes.maketrans((MINE + WRONG_FLAG).encode(), (EXPLODED + FLAGGED).encode())


def to_cells(looks: bytes) -> bytes:
    """Convert looks to the cells of a position; a visible mine counts as opened."""
    return looks.translate(_AS_CELLS)
