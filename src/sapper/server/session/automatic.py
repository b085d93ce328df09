"""The automatic mode of a session: the bot, its speed, and its latest choices."""

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
"""The longest wait between two actions, in milliseconds."""

_KEPT: Final = 12
_SAVED: Final = ("bot", "delay_ms", "loop")


class Automatic:
    """Which bot plays for a session, and the state of its play.

    Attributes:
        bot: The bot's name in the registry.
        delay_ms: Milliseconds from one action to the next, or 0 for as fast as it is drawn.
        loop: Whether the bot starts another game when one is over.
        running: Whether it plays continuously.
        thinking: Whether it has been thinking for a while.
        problem: Why it had to stop, or None.
        choice: The next or last choice, as reported.
        log: Its last choices in this game, oldest first, as reported.
        alone: Whether only the bot acted in this game.
        games: Number of games it finished alone.
        wins: Number of these it won.
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
        """Forget the choices."""
        self.choice: Json | None = None
        self.log: deque[Json] = deque(maxlen=_KEPT)
        self._chosen = 0

    def change(self, given: Mapping[str, Any]) -> None:
        """Apply settings from a message or a save.

        Raises:
            BadMessage: If one of them is invalid; none is applied then.
        """
        wanted = {name: given[name] for name in _SAVED if name in given}
        if "bot" in wanted:
            text_of(wanted, "bot", tuple(bots))
        if "loop" in wanted:
            switch_of(wanted, "loop")
        delay = wanted.get("delay_ms", 0)
        if type(delay) is not int or not 0 <= delay <= SLOWEST_MS:
            raise BadMessage(f"'delay_ms' must be from 0 to {SLOWEST_MS}, got {quoted(delay):.40}")
        if wanted.get("bot", self.bot) != self.bot:
            self.games = self.wins = 0
            self.forget()
        for name, value in wanted.items():
            setattr(self, name, value)

    def chose(self, choice: Choice, shape: Topology) -> None:
        """Record a choice of the bot."""
        opened = _cells(choice, shape, ActionKind.OPEN, ActionKind.CHORD)
        marked = _cells(choice, shape, ActionKind.FLAG, ActionKind.QUESTION)
        # A flag that is removed before its cell is opened does not count as a mark.
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
        """Count a finished game among those of the same kind."""
        if kind != self._kind:
            self._kind, self.games, self.wins = kind, 0, 0
        if self.alone:
            self.games += 1
            self.wins += won

    def told(self) -> Json:
        """Return the state that a window shows."""
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
        """Return the settings, for saving."""
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
