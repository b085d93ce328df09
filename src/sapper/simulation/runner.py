"""Run a bot in simulations, the lab, the web app and other programs' windows.

The caller owns the game: it calls `BotRunner.choose`, performs the choice, and reports the
effect to `BotRunner.settle`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from time import perf_counter
from types import TracebackType
from typing import Self

from sapper._util.foreign_errors import defined_at, described, said, trace_of
from sapper._util.interrupt import is_interrupt
from sapper._util.renamed import renamed
from sapper._util.shortening import shortened, shown
from sapper._util.time_limit import TimeLimit, TimeUp
from sapper.actions import Action, ActionKind
from sapper.errors import BadSetting, BotFailed, SapperError
from sapper.position import Position
from sapper.rules import Level, Settings
from sapper.solver.bots import Bot, Choice, begin
from sapper.solver.bots.base import end
from sapper.topology import Topology

__all__ = ["BotRunner"]

_LONGEST_NAME = 60
_FEW = 4
"""Maximum number of actions shown in full in an error."""
_UNDO = ActionKind.UNDO


class BotRunner:
    """A supervised bot, with validated answers, a time limit, and detection of endless loops.

    The time limit applies only inside a ``with`` block of the runner.

    Args:
        bot: The bot.
        name: Name of the bot in errors (default: its class).
        seconds: Time limit for starting a game and for each choice; None for no limit.

    Attributes:
        name: Name of the bot in errors.
        think_s: Seconds that the bot has spent on choices in this game.
        bot: The bot.
        seconds: The time limit; None for no limit.
        forfeits: Whether a game in which the bot fails counts as lost, instead of ending the run.
        on_choice: Called with the number of each choice before the bot makes it, and with None
            afterwards.
    """

    told = renamed("told", "on_choice")

    def __init__(self, bot: Bot, name: str | None = None, seconds: float | None = None) -> None:
        self.name = name or str(getattr(bot, "__name__", type(bot).__name__))
        self.think_s = 0.0
        self.bot, self.seconds = bot, seconds
        self._limit = None if seconds is None else TimeLimit(seconds)
        self.on_choice: Callable[[int | None], None] | None = None
        self._game, self._choices, self._idle, self._most_idle = "", 0, 0, 0
        self.forfeits = getattr(bot, "forfeits", False) is True

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

    def begin(
        self, level: Level, seed: int, game: str = "", settings: Settings | None = None
    ) -> None:
        """Notify the bot that a game is starting.

        Args:
            level: The level, without a mine total if that is unknown.
            seed: The bot's seed for this game, independent of the mines.
            game: Name of the game in errors, such as ``game 7``.
            settings: The game's settings, without the seed of its mines; None if they are unknown.

        Raises:
            BotFailed: If the bot raises an exception or takes too long.
        """
        self._game, self._choices, self._idle = game, 0, 0
        self._most_idle = 2 * level.shape().size
        self.think_s = 0.0
        with self._watched():
            begin(self.bot, level, seed, settings)

    def end(self, result: str) -> None:
        """Notify the bot that the game has ended: ``won``, ``lost`` or ``aborted``.

        Raises:
            BotFailed: If the bot raises an exception or takes too long.
        """
        with self._watched():
            end(self.bot, result)

    def choose(self, position: Position) -> Choice:
        """Return the bot's choice in a position.

        Raises:
            BotFailed: If the bot raises an exception, takes too long, or its choice is invalid.
        """
        self._choices += 1
        with self._watched():
            started = perf_counter()
            choice = _checked(self.bot.choose(position), position.topology)
            self.think_s += perf_counter() - started
        return choice

    def settle(self, done: int, *, opened: bool) -> bool:
        """Return whether the bot is stuck after its choice was performed.

        It is stuck if the choice had no effect, or if it has made two choices per cell without
        opening any. The limit leaves room for bots that flag one cell at a time.

        Args:
            done: Number of its actions with an effect.
            opened: Whether any of them opened a cell.
        """
        self._idle = 0 if opened else self._idle + 1
        return done == 0 or self._idle > self._most_idle

    def refused(self, reason: object) -> BotFailed:
        """Return an error for a choice that cannot be carried out; it names the bot's method."""
        return self._failed(f"{defined_at(self.bot, 'choose') or 'choose'}: {reason}")

    def _failed(self, reason: str, trace: str = "", *, timed_out: bool = False) -> BotFailed:
        parts = [f"bot {self.name}", self._game, f"choice {self._choices}" if self._choices else ""]
        message = f"{', '.join(part for part in parts if part)}: {reason}"
        return BotFailed(message, trace, timed_out=timed_out)

    @contextmanager
    def _watched(self) -> Iterator[None]:
        if self._limit is not None:
            self._limit.start()
        if self.on_choice is not None:
            self.on_choice(self._choices)
        try:
            yield
        except TimeUp as problem:
            assert self._limit is not None
            late = f"took longer than {self._limit.seconds:g} s"
            failure = self._failed(
                described(problem, late), trace_of(problem, late), timed_out=True
            )
            raise failure from None
        except _Refused as problem:
            raise self.refused(problem) from None
        except BaseException as problem:
            if is_interrupt(problem):
                raise
            # Iterate only once, because iterating may use up the bot's remaining time.
            what = said(problem) if not isinstance(problem, SapperError) else ""
            raise self._failed(described(problem, what), trace_of(problem, what)) from problem
        finally:
            if self._limit is not None:
                self._limit.stop()
            if self.on_choice is not None:
                self.on_choice(None)


