"""Add finished games to the history."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from contextvars import copy_context
from typing import Any

from sapper._util.clock import now_ms
from sapper.errors import SapperError
from sapper.game import Game
from sapper.history import History, Record, WinFigures
from sapper.tui.win_text import win_text

__all__ = ["GameLog"]


class GameLog:
    """Tracks who played the current game and which help was used, and adds it to the history.

    Records are measured and written one by one in a thread; the program waits for them on exit.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "sapper-history")
        self._pending: list[Future[None]] = []
        self.begin()

    @property
    def busy(self) -> bool:
        """Whether a game is being saved."""
        self._pending = [one for one in self._pending if not one.done()]
        return bool(self._pending)

    @property
    def counts(self) -> bool:
        """Whether the game has been played by hand and without help so far."""
        return self._by_hand and not self._helped

    def begin(self) -> None:
        """Start tracking a new game."""
        self._helped, self._bot, self._by_hand = "", "", False

    def help(self, why: str) -> None:
        """Record the use of help: ``hint``, ``overlay`` or ``undo``; the first one counts."""
        self._helped = self._helped or why

    def moved(self, bot: str = "") -> None:
        """Record an action of a bot or of the player."""
        if bot:
            self._bot = bot
        else:
            self._by_hand = True
        if self._bot and self._by_hand:
            self.help("bot")

    def finish(
        self,
        game: Game,
        failed: Callable[[Exception], object],
        compared: Callable[[str], object],
    ) -> None:
        """Add a finished game.

        Args:
            game: The game.
            failed: Called with an error message.
            compared: For a win without help, called with its comparison with earlier wins.
        """
        saved, finished_ms = game.to_json(), now_ms()
        bot = "" if self._by_hand else self._bot
        helped = "" if bot else self._helped
        loop, context = asyncio.get_running_loop(), copy_context()

        def tell(whom: Callable[[Any], object], what: object) -> None:
            # The program may have ended by now.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(whom, what, context=context)

        def add() -> None:
            try:
                record = Record.of_game(Game.from_json(saved), finished_ms, bot=bot, helped=helped)
                with History() as history:
                    bests = history.bests()
                    history.add(record)
                if comparison := bests.compare(record):
                    tell(compared, win_text(WinFigures.of(record), comparison))
            except (SapperError, OSError) as problem:
                tell(failed, problem)

        self._pending.append(self._thread.submit(add))

    def wait(self) -> None:
        """Wait until every finished game is saved."""
        wait(list(self._pending))

    def close(self) -> None:
        """Wait until every game is saved."""
        self._thread.shutdown()
