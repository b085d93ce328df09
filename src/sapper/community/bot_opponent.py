"""A bot that plays a board at a person's pace and makes mistakes."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Self

from sapper.actions import Action, ActionKind
from sapper.community.bot_pace import BotPace, BotSettings
from sapper.errors import BotFailed
from sapper.position import NUMBERS, Position
from sapper.rules import Level
from sapper.simulation import BotRunner
from sapper.solver.bots import make_bot
from sapper.topology import Cell

__all__ = ["BotOpponent"]

_UNOPENED, _FLAGGED = ord("."), ord("F")


class BotOpponent(BotPace):
    """A bot on one board.

    Args:
        settings: How it plays.
        level: The level of the board.
        seed: The bot's seed, independent of the mines.
    """

    def __init__(self, settings: BotSettings, level: Level, seed: int) -> None:
        super().__init__(settings, seed)
        self._queue: list[Action] = []
        self._runner = BotRunner(make_bot(settings.bot), settings.bot)
        with suppress(BotFailed):
            self._runner.begin(level, seed)

    def choose(self, position: Position) -> Action | None:
        """Return an action that changes something, or None if every cell is open.

        A bot that raises an exception plays a random cell instead, so that the room continues.

        Args:
            position: The bot's view; opened mines are known mines.
        """
        if self._errs():
            self._queue.clear()
            return self._random(position)
        self._queue = [action for action in self._queue if _is_useful(action, position)]
        if not self._queue:
            chosen: tuple[Action, ...] = ()
            with suppress(BotFailed):
                chosen = self._runner.choose(position).actions
            self._queue = [action for action in chosen if _is_useful(action, position)]
        return self._queue.pop(0) if self._queue else self._random(position)

    def _random(self, position: Position) -> Action | None:
        """Return an action that opens a random cell, next to a number if possible."""
        cells, shape = position.cells, position.topology
        closed = [index for index, char in enumerate(cells) if char == _UNOPENED]
        near = [
            index
            for index in closed
            if any(cells[one] in NUMBERS for one in shape.graph.neighbours(index))
        ]
        if not (choice := near or closed):
            return None
        return Action(ActionKind.OPEN, shape.cell(self._pick(choice)))

    def to_json(self) -> dict[str, Any]:
        """Return the saved form."""
        queue = [[str(action.kind), *(action.cell or ())] for action in self._queue]
        return {**super().to_json(), "queue": queue}

    @classmethod
    def from_json(cls, obj: dict[str, Any], level: Level) -> Self:
        """Read the saved form of a bot on a board of this level."""
        made = cls(BotSettings(**obj["settings"]), level, obj["seed"])
        made._load(obj)
        made._queue = [Action(kind, Cell(row, col)) for kind, row, col in obj["queue"]]
        return made


def _is_useful(action: Action, position: Position) -> bool:
    """Return whether an action can still change something."""
    if action.cell is None:
        return False
    char = position.cells[position.topology.index(action.cell)]
    if action.kind is ActionKind.OPEN:
        return char == _UNOPENED
    if action.kind is ActionKind.CHORD:
        around = position.topology.graph.neighbours(position.topology.index(action.cell))
        return char in NUMBERS and any(position.cells[one] == _UNOPENED for one in around)
    return char in (_UNOPENED, _FLAGGED)
