"""Observation and action spaces, and conversion between observations and positions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from operator import index
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from sapper._util.arguments import expect
from sapper._util.installing import pip_install
from sapper._util.shortening import shown
from sapper.errors import BadSetting, MissingExtra
from sapper.position import NUMBERS, Position
from sapper.rules import Level

try:
    from gymnasium import spaces
except ModuleNotFoundError:
    raise MissingExtra(f"Gymnasium is not installed: {pip_install('env')}") from None

__all__ = [
    "CellCode",
    "Cells",
    "EnvStep",
    "action_of",
    "actions",
    "actions_of",
    "check_options",
    "observations",
    "observed",
    "position_of",
]

Cells = npt.NDArray[np.int8]
"""An observation: one value per cell, 0 to 8 for a number, otherwise a `CellCode`.

Numbers above 8, which only some topologies have, follow the codes: 12 means 9, and so on.
"""


EnvStep = tuple[Cells, float, bool, bool, dict[str, Any]]
"""The result of Gymnasium's ``Env.step``."""


class CellCode(IntEnum):
    """Observation codes of cells without a number."""

    UNOPENED = 9
    FLAGGED = 10
    EXPLODED = 11
    """An opened mine: the game is lost."""


_CHARS: Final = NUMBERS[:9] + b".F*" + NUMBERS[9:]
_TO_CHARS: Final = _CHARS + bytes(256 - len(_CHARS))
_TO_CODES: Final = bytes(max(_CHARS.find(char), 0) for char in range(256))


def observations(level: Level) -> spaces.Box[np.int8]:
    """Return the observation space: cells in rows and columns, each 0 to 11.

    The range is larger if cells have more than eight neighbours.
    """
    most = _CHARS.index(NUMBERS[max(8, level.shape().most_neighbours)])
    return spaces.Box(0, max(CellCode.EXPLODED, most), (level.height, level.width), np.int8)


def actions(level: Level, flags: bool) -> spaces.Discrete:
    """Return the action space: the cells to open, in row order, then the cells to flag."""
    size = level.width * level.height
    return spaces.Discrete(2 * size if flags else size)


def action_of(value: object, count: int) -> int:
    """Return an action as an `int` below ``count``.

    Raises:
        BadSetting: If the action is not an integer or is out of range.
    """
    # Checking the type first makes a step two per cent faster.
    if type(value) is int and 0 <= value < count:
        return value
    try:
        action = -1 if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        action = -1
    if 0 <= action < count:
        return action
    raise BadSetting(f"an action must be an integer from 0 to {count - 1}, got {shown(value)}")


def actions_of(values: npt.ArrayLike, games: int, count: int) -> npt.NDArray[np.int64]:
    """Return the action of each game as an array; the range of integers in arrays is not checked.

    Raises:
        BadSetting: If the number of actions is wrong, or one is not an integer.
    """
    try:
        given = np.asarray(values)
    except ValueError:
        given = np.asarray(None)
    if given.shape != (games,):
        raise BadSetting(
            f"actions must be {games} integers, one per game, got {_described(values, given)}"
        )
    # Converting the array would hide booleans in lists and wrap large unsigned numbers.
    if given.dtype.kind != "i" or not isinstance(values, np.ndarray):
        return np.array([action_of(value, count) for value in values], dtype=np.int64)  # type: ignore[union-attr]
    return np.ascontiguousarray(given, dtype=np.int64)


def _described(values: npt.ArrayLike, given: npt.NDArray[Any]) -> str:
    return f"an array of shape {given.shape}" if given.shape else f"{shown(values)}"


def check_options(options: Mapping[str, Any] | None, *supported: str) -> Mapping[str, Any]:
    """Return the options of a reset.

    Raises:
        WrongType: If the options are not a mapping.
        BadSetting: If an option is unknown.
    """
    if options is None:
        return {}
    expect(options, Mapping, "reset options by name")
    for name in options:
        if name not in supported:
            allowed = f"choose from: {', '.join(supported)}" if supported else "there are none"
            raise BadSetting(f"unknown reset option {shown(name)}; {allowed}")
    return options


def observed(position: Position) -> Cells:
    """Return the observation of a position."""
    codes = np.frombuffer(position.cells.translate(_TO_CODES), dtype=np.int8)
    return codes.reshape(position.height, position.width).copy()


def position_of(cells: Cells, level: Level, *, running: bool = True) -> Position:
    """Return the position of an observation; `running` is that of the position."""
    chars = cells.tobytes().translate(_TO_CHARS)
    return Position.trusted(level.shape(), chars, level.mines, level.density, running)
