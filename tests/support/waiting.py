"""Waits for other processes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Generator
from time import monotonic, sleep
from typing import Any, TypeVar

from sapper._util.shortening import shortened

__all__ = ["AWAITED_S", "BriefAsyncio", "Turn", "awaited", "awaited_async", "until"]

_Message = TypeVar("_Message")

AWAITED_S = 300.0
"""The longest wait for one message, however many others arrive in the meantime.

The limit only ends a hanging test; a busy machine takes longer than an idle one.
"""


def until(done: Callable[[], bool], what: str, seconds: float = 300.0) -> None:
    """Wait for a condition.

    The limit only ends a hanging test; a busy machine takes longer than an idle one.

    Raises:
        TimeoutError: If it does not happen.
    """
    deadline = monotonic() + seconds
    while not done():
        if monotonic() > deadline:
            raise TimeoutError(f"waited {seconds} s for {what}")
        sleep(0.02)


class _Seen:
    """The messages that arrived while a test waited for another one."""

    def __init__(self, what: str) -> None:
        self._what, self._messages = what, list[str]()
        self._deadline = monotonic() + AWAITED_S

    def left_s(self) -> float:
        """Return the rest of the time.

        Raises:
            AssertionError: If there is none.
        """
        left = self._deadline - monotonic()
        if left <= 0:
            raise self.missing()
        return left

    def add(self, message: object) -> None:
        """Note another message."""
        self._messages.append(shortened(json.dumps(message), 300))

    def missing(self) -> AssertionError:
        """Return the error: the missing message, and those that arrived instead."""
        last = "".join(f"\n  {message}" for message in self._messages[-10:])
        count = len(self._messages)
        return AssertionError(
            f"waited {AWAITED_S:g} s for {self._what}; {count} other messages arrived{last}"
        )


def awaited(
    receive: Callable[[float], _Message], is_wanted: Callable[[_Message], bool], what: str
) -> _Message:
    """Return the next message that is wanted.

    Args:
        receive: Returns the next message, or raises `TimeoutError` after so many seconds.
        is_wanted: Whether a message is the one.
        what: The message, for the error.

    Raises:
        AssertionError: If it does not arrive in time; the error shows the messages that did.
    """
    seen = _Seen(what)
    while True:
        try:
            message = receive(seen.left_s())
        except TimeoutError:
            raise seen.missing() from None
        if is_wanted(message):
            return message
        seen.add(message)


async def awaited_async(
    receive: Callable[[], Awaitable[_Message]], is_wanted: Callable[[_Message], bool], what: str
) -> _Message:
    """Return the next message that is wanted, as `awaited`."""
    seen = _Seen(what)
    while True:
        left_s = seen.left_s()
        try:
            message = await asyncio.wait_for(receive(), left_s)
        except TimeoutError:
            raise seen.missing() from None
        if is_wanted(message):
            return message
        seen.add(message)


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
