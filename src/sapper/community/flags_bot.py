"""A bot for Flags, which sees only what its opponent sees."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, Self

from sapper.community.bot_pace import BotPace, BotSettings
from sapper.community.flags_advice import advise_flags
from sapper.community.flags_game import FlagsGame
from sapper.position import UNOPENED

__all__ = ["FlagsBot", "FlagsChoice", "best_move"]

_UNOPENED: Final = ord(UNOPENED)


class FlagsChoice(NamedTuple):
    """A move to make: a cell by index, and whether to use the bomb."""

    cell: int
    bomb: bool = False


def best_move(game: FlagsGame) -> FlagsChoice:
    """Return the move of exact play: proved mines, then the bomb as soon as it is allowed.

    Otherwise, it is the likeliest mine.
    """
    advice, shape = advise_flags(game.position), game.position.topology
    if game.can_bomb and not advice.proved:
        return FlagsChoice(shape.index(advice.best_bomb()), bomb=True)
    return FlagsChoice(shape.index(advice.best))


class FlagsBot(BotPace):
    """A bot that plays perfectly, except for its deliberate errors."""

    def choose(self, game: FlagsGame) -> FlagsChoice:
        """Return the move in a game that is not over."""
        if self._errs():
            cells = enumerate(game.position.cells)
            return FlagsChoice(self._pick([i for i, char in cells if char == _UNOPENED]))
        return best_move(game)

    @classmethod
    def from_json(cls, obj: dict[str, Any]) -> Self:
        """Read the saved form."""
        made = cls(BotSettings(**obj["settings"]), obj["seed"])
        made._load(obj)
        return made
