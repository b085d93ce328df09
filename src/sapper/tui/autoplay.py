"""Automatic play: get the bot's choices and perform them at a chosen pace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from sapper.actions import Action
from sapper.errors import SapperError
from sapper.game import Game
from sapper.position import Position
from sapper.solver.bots import Choice
from sapper.topology import Cell
from sapper.translation import sentences, t
from sapper.tui.background import Background
from sapper.tui.bot_player import PACES_S, BotPlayer
from sapper.tui.status_line import over_text

__all__ = ["Autoplay", "Table"]

_ACTING_S = 0.01
"""Seconds between checks for the end of the player's own action."""


class Table(Protocol):
    """The interface of the game that the bot plays.

    Attributes:
        game: The current game.
    """

    game: Game

    @property
    def acting(self) -> bool:
        """Whether an action is in progress."""

    def act(self, action: Action, then: Callable[[bool], object] | None = None) -> None:
        """Perform an action, then call `then` with whether it had an effect."""

    def say(self, text: str) -> None:
        """Show a message."""

    def fail(self, problem: Exception) -> None:
        """Show an error."""

    def point(self, cell: Cell) -> None:
        """Move the cursor to a cell."""

    def call_after(self, delay_s: float, callback: Callable[[], object]) -> None:
        """Call a function after this many seconds."""


class Autoplay:
    """Runs a bot, step by step or continuously.

    Args:
        table: The table.
        player: The bot.
    """

    def __init__(self, table: Table, player: BotPlayer) -> None:
        self._table, self._player = table, player
        self._choices: Background[Choice] = Background()

    @property
    def busy(self) -> bool:
        """Whether the bot is thinking."""
        return self._choices.busy

    def halt(self) -> None:
        """Pause the bot and discard its current choice."""
        self._player.stop()
        if self._choices.busy:
            self._choices.cancel()
            self._player.abandon()

    def toggle(self) -> None:
        """Start or pause the bot."""
        if self._player.running:
            self.halt()
            self._table.say(t("The bot is paused."))
        elif self._can_play():
            self._player.running = True
            self._turn()

    def step(self) -> None:
        """Make the bot perform one step."""
        if self._player.running:
            self.halt()
        if self._can_play() and not self._choices.busy and not self._table.acting:
            self._turn()

    def change_bot(self) -> None:
        """Switch to the next bot."""
        self.halt()
        self._player.change()
        self._table.say(t("Bot: {name}. Press P to start it.", name=self._player.name))

    def change_pace(self, by: int) -> None:
        """Play faster or slower."""
        self._player.pace = min(max(self._player.pace + by, 0), len(PACES_S) - 1)
        pace = self._player.pace + 1
        self._table.say(t("Pace: {pace} of {paces}.", pace=pace, paces=len(PACES_S)))

    def _can_play(self) -> bool:
        game = self._table.game
        if game.over:
            self._table.say(sentences(over_text(game), t("N starts a new one.")))
        return not game.over

    def _turn(self) -> None:
        """Perform the next planned action, or get the bot's next choice."""
        game = self._table.game
        if game.over:
            self._player.stop()
            return
        if self._table.acting:
            # The player acted just before pressing the key, so the bot must wait for that action.
            if self._player.running:
                self._table.call_after(_ACTING_S, self._go_on)
            return
        if self._player.plan:
            self._act()
            return
        position = game.position
        self._choices.run(
            lambda _: self._chosen(position, game),
            self._take,
            self._table.fail,
        )

    def _chosen(self, position: Position, game: Game) -> Choice:
        with game.clock.thinking():
            return self._player.choose(position, game, game.settings)

    def _take(self, choice: Choice) -> None:
        text = self._player.take(choice)
        if not self._player.plan:
            self.halt()
        self._table.say(text)
        if self._player.plan:
            self._act()

    def _act(self) -> None:
        action = self._player.plan.popleft()
        if action.cell is not None:
            self._table.point(action.cell)
        before = self._table.game.position

        def done(effective: bool) -> None:
            game = self._table.game
            opened = game.position.cells.count(b".") < before.cells.count(b".")
            try:
                self._player.done(effective, opened, game)
            except SapperError as problem:
                self._table.fail(problem)
                return
            if self._player.running and not game.over:
                pace = PACES_S[self._player.pace] if effective else 0.0
                self._table.call_after(max(pace, 0.001), self._go_on)
            elif not effective and self._player.plan:
                self._act()

        self._table.act(action, done)

    def _go_on(self) -> None:
        if self._player.running:
            self._turn()