class _Refused(Exception):
    """An invalid answer from a bot; its text starts with a verb."""


def _checked(answer: object, shape: Topology) -> Choice:
    """Validate a bot's answer, and return it as a choice."""
    # A bot that returns more actions than this is in an endless loop.
    most = 4 * shape.size
    choice = answer if isinstance(answer, Choice) else None
    returned = answer if choice is None else choice.actions
    actions: tuple[object, ...]
    if choice is None and isinstance(returned, Action):
        actions = (returned,)
    elif isinstance(returned, Iterable) and not isinstance(returned, str | bytes):
        actions = returned if type(returned) is tuple else tuple(islice(returned, most + 1))
    else:
        raise _Refused(_unexpected(answer))
    if len(actions) > most:
        raise _Refused(f"returned more than {most} actions")
    checked = tuple([_action(action, answer, shape) for action in actions])
    if choice is None:
        return Choice(checked)
    risk = _risk(choice.risk)
    if checked == choice.actions and _is_plain(choice):
        return choice
    return Choice(
        actions=checked,
        by=str(choice.by)[:_LONGEST_NAME].encode("utf-8", "replace").decode("utf-8"),
        risk=risk,
        guess=bool(choice.guess),
    )


def _unexpected(answer: object) -> str:
    """Describe the value that a bot returned and the expected one."""
    if isinstance(answer, Choice):
        returned = f"a Choice whose actions are {shown(answer.actions)}"
        return f"returned {returned}; expected a tuple of Actions"
    return f"returned {shown(answer)}; expected an Action, several Actions or a Choice"


def _risk(risk: object) -> float | None:
    """Return a predicted risk as a `float`."""
    if risk is None:
        return None
    value = None
    if not isinstance(risk, str | bytes):
        with suppress(TypeError, ValueError, OverflowError):
            value = float(risk)  # type: ignore[arg-type]  # it may be anything
    if value is None or not 0 <= value <= 1:
        raise _Refused(f"returned the risk {shown(risk)}; expected a number from 0 to 1")
    return value


def _is_plain(choice: Choice) -> bool:
    """Return whether every field has exactly its declared type and the name is normalized."""
    return (
        type(choice.actions) is tuple
        and type(choice.by) is str
        and len(choice.by) <= _LONGEST_NAME
        and choice.by.isascii()
        and (choice.risk is None or type(choice.risk) is float)
        and type(choice.guess) is bool
        and type(choice) is Choice
    )


def _action(action: object, answer: object, shape: Topology) -> Action:
    """Return an action; reject actions that are impossible on this board."""
    if not isinstance(action, Action):
        whole = answer.actions if isinstance(answer, Choice) else answer
        if isinstance(whole, list | tuple | set | frozenset) and len(whole) <= _FEW:
            raise _Refused(_unexpected(answer))
        raise _Refused(
            f"returned a {type(whole).__name__} with {shown(action)} in it; expected Actions"
        )
    if action.kind is _UNDO:
        raise _Refused("chose to undo, which a bot cannot do")
    try:
        shape.index(action.cell)  # type: ignore[arg-type]  # it may be None
    except BadSetting:
        where = "no cell" if action.cell is None else f"{action.cell}"
        raise _Refused(
            f"chose to {action.kind} {shortened(where)} on a board of {shape.height} rows "
            f"and {shape.width} columns, counted from 0"
        ) from None
    # An object of a class that the bot defines could change on every access.
    return action if type(action) is Action else Action(action.kind, action.cell, action.at_s)
