"""The reward for each event of a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from math import isfinite
from typing import Final

from sapper._util.arguments import expect, number
from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.rules import Level

__all__ = ["REWARDS", "Rewards", "rewards_of"]


@dataclass(frozen=True, slots=True)
class Rewards:
    """Rewards for events; the reward of a step is the sum over all events in it.

    Attributes:
        win: The game was won.
        loss: A mine was opened.
        open: At least one clear cell was opened.
        cell: Each clear cell that was opened.
        floating: A clear cell was opened that touched no open number; the first click does not
            count.
        flag: A flag was set or removed.
        invalid: The action was excluded by the action mask and had no effect.
    """

    win: float = 0.0
    loss: float = 0.0
    open: float = 0.0
    cell: float = 0.0
    floating: float = 0.0
    flag: float = 0.0
    invalid: float = 0.0


def _progress(level: Level) -> Rewards:
    clear = level.width * level.height - (level.mines or 0)
    return Rewards(cell=1 / max(clear, 1))


REWARDS: Final[Mapping[str, Callable[[Level], Rewards]]] = {
    "outcome": lambda level: Rewards(win=1.0),
    "progress": _progress,
    "dense": lambda level: Rewards(
        win=1.0, loss=-1.0, open=0.1, floating=-0.1, flag=-0.01, invalid=-0.1
    ),
}
"""Presets. ``outcome`` pays 1 for a win, so that the mean return is the win rate; ``progress`` pays
the share of opened clear cells; ``dense`` pays many small rewards that help learning."""

_NAMES = tuple(field.name for field in fields(Rewards))


def rewards_of(given: Rewards | Mapping[str, float] | str, level: Level) -> Rewards:
    """Return rewards from any accepted form: a preset, values by name, or `Rewards`.

    Raises:
        BadSetting: If a name is unknown, or a value is not a number.
    """
    if isinstance(given, Rewards):
        return given
    if isinstance(given, str):
        if given not in REWARDS:
            raise BadSetting(f"unknown rewards {shown(given)}; choose from: {', '.join(REWARDS)}")
        return REWARDS[given](level)
    expect(given, Mapping, "rewards by name")
    values = {}
    for name, value in given.items():
        if name not in _NAMES:
            raise BadSetting(f"unknown reward {shown(name)}; choose from: {', '.join(_NAMES)}")
        worth = number(value)
        if worth is None or not isfinite(worth):
            raise BadSetting(f"reward {name} must be a number, got {shown(value)}")
        values[name] = worth
    return Rewards(**values)
