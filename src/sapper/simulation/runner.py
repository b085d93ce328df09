"""Runs a bot through games in simulations, the lab, the web app and other programs' windows.

The caller owns the game: it calls `BotRunner.choose`, performs the choice, and reports the
effect to `BotRunner.settle`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from time import perf_counter
from types import TracebackType
from typing import Self

from sapper._util.time_limit import TimeLimit, TimeUp
from sapper.actions import Action, ActionKind
from sapper.errors import BadSetting, BotFailed, SapperError
from sapper.position import Position
from sapper.rules import Level
from sapper.solver.bots import Answer, Bot, Choice, as_choice, begin
from sapper.topology import Topology

__all__ = ["BotRunner"]

_LONGEST_NAME = 60
_UNDO = ActionKind.UNDO


class BotRunner:
    """A supervised bot: checked answers, a time limit, and detection of endless loops.

    The time limit applies only inside a ``with`` block of the runner.

    Args:
        bot: The bot.
        name: The name that errors give it (default: its class).
        seconds: Time limit for beginning a game and for each choice; None for no limit.

    Attributes:
        name: The name that errors give it.
        think_s: Seconds that the bot has taken to choose since the game began.
        told: Called with the number of each choice before it is made, and with None after it.
    """

    def __init__(self, bot: Bot, name: str | None = None, seconds: float | None = None) -> None:
        self.name = name or str(getattr(bot, "__name__", type(bot).__name__))
        self.think_s = 0.0
        self._bot = bot
        self._limit = None if seconds is None else TimeLimit(seconds)
        self.told: Callable[[int | None], None] | None = None
        self._game, self._choices, self._idle, self._most_idle = "", 0, 0, 0

    def __enter__(self) -> Self:
        if self._limit is not None:
            self._limit.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._limit is not None:
            self._limit.__exit__(kind, error, trace)

    def begin(self, level: Level, seed: int, game: str = "") -> None:
        """Tell the bot that a game starts.

        Args:
            level: The level, without a mine total if that is unknown.
            seed: The bot's own seed for this game; it says nothing about the mines.
            game: What errors call the game, such as ``game 7``.

        Raises:
            BotFailed: If the bot raises, or takes too long.
        """
        self._game, self._choices, self._idle = game, 0, 0
        self._most_idle = 2 * level.shape().size
        self.think_s = 0.0
        with self._watched():
            begin(self._bot, level, seed)

    def choose(self, position: Position) -> Choice:
        """Return the bot's choice in a position.

        Raises:
            BotFailed: If the bot raises, takes too long, or its choice is invalid.
        """
        self._choices += 1
        with self._watched():
            started = perf_counter()
            choice = _checked(self._bot.choose(position), position.topology)
            self.think_s += perf_counter() - started
        return choice

    def settle(self, done: int, *, opened: bool) -> bool:
        """Return whether the bot is stuck, now that its choice has been carried out.

        It is if the choice did nothing, or if two choices per cell have opened nothing: a bot
        that flags one cell at a time does not need more.

        Args:
            done: How many of its actions did something.
            opened: Whether one of them opened a cell.
        """
        self._idle = 0 if opened else self._idle + 1
        return done == 0 or self._idle > self._most_idle

    def failed(self, reason: object) -> BotFailed:
        """Return the error that says what went wrong, naming the bot and the game."""
        return BotFailed(f"bot {self.name}{', ' if self._game else ''}{self._game}: {reason}")

    @contextmanager
    def _watched(self) -> Iterator[None]:
        if self._limit is not None:
            self._limit.start()
        if self.told is not None:
            self.told(self._choices)
        try:
            yield
        except TimeUp:
            assert self._limit is not None
            reason = f"choice {self._choices} took longer than {self._limit.seconds:g} s"
            raise self.failed(reason) from None
        except (Exception, SystemExit) as problem:
            kind = "" if isinstance(problem, SapperError) else f"{type(problem).__name__}: "
            first_line = (str(problem).splitlines() or [""])[0]
            raise self.failed(f"{kind}{first_line:.200}") from problem
        finally:
            if self._limit is not None:
                self._limit.stop()
            if self.told is not None:
                self.told(None)


def _checked(answer: Answer, shape: Topology) -> Choice:
    """Return a bot's answer as a choice that can be carried out."""
    # A bot that needs more actions than this is in an endless loop.
    most = 4 * shape.size
    if isinstance(answer, Choice):
        choice = answer
        if type(choice.actions) is not tuple:
            if not isinstance(choice.actions, Iterable):
                raise BadSetting(
                    f"the actions of a Choice must be several, got {choice.actions!r:.80}"
                )
            choice = replace(choice, actions=tuple(islice(choice.actions, most + 1)))
    elif isinstance(answer, Iterable):
        choice = as_choice(islice(answer, most + 1))
    else:
        choice = as_choice(answer)
    if len(choice.actions) > most:
        raise BadSetting(f"it chose more than {most} actions at once")
    for action in choice.actions:
        _check(action, shape)
    risk = choice.risk
    if risk is not None and not 0 <= risk <= 1:
        raise BadSetting(f"a risk must be between 0 and 1, got {risk}")
    if _is_plain(choice):
        return choice
    return Choice(
        actions=choice.actions,
        by=str(choice.by)[:_LONGEST_NAME],
        risk=None if risk is None else float(risk),
        guess=bool(choice.guess),
    )


def _is_plain(choice: Choice) -> bool:
    """Whether every field has exactly the declared type, and the name its final length."""
    return (
        type(choice.by) is str
        and len(choice.by) <= _LONGEST_NAME
        and (choice.risk is None or type(choice.risk) is float)
        and type(choice.guess) is bool
        and type(choice) is Choice
    )


def _check(action: Action, shape: Topology) -> None:
    """Reject what no player of this board can do."""
    if not isinstance(action, Action):
        raise BadSetting(f"the actions of a Choice must be Actions, got {action!r:.80}")
    if action.kind is _UNDO:
        raise BadSetting("a bot cannot undo")
    try:
        shape.index(action.cell)  # type: ignore[arg-type]  # it may be anything
    except Exception:
        where = "no cell" if action.cell is None else f"{action.cell!s:.40}"
        raise BadSetting(
            f"it chose to {action.kind} {where} on a board of {shape.height} rows "
            f"and {shape.width} columns"
        ) from None
