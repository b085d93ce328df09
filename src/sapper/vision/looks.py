"""The possible looks of a cell, as one character each."""

from __future__ import annotations

from sapper.position import EXPLODED, FLAGGED, UNOPENED

__all__ = ["ENDING", "LOOKS", "MINE", "WRONG_FLAG", "to_cells"]

MINE = "M"
"""A mine shown after the game, which was not opened."""
WRONG_FLAG = "X"
"""A flag that the end of the game shows to be wrong."""

LOOKS = "012345678" + UNOPENED + FLAGGED + EXPLODED + MINE + WRONG_FLAG
"""Every look: those of a position's cells, and the two that only the end of a game shows."""
ENDING = EXPLODED + MINE + WRONG_FLAG
"""Looks that only a lost game has."""

_AS_CELLS = bytes.maketrans((MINE + WRONG_FLAG).encode(), (EXPLODED + FLAGGED).encode())


def to_cells(looks: bytes) -> bytes:
    """Convert looks to the cells of a position; a mine that is shown counts as opened."""
    return looks.translate(_AS_CELLS)
