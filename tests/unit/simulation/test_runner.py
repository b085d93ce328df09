"""Running a bot in any environment."""

import itertools
import pickle
import re
import signal
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
EXPECTED = "expected an Action, several Actions or a Choice"


class Scripted:
    """A bot that takes its answers from a function and records its games."""

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


def test_choice_is_returned() -> None:
    """A single action is turned into a choice; the bot receives the game's seed."""
    bot = Scripted(lambda _: OPEN)
    runner = BotRunner(bot)
    runner.begin(Level(3, 2), 7)
    assert runner.choose(POSITION) == Choice((OPEN,))
    assert bot.games == [(Level(3, 2), 7)]
    assert runner.think_s > 0


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (_raises(KeyError("lost")), r"in answer: KeyError: 'lost'$"),
        (_raises(SystemExit(2)), r"in answer: SystemExit: 2$"),
        (_raises(GeneratorExit()), r"in answer: GeneratorExit$"),
        (_raises(StopIteration()), r"in answer: StopIteration$"),
        (_raises(BaseException("odd")), r"in answer: BaseException: odd$"),
        (_raises(ValueError("\ud800\x1b[1m\nmore")), r"in answer: ValueError: \?\?\[1m$"),
        (lambda _: 7, f"returned 7; {EXPECTED}"),
        (lambda _: None, f"returned None; {EXPECTED}"),
        (lambda _: "open 3 4", f"returned 'open 3 4'; {EXPECTED}"),
        (lambda _: b"open", f"returned b'open'; {EXPECTED}"),
        (lambda _: (3, 4), rf"returned \(3, 4\); {EXPECTED}"),
        (lambda _: [OPEN, OPEN, 7, OPEN, OPEN], "returned a list with 7 in it; expected Actions"),
        (lambda _: iter([7]), "returned a list_iterator with 7 in it; expected Actions"),
        (lambda _: Unprintable(), "returned <Unprintable .*; expected"),
        (lambda _: Choice("open"), "a Choice whose actions are 'open'"),  # type: ignore[arg-type]
        (lambda _: Action(ActionKind.UNDO, None), "chose to undo"),
        (lambda _: Action(ActionKind.OPEN, None), "to open no cell"),
        (
            lambda _: Action(ActionKind.FLAG, Cell(2, 0)),
            r"to flag \(2, 0\) on a board of 2 rows",
        ),
        (lambda _: [OPEN] * 25, "returned more than 24 actions"),
        (lambda _: itertools.repeat(OPEN), "returned more than 24 actions"),
        (lambda _: Choice((OPEN,), risk=1.5), "the risk 1.5; expected a number from 0 to 1"),
        (lambda _: Choice((OPEN,), risk=float("nan")), "the risk nan; expected"),
        (lambda _: Choice((OPEN,), risk=10**400), "the risk 1000.*0; expected"),
        (lambda _: Choice((OPEN,), risk="low"), "the risk 'low'; expected"),  # type: ignore[arg-type]
    ],
)
def test_invalid_choice_error_names_bot_and_game(answer: Any, message: str) -> None:
    """All invalid choices raise the same error, which gives the file and line."""
    runner = BotRunner(Scripted(answer), "odd")
    runner.begin(Level(3, 2), 1, "game 3")
    with pytest.raises(BotFailed, match=message) as caught:
        runner.choose(POSITION)
    start = r"bot odd, game 3, choice 1: \S*test_runner\.py:\d+ in (choose|answer): "
    assert re.match(start, str(caught.value))


class Unprintable(Exception):
    """An object that raises an error when it is printed."""

    def __str__(self) -> str:
        raise GeneratorExit

    __repr__ = __str__


def test_unprintable_error_shows_its_type() -> None:
    """[#34] The worker used to print a traceback."""
    runner = BotRunner(Scripted(_raises(Unprintable())), "odd")
    runner.begin(Level(3, 2), 1, "game 3")
    told = r"Unprintable: its text cannot be shown \(GeneratorExit in __str__\)$"
    with pytest.raises(BotFailed, match=told) as caught:
        runner.choose(POSITION)
    assert isinstance(caught.value.__cause__, Unprintable)


def test_error_includes_its_traceback() -> None:
    """The calls start at the bot's method and include source lines; the error can be pickled."""
    runner = BotRunner(Scripted(_raises(KeyError("lost"))), "odd")
    runner.begin(Level(3, 2), 1)
    with pytest.raises(BotFailed) as caught:
        runner.choose(POSITION)
    first, line, *_, last = caught.value.trace.splitlines()
    assert re.fullmatch(r"\S*test_runner\.py:\d+: in choose", first)
    assert line == "    return self._answer(position)"
    assert last == "KeyError: 'lost'"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.trace) == (str(caught.value), caught.value.trace)


def test_interrupt_raised_by_a_bot_is_an_error_in_workers() -> None:
    """A bot's `KeyboardInterrupt` is an error in workers; elsewhere, it acts like Ctrl-C."""
    runner = BotRunner(Scripted(_raises(KeyboardInterrupt())), "odd")
    runner.begin(Level(3, 2), 1)
    # Shells start programs in the background with this signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            runner.choose(POSITION)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with pytest.raises(BotFailed, match=r"choice 2: .* in answer: KeyboardInterrupt$"):
            runner.choose(POSITION)
    finally:
        signal.signal(signal.SIGINT, before)


def test_unencodable_level_name_is_replaced() -> None:
    """[#34] A lone surrogate crashed the worker that wrote the name."""
    runner = BotRunner(Scripted(lambda _: Choice((OPEN,), by="a\ud800é")))
    runner.begin(Level(3, 2), 1)
    assert runner.choose(POSITION).by == "a?é"


def test_slow_choice_is_stopped() -> None:
    """The limit applies to each choice in the runner's ``with`` block."""
    bot = Scripted(lambda _: threading.Event().wait(1000))
    with BotRunner(bot, "slow", seconds=0.5) as runner:
        runner.begin(Level(3, 2), 1)
        late = r"bot slow, choice 1: \S*test_runner\.py:\d+ in <lambda>: took longer than 0\.5 s"
        with pytest.raises(BotFailed, match=late) as caught:
            runner.choose(POSITION)
    assert "time_limit.py" not in caught.value.trace


def test_bot_without_effect_or_openings_is_stuck() -> None:
    """Two choices per cell may pass without an opening; a new game resets the count."""
    runner = BotRunner(Scripted(lambda _: OPEN))
    runner.begin(Level(3, 2), 1)
    assert runner.settle(0, opened=False)
    for _ in range(2):
        runner.begin(Level(3, 2), 1)
        assert not any(runner.settle(1, opened=False) for _ in range(12))
        assert not runner.settle(1, opened=True)
    assert [runner.settle(1, opened=False) for _ in range(13)].index(True) == 12
