"""Observation and action spaces, and how observations correspond to positions."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from sapper.errors import MissingExtra
from sapper.position import NUMBERS, Position
from sapper.rules import Level

try:
    from gymnasium import spaces
except ModuleNotFoundError:
    raise MissingExtra("Gymnasium is not installed: pip install 'sapper[env]'") from None

__all__ = ["CellCode", "Cells", "actions", "observations", "observed", "position_of"]

Cells = npt.NDArray[np.int8]
"""An observation: one value per cell, 0 to 8 for a number, else a `CellCode`.

Numbers from 9, which only some topologies have, come after the codes: 12 is 9, and so on.
"""


class CellCode(IntEnum):
    """What is observed of a cell that shows no number."""

    UNOPENED = 9
    FLAGGED = 10
    EXPLODED = 11
    """An opened mine: the game is lost."""


_CHARS: Final = NUMBERS[:9] + b".F*" + NUMBERS[9:]
_TO_CHARS: Final = _CHARS + bytes(256 - len(_CHARS))
_TO_CODES: Final = bytes(max(_CHARS.find(char), 0) for char in range(256))


def observations(level: Level) -> spaces.Box[np.int8]:
    """Return the observation space: cells in rows and columns, each 0 to 11.

    It ends higher where cells have more than eight neighbours.
    """
    most = _CHARS.index(NUMBERS[max(8, level.shape().most_neighbours)])
    return spaces.Box(0, max(CellCode.EXPLODED, most), (level.height, level.width), np.int8)


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
    shown = cells.tobytes().translate(_TO_CHARS)
    return Position.trusted(level.shape(), shown, level.mines, level.density)
