"""When a bot's next action is due: slow enough to see, and after the last one is drawn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

__all__ = ["Pace"]

_UNSEEN_S: Final = 1.0
"""Seconds to wait for windows that draw nothing."""


class Pace:
    """Waits between actions, and wakes up when something changes."""

    def __init__(self) -> None:
        self._last = 0.0
        self._drawn: int | None = None
        self._news = asyncio.Event()

    def stir(self) -> None:
        """Wake up: something has changed."""
        self._news.set()

    def acted(self) -> None:
        """Record that an action was done just now."""
        self._last = asyncio.get_running_loop().time()

    def drawn(self, turn: int) -> None:
        """Record that a window has drawn the board as of a turn."""
        self._drawn = max(turn, self._drawn or 0)
        self.stir()

    async def wait(
        self, wanted: Callable[[], bool], delay_s: Callable[[], float], turn: Callable[[], int]
    ) -> None:
        """Wait until the next action is due and the last one is drawn.

        Args:
            wanted: Whether to wait any longer.
            delay_s: The seconds between actions; may change at any time.
            turn: The turn to draw first, if windows report drawing.
        """
        loop, patient = asyncio.get_running_loop(), True
        while patient and wanted():
            left = self._last + delay_s() - loop.time()
            if left <= 0 and (self._drawn is None or self._drawn >= turn()):
                break
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), left if left > 0 else _UNSEEN_S)
            except TimeoutError:
                patient = left > 0
        # Let other tasks run even if there is nothing to wait for.
        await asyncio.sleep(0)
