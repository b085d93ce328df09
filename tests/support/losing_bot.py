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
    """The exact bot, except that it opens a proved mine while `losing` is set.

    The caller sets it for each game: the bot cannot count games, because players also begin games
    that they do not finish.
    """

    def __init__(self) -> None:
        self.losing = False
        self._bot = make_bot("exact")

    def begin(self, level: Level, seed: int) -> None:
        """Start a game."""
        begin(self._bot, level, seed)

    def choose(self, position: Position) -> Answer:
        """Return the exact bot's choice, or a proved mine in a game to lose."""
        if self.losing and (mined := analyze(position).mined):
            return Choice((Action(ActionKind.OPEN, min(mined)),))
        return self._bot.choose(position)
