"""The future of a job that another thread does."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from sapper.errors import SapperError

__all__ = ["Busy", "JobFuture"]


class Busy(SapperError, RuntimeError):
    """The server is too busy for another job, or already has one of this player's."""

    code = "busy"


class JobFuture:
    """A future of the running event loop that any thread can settle.

    Attributes:
        loop: The event loop.
        future: The future of the job's result.
    """

    __slots__ = ("future", "loop")

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()

    def settle(self, result: Any, problem: BaseException | None) -> None:
        """Settle the future, from any thread."""
        # The loop may have stopped in the meantime.
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self.settle_here, result, problem)

    def settle_here(self, result: Any, problem: BaseException | None) -> None:
        """Settle the future, from the event loop, unless it is settled already."""
        if self.future.done():
            return
        if problem is None:
            self.future.set_result(result)
        elif isinstance(problem, Exception) and not isinstance(problem, StopIteration):
            self.future.set_exception(problem)
        else:
            # A future does not accept these, and they must not stop the loop.
            self.future.set_exception(RuntimeError(f"a job failed: {problem!r}"))
