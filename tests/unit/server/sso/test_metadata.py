"""Cached documents from the provider."""

from __future__ import annotations

import asyncio

import pytest

from sapper.server.sso.errors import Untrusted
from sapper.server.sso.metadata import Cached


class _Source:
    """Counts fetches, and answers when the test says so."""

    def __init__(self) -> None:
        self.fetched = 0
        self.now = 0.0
        self.answering = asyncio.Event()
        self.problem: Exception | None = None

    async def fetch(self) -> list[int]:
        self.fetched += 1
        number = self.fetched
        await self.answering.wait()
        if self.problem is not None:
            raise self.problem
        return [number]

    def clock(self) -> float:
        return self.now


def test_many_requests_share_one_fetch() -> None:
    """The fetch continues even if the request that began it gives up."""

    async def run() -> None:
        source = _Source()
        cached = Cached(source.fetch, source.clock)
        waiting = [asyncio.ensure_future(cached.get()) for _ in range(50)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        source.answering.set()
        assert await asyncio.gather(*waiting[1:]) == [[1]] * 49
        assert await cached.get() == [1]
        assert source.fetched == 1

    asyncio.run(run())


def test_a_value_is_fetched_again_after_an_hour_or_if_it_is_stale() -> None:
    """A value that another request has already renewed is not stale."""

    async def run() -> None:
        source = _Source()
        source.answering.set()
        cached = Cached(source.fetch, source.clock)
        first = await cached.get()
        source.now = 3_599.0
        assert await cached.get() is first
        second = await cached.get(stale=first)
        assert second == [2]
        assert await cached.get(stale=first) is second
        source.now += 3_601.0
        assert await cached.get() == [3]

    asyncio.run(run())


def test_a_failure_reaches_everybody_and_is_not_kept() -> None:
    """The next request tries again."""

    async def run() -> None:
        source = _Source()
        source.problem = Untrusted("it failed")
        cached = Cached(source.fetch, source.clock)
        waiting = [asyncio.ensure_future(cached.get()) for _ in range(3)]
        await asyncio.sleep(0)
        source.answering.set()
        found = await asyncio.gather(*waiting, return_exceptions=True)
        assert [str(problem) for problem in found] == ["it failed"] * 3
        source.problem = None
        assert await cached.get() == [2]

    asyncio.run(run())


def test_a_failure_that_nobody_awaits_is_not_reported_as_lost(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """All requests that waited have given up."""

    async def run() -> None:
        source = _Source()
        source.problem = Untrusted("it failed")
        cached = Cached(source.fetch, source.clock)
        waiting = asyncio.ensure_future(cached.get())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        source.answering.set()
        source.problem = None
        assert await cached.get() == [1]

    asyncio.run(run())
    assert "never retrieved" not in caplog.text
