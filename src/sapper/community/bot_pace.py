"""How bots play against people: at a set pace and with errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sapper._util.arguments import number, whole
from sapper._util.shortening import shown
from sapper.community.message import field_values
from sapper.errors import BadSetting
from sapper.generation import substream
from sapper.solver.bots import bots

__all__ = ["STRENGTHS", "BotPace", "BotSettings", "strength_of"]

_UNIT: Final = 2**64
_FASTEST_MS: Final = 50
_SLOWEST_MS: Final = 60_000


@dataclass(frozen=True, slots=True)
class BotSettings:
    """How a bot plays against people.

    Attributes:
        bot: Name of the bot.
        pace_ms: Mean time between its actions. Each action takes from half to one and a half times
            this.
        error: The chance, from 0 to 1, that it plays a random cell instead of its choice.

    Raises:
        BadSetting: If the bot is unknown, or a number is out of range.
    """

    bot: str = "exact"
    pace_ms: int = 900
    error: float = 0.01

    def __post_init__(self) -> None:
        if self.bot not in bots:
            raise BadSetting(f"unknown bot {shown(self.bot)}; choose from: {', '.join(bots)}")
        whole(self.pace_ms, "pace_ms", least=_FASTEST_MS, most=_SLOWEST_MS)
        error = number(self.error)
        if error is None or not 0 <= error <= 1:
            raise BadSetting(f"error must be between 0 and 1, got {shown(self.error)}")


STRENGTHS: Final = {
    "novice": BotSettings("exact", 2_500, 0.05),
    "casual": BotSettings("exact", 1_500, 0.02),
    "skilled": BotSettings("exact", 800, 0.005),
    "master": BotSettings("exact", 400, 0.0),
}
"""Settings of bots, from the weakest to the strongest."""


def strength_of(settings: BotSettings) -> str | None:
    """Return the name of a bot's strength, whichever bot it is; None if its pace differs."""
    pace = settings.pace_ms, settings.error
    return next((n for n, one in STRENGTHS.items() if (one.pace_ms, one.error) == pace), None)


class BotPace:
    """The time of a bot's next action, and its random numbers.

    These depend only on the seed and the number of actions so far.

    Args:
        settings: How the bot plays.
        seed: The bot's seed, independent of the mines.

    Attributes:
        settings: How the bot plays.
        next_ms: Time of its next action.
    """

    def __init__(self, settings: BotSettings, seed: int) -> None:
        self.settings = settings
        self.next_ms = 0
        self._seed, self._count = seed, 0

    def wait(self, time_ms: int) -> None:
        """Schedule the next action after the pace, counted from `time_ms`."""
        self._count += 1
        self.next_ms = time_ms + round(self.settings.pace_ms * (0.5 + self._chance("pace")))

    def _errs(self) -> bool:
        """Return whether the next action is an error."""
        return self._chance("error") < self.settings.error

    def _pick(self, cells: list[int]) -> int:
        """Return a random one of these cells."""
        return cells[int(self._chance("cell") * len(cells))]

    def _chance(self, purpose: str) -> float:
        return substream(self._seed, f"bot {purpose}", self._count) / _UNIT

    def to_json(self) -> dict[str, Any]:
        """Return the saved form."""
        return {
            "settings": field_values(self.settings),
            "seed": self._seed,
            "count": self._count,
            "next_ms": self.next_ms,
        }

    def _load(self, obj: dict[str, Any]) -> None:
        self._count, self.next_ms = obj["count"], obj["next_ms"]
