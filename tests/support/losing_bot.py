"""A bot for tests that need both wins and losses."""

from __future__ import annotations

from sapper import Position
from sapper.actions import Action, ActionKind
from sapper.rules import Level
from sapper.solver import analyze
from sapper.solver.bots import Answer, Choice, make_bot
from sapper.solver.bots.base import begin

__all__ = ["LosingBot"]


class LosingBot:
    """The exact bot, except that it loses every second game by opening a proved mine."""

    def __init__(self) -> None:
        self._bot = make_bot("exact")
        self._games = 0

    def begin(self, level: Level, seed: int) -> None:
        """Start a game."""
        self._games += 1
        begin(self._bot, level, seed)

    def choose(self, position: Position) -> Answer:
        """Return the exact bot's choice, or a proved mine in a game to lose."""
        if self._games % 2 == 0 and (mined := analyze(position).mined):
            return Choice((Action(ActionKind.OPEN, min(mined)),))
        return self._bot.choose(position)
