"""Which games the native core steps, and how it is told about them."""

from __future__ import annotations

from sapper._core import GameBatch
from sapper.env.rewards import Rewards
from sapper.errors import BadSetting
from sapper.rules import Settings, Win

__all__ = ["make_batch", "plays_natively"]


def plays_natively(settings: Settings) -> bool:
    """Return whether the native core knows these rules: ``classic``, won by opening."""
    return settings.rules == "classic" and settings.win is Win.OPEN


def make_batch(
    settings: Settings, games: int, flags: bool, max_steps: int | None, rewards: Rewards
) -> GameBatch:
    """Return native games of these settings.

    Raises:
        BadSetting: If `max_steps` is not positive.
    """
    level = settings.level
    if max_steps is not None and not 1 <= max_steps < 2**32:
        raise BadSetting(f"max_steps must be between 1 and 2**32 - 1, got {max_steps!r:.40}")
    return GameBatch(
        level.shape().graph,
        games,
        level.mines,
        level.density,
        str(settings.first_click),
        flags,
        max_steps or 4 * level.width * level.height,
        rewards.as_tuple(),
    )
