"""Waits for other processes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Generator
from typing import Any

__all__ = ["BriefAsyncio", "Turn", "until"]


def until(done: Callable[[], bool], what: str, seconds: float = 300.0) -> None:
    """Wait for a condition.

    The limit only ends a hanging test; a busy machine takes longer than an idle one.

    Raises:
        TimeoutError: If it does not happen.
    """
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {seconds} s for {what}")
        time.sleep(0.02)


class Turn:
    """Yields to the event loop once when awaited, without a delay."""

    def __await__(self) -> Generator[None, None, None]:
        yield


class BriefAsyncio:
    """The asyncio module, except that every sleep takes only 2 ms."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    @staticmethod
    async def sleep(_: float) -> None:
        """Sleep briefly."""
        await asyncio.sleep(0.002)
