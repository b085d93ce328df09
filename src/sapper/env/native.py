"""Which games the native core steps, and how it is told about them."""

from __future__ import annotations

from sapper._core import GameBatch
from sapper._util.arguments import whole
from sapper.env.rewards import Rewards
from sapper.rules import Level, Settings, Win

__all__ = ["make_batch", "plays_natively", "step_limit"]


def plays_natively(settings: Settings) -> bool:
    """Return whether the native core knows these rules: ``classic``, won by opening."""
    return settings.rules == "classic" and settings.win is Win.OPEN


def step_limit(max_steps: int | None, level: Level) -> int:
    """Return after how many steps a game is truncated: four per cell, unless told.

    Raises:
        BadSetting: If `max_steps` is not a whole number from 1 to 2**32 - 1.
    """
    if max_steps is None:
        return 4 * level.width * level.height
    return whole(max_steps, "max_steps", least=1, most=2**32 - 1)


def make_batch(
    settings: Settings, games: int, flags: bool, max_steps: int, rewards: Rewards
) -> GameBatch:
    """Return native games of these settings."""
    level = settings.level
    return GameBatch(
        level.shape().graph,
        games,
        level.mines,
        level.density,
        str(settings.first_click),
        flags,
        max_steps,
        rewards.as_tuple(),
    )
