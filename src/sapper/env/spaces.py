"""Observation and action spaces, and how observations correspond to positions."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from sapper.errors import MissingExtra
from sapper.position import Position
from sapper.rules import Level

try:
    from gymnasium import spaces
except ModuleNotFoundError:
    raise MissingExtra("Gymnasium is not installed: pip install 'sapper[env]'") from None

__all__ = ["CellCode", "Cells", "actions", "observations", "observed", "position_of"]

Cells = npt.NDArray[np.int8]
"""An observation: one value per cell, 0 to 8 for a number, else a `CellCode`."""


class CellCode(IntEnum):
    """What is observed of a cell that shows no number."""

    UNOPENED = 9
    FLAGGED = 10
    EXPLODED = 11
    """An opened mine: the game is lost."""


_CHARS: Final = b"012345678.F*"
_TO_CHARS: Final = _CHARS + bytes(256 - len(_CHARS))
_TO_CODES: Final = bytes(max(_CHARS.find(char), 0) for char in range(256))


def observations(level: Level) -> spaces.Box[np.int8]:
    """Return the observation space: cells in rows and columns, each 0 to 11."""
    return spaces.Box(0, len(_CHARS) - 1, (level.height, level.width), np.int8)


def actions(level: Level, flags: bool) -> spaces.Discrete:
    """Return the action space: the cells to open, in row order, then the cells to flag."""
    size = level.width * level.height
    return spaces.Discrete(2 * size if flags else size)


def observed(position: Position) -> Cells:
    """Return the observation of a position."""
    codes = np.frombuffer(position.cells.translate(_TO_CODES), dtype=np.int8)
    return codes.reshape(position.height, position.width).copy()


def position_of(cells: Cells, level: Level) -> Position:
    """Return the position that an observation shows."""
    return Position.trusted(level.shape(), cells.tobytes().translate(_TO_CHARS), level.mines)
