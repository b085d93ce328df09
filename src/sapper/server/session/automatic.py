"""The state of automatic mode: the bot, its speed and its latest choices."""

from __future__ import annotations

import inspect
from collections import deque
from typing import Final

from sapper.actions import ActionKind
from sapper.server.messages.incoming import AutomaticSettings
from sapper.server.protocol import Json, text_of
from sapper.solver.bots import METHODS, Choice, bot_label, bots
from sapper.topology import Topology
from sapper.translation import Text

__all__ = ["Automatic", "bot_menu"]

_LOG_LENGTH: Final = 12
_SAVED: Final = ("bot", "delay_ms", "loop")


class Automatic:
    """The bot that plays for a session, and the state of its play.

    Attributes:
        bot: Name of the bot in the registry.
        delay_ms: Milliseconds between actions; 0 plays as fast as windows draw.
        loop: Whether the bot starts another game after the end of one.
        running: Whether the bot plays continuously.
        thinking: Whether the bot has been thinking for a while.
        problem: The reason why the bot had to stop, or None.
        choice: The next or last choice, as sent to windows.
        log: Latest choices in this game, oldest first, as sent to windows.
        alone: Whether only the bot has acted in this game.
        games: Number of games that the bot finished alone.
        wins: Number of these games that it won.
    """

    def __init__(self) -> None:
        self.bot = next(iter(bots))
        self.delay_ms = 20
        self.loop = False
        self.running = self.thinking = False
        self.problem: str | None = None
        self.games = self.wins = 0
        self._kind: object = None
        self.new_game()

    def new_game(self) -> None:
        """Start another game."""
        self.alone = True
        self.forget()

    def forget(self) -> None:
        """Discard the choices."""
        self.choice: Json | None = None
        self.log: deque[Json] = deque(maxlen=_LOG_LENGTH)
        self._chosen = 0

    def change(self, changes: AutomaticSettings) -> None:
        """Change the settings.

        Raises:
            BadMessage: If there is no such bot; no setting is changed in this case.
        """
        if "bot" in changes:
            bot = text_of(changes, "bot", tuple(bots))
            if bot != self.bot:
                self.games = self.wins = 0
                self.forget()
            self.bot = bot
        self.delay_ms = changes.get("delay_ms", self.delay_ms)
        self.loop = changes.get("loop", self.loop)

    def chose(self, choice: Choice, shape: Topology) -> None:
        """Record a choice of the bot."""
        opened = _cells(choice, shape, ActionKind.OPEN, ActionKind.CHORD)
        marked = _cells(choice, shape, ActionKind.FLAG, ActionKind.QUESTION)
        # Removing a flag in order to open the cell does not count as a mark.
        marked = [index for index in marked if index not in set(opened)]
        self._chosen += 1
        account: Json = {
            "number": self._chosen,
            "by": METHODS.get(choice.by, choice.by),
            "risk": choice.risk,
            "guess": choice.guess,
        }
        self.choice = {**account, "opens": opened, "marks": marked}
        cell = [list(shape.cell(index)) for index in (opened or marked)[:1]]
        self.log.append({**account, "opens": len(opened), "marks": len(marked), "first": cell})

    def ended(self, won: bool, kind: object) -> None:
        """Add a finished game to the counts of its kind."""
        if kind != self._kind:
            self._kind, self.games, self.wins = kind, 0, 0
        if self.alone:
            self.games += 1
            self.wins += won

    def to_window(self) -> Json:
        """Return the state as sent to windows."""
        return {
            **self.to_json(),
            "running": self.running,
            "thinking": self.thinking,
            "problem": self.problem,
            "choice": self.choice,
            "log": list(self.log),
            "games": self.games,
            "wins": self.wins,
        }

    def to_json(self) -> Json:
        """Return the settings for saving."""
        return {name: getattr(self, name) for name in _SAVED}


def bot_menu() -> list[Json]:
    """Return every registered bot with its one-line description."""
    return [
        {
            "name": name,
            "label": bot_label(name),
            "summary": Text((inspect.getdoc(factory) or "").partition("\n")[0], {}),
        }
        for name, factory in bots.items()
    ]


def _cells(choice: Choice, shape: Topology, *kinds: ActionKind) -> list[int]:
    cells = [action.cell for action in choice.actions if action.kind in kinds]
    return sorted({shape.index(cell) for cell in cells if cell is not None})
