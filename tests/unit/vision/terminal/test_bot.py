"""Adapting bots to the way a program is played."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sapper.actions import Action, ActionKind
from sapper.errors import BotFailed
from sapper.position import Position
from sapper.rules import Level
from sapper.solver.bots import begin, make_bot
from sapper.topology import Cell
from sapper.vision.terminal.bot import Accustomed

FLAG, OPEN = ActionKind.FLAG, ActionKind.OPEN


class Scripted:
    """A bot that plays given choices and records the positions it gets."""

    def __init__(self, *choices: list[Action]) -> None:
        self.choices: Iterator[list[Action]] = iter(choices)
        self.shown: list[Position] = []

    def choose(self, position: Position) -> list[Action]:
        self.shown.append(position)
        return next(self.choices)


def test_safe_first_cell_is_opened() -> None:
    """The cell that the program guarantees is opened first, then the bot is asked."""
    bot = Accustomed(Scripted([Action(OPEN, Cell(0, 2))]), Cell(1, 1))
    first = bot.choose(Position.parse("...\n...\n...", mines=2))
    assert first.actions == (Action(OPEN, Cell(1, 1)),)
    assert not first.guess
    then = bot.choose(Position.parse("...\n.1.\n...", mines=2))
    assert then.actions == (Action(OPEN, Cell(0, 2)),)


def test_flags_are_held_back_until_they_win() -> None:
    """The bot sees its flags; the program gets them when every safe cell is open."""
    corner = Action(FLAG, Cell(0, 0))
    scripted = Scripted([corner], [Action(OPEN, Cell(0, 2))])
    bot = Accustomed(scripted, keep_flags=True)
    position = Position.parse(".1.", mines=1)
    assert bot.choose(position).actions == (Action(OPEN, Cell(0, 2)),)
    assert [p.rows for p in scripted.shown] == [[".1."], ["F1."]]
    assert bot.choose(Position.parse(".10", mines=1)).actions == (corner,)


def test_harmless_flags_are_set() -> None:
    """If opening cells wins, the bot's flags are set in the program."""
    flag = Action(FLAG, Cell(0, 0))
    bot = Accustomed(Scripted([flag]))
    assert bot.choose(Position.parse(".1.", mines=1)).actions == (flag,)


def test_a_bot_that_only_flags_is_stopped() -> None:
    """The bot must not set and remove remembered flags forever."""
    flag = [Action(FLAG, Cell(0, 0))]
    bot = Accustomed(Scripted(*[flag] * 20), keep_flags=True)
    with pytest.raises(BotFailed, match="only sets and removes flags"):
        bot.choose(Position.parse(".1.", mines=1))


def test_a_new_game_forgets_the_flags() -> None:
    """The bot gets the new position without the old flags."""
    bot = Accustomed(make_bot("groups"), keep_flags=True)
    bot.choose(Position.parse(".1..\n1100", mines=2))
    begin(bot, Level(4, 2, 2), 1)
    assert bot._flagged(Position.parse("....\n....", mines=2)).cells == b"." * 8
