"""Adapt any bot to the way a program is played."""

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
    """A bot that opens the safe first cell, and sets flags only when they win.

    Where flags win a game, setting one is no note but an answer, and the last ends the game: so
    they are kept in mind until every clear cell is open.

    Args:
        bot: Who chooses.
        start: The cell that is opened first; None leaves that to the bot.
        keep_flags: Whether flags win, and are kept in mind; the bot sees them all the same.
    """

    def __init__(self, bot: Bot, start: Cell | None = None, *, keep_flags: bool = False) -> None:
        self._bot, self._start, self._keep = bot, start, keep_flags
        self._flags: set[int] = set()

    def begin(self, level: Level, seed: int) -> None:
        """Forget the last game."""
        self._flags = set()
        begin(self._bot, level, seed)

    def choose(self, position: Position) -> Choice:
        """Return the bot's choice, adjusted for the first cell and the flags.

        Raises:
            BotFailed: If the bot does nothing but set flags and take them off.
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
        """Return the position with the remembered flags."""
        cells = bytearray(position.cells)
        for index in self._flags:
            if cells[index] == _UNOPENED:
                cells[index] = _FLAGGED
        return replace(position, cells=bytes(cells))

    def _without_flags(self, choice: Choice, position: Position) -> tuple[Action, ...]:
        """Return the actions that are not flags, and remember the flags."""
        kept = []
        for action in choice.actions:
            if action.kind is ActionKind.FLAG and action.cell is not None:
                self._flags ^= {position.topology.index(action.cell)}
            else:
                kept.append(action)
        return tuple(kept)
