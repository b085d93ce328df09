"""A bot at work for the web app: it thinks in a thread of its own, and may fail."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from time import perf_counter
from typing import Final, TypeVar

from sapper.actions import Action, ActionKind
from sapper.aside import aside
from sapper.errors import SapperError
from sapper.position import Position
from sapper.rules import Level
from sapper.solver.bots import Answer, Bot, Choice, as_choice, begin, make_bot
from sapper.topology import Topology

__all__ = ["TIME_LIMIT_S", "BotFailed", "BotWorker"]

TIME_LIMIT_S: Final = 60.0
"""How long a bot may think about one choice, in seconds."""

_LONGEST_NAME: Final = 60

_Made = TypeVar("_Made")


class BotFailed(SapperError):
    """A bot that raised an error, or chose what no player can do."""

    code = "bot_failed"


class BotWorker:
    """A bot by name, which is made, begun and asked in threads.

    The threads are no part of any pool: a bot that never answers holds nothing up, not even
    the end of the server.

    Args:
        name: The bot's name in the registry.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._bot: Bot | None = None
        self._game: str | None = None

    async def choose(
        self, position: Position, level: Level, game: str, seed: int
    ) -> tuple[Choice, float]:
        """What the bot does in a position, and the seconds that it thought.

        Args:
            position: What the player sees.
            level: For the bot to begin with, where the game is another one than last time.
            game: Names the game.
            seed: The bot's own seed for that game.

        Raises:
            BotFailed: If it fails, or takes longer than it may.
        """
        try:
            return await asyncio.wait_for(
                _aside(lambda: self._choose(position, level, game, seed)), TIME_LIMIT_S
            )
        except TimeoutError:
            raise BotFailed(
                f"the bot {self.name} gave no answer within {TIME_LIMIT_S:g} seconds"
            ) from None

    def _choose(
        self, position: Position, level: Level, game: str, seed: int
    ) -> tuple[Choice, float]:
        try:
            if self._bot is None:
                self._bot = make_bot(self.name)
            if self._game != game:
                begin(self._bot, level, seed)
                self._game = game
            started = perf_counter()
            answer = self._bot.choose(position)
            choice = _checked(answer, position.topology)
            return choice, perf_counter() - started
        except BotFailed as problem:
            raise BotFailed(f"the bot {self.name} {problem}") from None
        except BaseException as problem:
            said = f"{type(problem).__name__}: {problem}".splitlines()[0]
            raise BotFailed(f"the bot {self.name} failed: {said:.200}") from problem


def _checked(answer: Answer, shape: Topology) -> Choice:
    """A bot's answer as a choice of finite length that can be told."""
    # Whoever needs more actions than this goes round in circles.
    most = 4 * shape.size
    if isinstance(answer, Choice):
        choice = replace(answer, actions=tuple(islice(answer.actions, most + 1)))
    elif isinstance(answer, Iterable):
        choice = as_choice(islice(answer, most + 1))
    else:
        choice = as_choice(answer)
    if len(choice.actions) > most:
        raise BotFailed(f"chose more than {most} actions at once")
    for action in choice.actions:
        _check(action, shape)
    risk = choice.risk
    if risk is not None and not 0 <= risk <= 1:
        raise BotFailed(f"named a risk of {risk}, which is not from 0 to 1")
    return replace(
        choice,
        by=str(choice.by)[:_LONGEST_NAME],
        risk=None if risk is None else float(risk),
        guess=bool(choice.guess),
    )


def _check(action: Action, shape: Topology) -> None:
    """Refuse what no player of this board can do."""
    if action.kind is ActionKind.UNDO:
        raise BotFailed("chose undo, which a bot cannot do")
    try:
        shape.index(action.cell)  # type: ignore[arg-type]  # it may be anything
    except Exception:
        where = "no cell" if action.cell is None else f"{action.cell!s:.40}"
        raise BotFailed(
            f"chose to {action.kind} {where} on a board of {shape.height} rows "
            f"and {shape.width} columns"
        ) from None


async def _aside(work: Callable[[], _Made]) -> _Made:
    """What work gives, done in a thread of its own that nothing has to wait for."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[_Made] = loop.create_future()

    def settle(result: _Made | None, problem: BaseException | None) -> None:
        if done.cancelled():
            return
        if problem is not None:
            done.set_exception(problem)
        else:
            done.set_result(result)  # type: ignore[arg-type]  # made, as nothing was raised

    def run() -> None:
        result, problem = None, None
        try:
            result = work()
        except BaseException as raised:
            problem = raised
        # The server may have stopped meanwhile.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, result, problem)

    aside(run, daemon=True)
    return await done
