"""Runs a bot for the web app in its own thread, since it may be slow or fail."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

from sapper.errors import BotFailed
from sapper.position import Position
from sapper.rules import Level
from sapper.simulation import BotRunner
from sapper.solver.bots import Choice, make_bot

__all__ = ["TIME_LIMIT_S", "BotWorker"]

TIME_LIMIT_S: Final = 60.0
"""Time limit for one choice of a bot, in seconds."""

_Made = TypeVar("_Made")


class BotWorker:
    """A bot by name, created and called in threads.

    The threads are not part of a pool: a bot that never answers blocks nothing, not even the end of
    the server.

    Args:
        name: The bot's name in the registry.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._runner: BotRunner | None = None
        self._game: str | None = None

    async def choose(
        self, position: Position, level: Level, game: str, seed: int
    ) -> tuple[Choice, float]:
        """Return the bot's choice in a position, and the seconds it took.

        Args:
            position: The player's view.
            level: The level, used to notify the bot of a new game.
            game: Names the game.
            seed: The bot's own seed for that game.

        Raises:
            BotFailed: If it fails, or exceeds its time limit.
        """
        try:
            return await asyncio.wait_for(
                _aside(lambda: self._choose(position, level, game, seed)), TIME_LIMIT_S
            )
        except TimeoutError:
            raise self.failed(f"no answer within {TIME_LIMIT_S:g} seconds") from None

    def failed(self, reason: str) -> BotFailed:
        """Return the error that says what went wrong, naming the bot."""
        return BotFailed(f"bot {self.name}: {reason}")

    def settle(self, done: int, *, opened: bool) -> None:
        """Report the effect of the last choice.

        Raises:
            BotFailed: If the bot is stuck.
        """
        if self._runner is not None and self._runner.settle(done, opened=opened):
            raise self.failed(
                "it sets and takes off marks without opening a cell"
                if done
                else "it chose nothing that does anything"
            )

    def _choose(
        self, position: Position, level: Level, game: str, seed: int
    ) -> tuple[Choice, float]:
        if self._runner is None:
            self._runner = BotRunner(make_bot(self.name), self.name)
        runner = self._runner
        if self._game != game:
            runner.begin(level, seed)
            self._game = game
        before = runner.think_s
        return runner.choose(position), runner.think_s - before


async def _aside(work: Callable[[], _Made]) -> _Made:
    """Run work in its own thread, which nothing has to wait for, and return the result."""
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
        # The server may have stopped in the meantime.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, result, problem)

    threading.Thread(target=run, name="bot-choice", daemon=True).start()
    return await done
