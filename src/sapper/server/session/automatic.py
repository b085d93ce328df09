"""State of the automatic mode: the bot, its speed and its latest choices."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from sapper._util.arguments import quoted
from sapper.actions import ActionKind
from sapper.server.protocol import BadMessage, Json, text_of
from sapper.server.session.assist_settings import switch_of
from sapper.solver.bots import METHODS, Choice, bots
from sapper.topology import Topology
from sapper.translation import Text

__all__ = ["SLOWEST_MS", "Automatic", "bot_menu"]

SLOWEST_MS: Final = 5000
"""Maximum delay between actions in milliseconds."""

_KEPT: Final = 12
_SAVED: Final = ("bot", "delay_ms", "loop")


class Automatic:
    """The bot that plays for a session, and the state of its play.

    Attributes:
        bot: Name of the bot in the registry.
        delay_ms: Milliseconds between actions; 0 plays as fast as windows draw.
        loop: Whether the bot starts another game after the end of one.
        running: Whether the bot plays continuously.
        thinking: Whether the bot has been thinking for a while.
        problem: Why the bot had to stop, or None.
        choice: The next or last choice, as sent to windows.
        log: Latest choices in this game, oldest first, as sent to windows.
        alone: Whether only the bot has acted in this game.
        games: Number of games that the bot finished alone.
        wins: Number of these that it won.
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
        self.log: deque[Json] = deque(maxlen=_KEPT)
        self._chosen = 0

    def change(self, message: Mapping[str, Any]) -> None:
        """Apply settings from a message or a save.

        Raises:
            BadMessage: If a setting is invalid; no setting is changed in this case.
        """
        settings = {name: message[name] for name in _SAVED if name in message}
        if "bot" in settings:
            text_of(settings, "bot", tuple(bots))
        if "loop" in settings:
            switch_of(settings, "loop")
        delay = settings.get("delay_ms", 0)
        if type(delay) is not int or not 0 <= delay <= SLOWEST_MS:
            raise BadMessage(f"'delay_ms' must be from 0 to {SLOWEST_MS}, got {quoted(delay):.40}")
        if settings.get("bot", self.bot) != self.bot:
            self.games = self.wins = 0
            self.forget()
        for name, value in settings.items():
            setattr(self, name, value)

    def chose(self, choice: Choice, shape: Topology) -> None:
        """Record a choice of the bot."""
        opened = _cells(choice, shape, ActionKind.OPEN, ActionKind.CHORD)
        marked = _cells(choice, shape, ActionKind.FLAG, ActionKind.QUESTION)
        # Removing a flag before opening its cell does not count as a mark.
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
        """Add a finished game to the counts for its kind."""
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
        {"name": name, "summary": Text((inspect.getdoc(factory) or "").partition("\n")[0], {})}
        for name, factory in bots.items()
    ]


def _cells(choice: Choice, shape: Topology, *kinds: ActionKind) -> list[int]:
    cells = [action.cell for action in choice.actions if action.kind in kinds]
    return sorted({shape.index(cell) for cell in cells if cell is not None})
