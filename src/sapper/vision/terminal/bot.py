"""Adapt a bot to the rules of a program."""

from __future__ import annotations

from dataclasses import replace

from sapper.actions import Action, ActionKind
from sapper.errors import BotFailed
from sapper.position import FLAGGED, UNOPENED, Position
from sapper.rules import Level
from sapper.solver.bots import Bot, Choice, as_choice, begin
from sapper.solver.bots.base import flags
from sapper.topology import Cell

__all__ = ["Accustomed"]

_UNOPENED, _FLAGGED = UNOPENED.encode()[0], FLAGGED.encode()[0]


class Accustomed:
    """Wraps a bot so that it opens the safe first cell and delays flags until they win the game.

    In programs in which flags win, the last flag ends the game, so flags are only noted until every
    clear cell is open.

    Args:
        bot: The bot.
        start: The cell to open first; None lets the bot choose.
        keep_flags: Whether flags win and are delayed; the bot sees its flags in either case.
    """

    def __init__(self, bot: Bot, start: Cell | None = None, *, keep_flags: bool = False) -> None:
        self._bot, self._start, self._keep = bot, start, keep_flags
        self._flags: set[int] = set()

    def begin(self, level: Level, seed: int) -> None:
        """Discard the last game."""
        self._flags = set()
        begin(self._bot, level, seed)

    def choose(self, position: Position) -> Choice:
        """Return the bot's choice, adjusted for the first cell and the flags.

        Raises:
            BotFailed: If the bot only sets and removes flags.
        """
        if self._start is not None and set(position.cells) == {_UNOPENED}:
            return Choice((Action(ActionKind.OPEN, self._start),), by="free start", risk=0.0)
        if not self._keep:
            return as_choice(self._bot.choose(position))
        covered = position.unopened_cells()
        if len(covered) == position.mines:
            return Choice(tuple(flags(position, map(position.topology.index, covered))), by="flags")
        for _ in range(2 * position.topology.size):
            choice = as_choice(self._bot.choose(self._flagged(position)))
            opens = self._without_flags(choice, position)
            if opens or not choice.actions:
                return replace(choice, actions=opens)
        raise BotFailed("the bot only sets and removes flags")

    def _flagged(self, position: Position) -> Position:
        """Return the position with the noted flags."""
        cells = bytearray(position.cells)
        for index in self._flags:
            if cells[index] == _UNOPENED:
                cells[index] = _FLAGGED
        return replace(position, cells=bytes(cells))

    def _without_flags(self, choice: Choice, position: Position) -> tuple[Action, ...]:
        """Return the actions that are not flags, and note the flags."""
        others = []
        for action in choice.actions:
            if action.kind is ActionKind.FLAG and action.cell is not None:
                self._flags ^= {position.topology.index(action.cell)}
            else:
                others.append(action)
        return tuple(others)
