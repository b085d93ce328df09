"""What drives a bot, wherever it plays."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from sapper.actions import Action, ActionKind
from sapper.errors import BotFailed
from sapper.position import Position
from sapper.rules import Level
from sapper.simulation import BotRunner
from sapper.solver.bots import Choice
from sapper.topology import Cell

POSITION = Position.parse("...\n...", mines=2)
OPEN = Action(ActionKind.OPEN, Cell(0, 0))


class Scripted:
    """Answers by a function, and remembers what it was told of its games."""

    def __init__(self, answer: Callable[[Position], Any]) -> None:
        self._answer = answer
        self.games: list[tuple[Level, int]] = []

    def begin(self, level: Level, seed: int) -> None:
        self.games.append((level, seed))

    def choose(self, position: Position) -> Any:
        return self._answer(position)


def _raises(problem: BaseException) -> Callable[[Position], Any]:
    def answer(_: Position) -> Any:
        raise problem

    return answer


def test_a_choice_is_returned_with_its_account() -> None:
    """An action alone becomes a choice; the game's seed reaches the bot."""
    bot = Scripted(lambda _: OPEN)
    runner = BotRunner(bot)
    runner.begin(Level(3, 2), 7)
    assert runner.choose(POSITION) == Choice((OPEN,))
    assert bot.games == [(Level(3, 2), 7)]
    assert runner.think_s > 0


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (_raises(KeyError("lost")), "bot odd, game 3: KeyError: 'lost'"),
        (_raises(SystemExit(2)), "bot odd, game 3: SystemExit: 2"),
        (lambda _: 7, "bot odd, game 3: a bot must return an Action"),
        (lambda _: Action(ActionKind.UNDO, None), "cannot undo"),
        (lambda _: Action(ActionKind.OPEN, None), "to open no cell"),
        (
            lambda _: Action(ActionKind.FLAG, Cell(2, 0)),
            r"to flag \(2, 0\) on a board of 2 rows",
        ),
        (lambda _: [OPEN] * 25, "more than 24 actions at once"),
        (lambda _: Choice((OPEN,), risk=1.5), "a risk must be between 0 and 1, got 1.5"),
    ],
)
def test_what_cannot_be_done_names_bot_and_game(answer: Any, message: str) -> None:
    """There is one error for all that a bot can do wrong."""
    runner = BotRunner(Scripted(answer), "odd")
    runner.begin(Level(3, 2), 1, "game 3")
    with pytest.raises(BotFailed, match=message):
        runner.choose(POSITION)


def test_a_choice_that_takes_too_long_ends() -> None:
    """The limit holds inside the runner's with block, choice by choice."""
    bot = Scripted(lambda _: threading.Event().wait(1000))
    with BotRunner(bot, "slow", seconds=0.5) as runner:
        runner.begin(Level(3, 2), 1)
        with pytest.raises(BotFailed, match=r"bot slow: choice 1 took longer than 0\.5 s"):
            runner.choose(POSITION)


def test_a_bot_is_stuck_that_does_nothing_or_opens_nothing() -> None:
    """Two choices a cell may pass without opening one; a new game counts anew."""
    runner = BotRunner(Scripted(lambda _: OPEN))
    runner.begin(Level(3, 2), 1)
    assert runner.settle(0, opened=False)
    for _ in range(2):
        runner.begin(Level(3, 2), 1)
        assert not any(runner.settle(1, opened=False) for _ in range(12))
        assert not runner.settle(1, opened=True)
    assert [runner.settle(1, opened=False) for _ in range(13)].index(True) == 12
