"""A bot that plays on the screen, one action at a time."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from sapper.actions import Action
from sapper.errors import BotFailed
from sapper.game import Game
from sapper.generation import substream
from sapper.position import Position
from sapper.rules import Settings
from sapper.simulation import BotRunner
from sapper.solver.bots import METHODS, Choice, bots, make_bot
from sapper.translation import Text, percent, t

__all__ = ["PACES_S", "BotPlayer"]

PACES_S = (1.0, 0.5, 0.25, 0.1, 0.03, 0.0)
"""Seconds between actions, from slow to fast."""


class BotPlayer:
    """The bot, its planned actions and its speed.

    Attributes:
        name: Name of the bot.
        pace: Index of the pace in `PACES_S`.
        running: Whether it plays continuously.
        plan: Actions of its last choice that have not been performed yet.
    """

    def __init__(self, name: str = "exact") -> None:
        self.name, self.pace, self.running = name, 2, False
        self.plan: deque[Action] = deque()
        self._runner: BotRunner | None = None
        self._begun: object = None
        self._done, self._opened = 0, False

    def stop(self) -> None:
        """Stop playing and discard the plan."""
        self.running = False
        self.plan.clear()

    def change(self) -> None:
        """Switch to the next bot of the registry."""
        names = list(bots)
        self.name = names[(names.index(self.name) + 1) % len(names)]
        self.abandon()

    def abandon(self) -> None:
        """Abandon the bot object, which a thread may still run, and use a new one from now on."""
        self._runner = None
        self.plan.clear()

    def choose(self, position: Position, game: object, settings: Settings) -> Choice:
        """Return the bot's choice; called in a thread.

        Args:
            position: The player's view.
            game: An object that differs between games.
            settings: The game's settings. Its seed determines the bot's separate seed.

        Raises:
            BotFailed: If the bot fails.
        """
        runner = self._runner
        if runner is None:
            runner = self._runner = BotRunner(make_bot(self.name), self.name)
            self._begun = None
        if self._begun is not game:
            seed = substream(settings.seed, "bot")
            runner.begin(settings.level, seed, settings=replace(settings, seed=0))
            self._begun = game
        return runner.choose(position)

    def take(self, choice: Choice) -> str:
        """Plan the actions of a choice, and return a description of it."""
        self.plan = deque(choice.actions)
        self._done, self._opened = 0, False
        if not choice.actions or choice.actions[0].cell is None:
            return t("{name} has nothing to do.", name=self.name)
        what = choice.actions[0].label
        text = (
            t("{name} guesses: {what}", name=self.name, what=what)
            if choice.guess
            else t("{name} plays: {what}", name=self.name, what=what)
        )
        why: list[str] = [METHODS.get(choice.by, choice.by)] if choice.by else []
        if choice.risk is not None:
            why.append(t("risk {share}", share=percent(choice.risk)))
        return Text("{said} ({why})", {"said": text, "why": why}) if why else text

    def done(self, effective: bool, opened: bool, game: Game) -> None:
        """Record a performed action.

        Raises:
            BotFailed: If the bot is stuck.
        """
        self._done += effective
        self._opened |= opened
        if self.plan or game.over or self._runner is None:
            return
        if self._runner.settle(self._done, opened=self._opened):
            raise BotFailed(f"bot {self.name} opens no cell any more")
