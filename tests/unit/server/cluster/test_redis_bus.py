"""Messages between workers over a real Redis server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from sapper.errors import BadSetting
from sapper.server.cluster import redis_bus
from sapper.server.cluster.bus import BusFailed, BusMessage, LocalBus
from sapper.server.cluster.redis_bus import RedisBus, check_redis, mark_ended, redis_client
from sapper.server.protocol import Json
from support.redis_server import RedisServer, redis_server
from support.waiting import Turn


@pytest.fixture(scope="module")
def redis() -> Iterator[RedisServer]:
    """A Redis server for the tests in this module."""
    with redis_server() as server:
        yield server


@asynccontextmanager
async def joined(
    redis: RedisServer, *names: str, site: str = "site"
) -> AsyncIterator[list[RedisBus]]:
    """Connect workers to each other; no two workers of a site ever have the same name."""
    async with AsyncExitStack() as stack:
        buses = []
        for name in names:
            bus = RedisBus(redis.address, site, name)
            await bus.start()
            stack.push_async_callback(bus.stop)
            buses.append(bus)
        yield buses


async def works(bus: RedisBus) -> bool:
    """Whether messages can be sent."""
    try:
        await bus.check()
    except BusFailed:
        return False
    return True


class Inbox:
    """Collects messages."""

    def __init__(self) -> None:
        self.found: asyncio.Queue[BusMessage] = asyncio.Queue()

    def __call__(self, message: BusMessage) -> None:
        """Store a message."""
        self.found.put_nowait(message)


class Lost:
    """Records the workers that were lost."""

    def __init__(self, *names: str) -> None:
        self.names = set(names)
        self.found: asyncio.Queue[str | None] = asyncio.Queue()

    def workers(self) -> set[str]:
        """Return the workers on which this code depends."""
        return self.names

    def lose(self, worker: str | None = None) -> None:
        """Record a lost worker."""
        self.found.put_nowait(worker)


def test_messages_arrive_in_order_at_one_worker_or_at_all(redis: RedisServer) -> None:
    """Binary data and line breaks arrive unchanged; other sites receive nothing."""

    async def run() -> None:
        async with joined(redis, "a", "b") as (a, b):
            at_a, at_b = Inbox(), Inbox()
            a.on("news", at_a)
            b.on("news", at_b)
            for number in range(300):
                await a.send("b", "news", {"n": number}, bytes([number % 256, 10, 0]))
            for number in range(300):
                message = await at_b.found.get()
                assert message == BusMessage("a", {"n": number}, bytes([number % 256, 10, 0]))
            await b.broadcast("news", {"text": "á\n"})
            for inbox in (at_a, at_b):
                assert await inbox.found.get() == BusMessage("b", {"text": "á\n"})
            assert at_a.found.empty()

    asyncio.run(run())


def test_a_worker_answers_questions(redis: RedisServer) -> None:
    """Asking a nonexistent worker returns None immediately."""

    async def answer(message: BusMessage) -> Json:
        return {"doubled": 2 * message.payload["n"]}

    async def run() -> None:
        async with joined(redis, "a", "b", site="questions") as (a, b):
            a.answer("double", answer)
            b.answer("double", answer)
            assert await a.ask("b", "double", {"n": 4}, 300.0) == {"doubled": 8}
            assert await a.ask("nobody", "double", {"n": 4}, 300.0) is None
            both = {"a": {"doubled": 10}, "b": {"doubled": 10}}
            assert await a.ask_all("double", {"n": 5}, 300.0) == both

    asyncio.run(run())


def test_a_worker_that_has_ended_is_known_at_once(redis: RedisServer) -> None:
    """The worker or its parent reports the end; a living worker is not considered dead."""

    async def run() -> None:
        async with joined(redis, "a", site="ends") as (a,):
            lost = Lost("b")
            a.watch(lost)
            async with joined(redis, "b", site="ends"):
                assert await a.has_died("b") is False
            assert await a.has_died("b") is True
            assert await lost.found.get() == "b"
            client = redis_client(redis.address)
            await mark_ended(client, "ends", "c")
            await client.aclose()
            assert await a.has_died("c") is True

    asyncio.run(run())


def test_a_missing_heartbeat_counts_after_all_could_renew_theirs(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise, all workers would seem dead immediately after Redis restarts."""

    async def run() -> None:
        async with joined(redis, "a", site="missing") as (a,):
            assert await a.has_died("unknown") is None
            monkeypatch.setattr(redis_bus, "_GRACE_S", 0.0)
            assert await a.has_died("unknown") is True

    asyncio.run(run())


def test_messages_arrive_again_after_a_restart_of_redis() -> None:
    """Code that depends on other workers is notified that messages may be lost."""

    async def run(redis: RedisServer) -> None:
        async with joined(redis, "a", "b") as (a, b):
            lost, inbox = Lost(), Inbox()
            a.watch(lost)
            b.on("news", inbox)
            redis.kill()
            assert await lost.found.get() is None
            with pytest.raises(BusFailed):
                await a.check()
            assert await a.has_died("b") is None
            redis.start()
            while inbox.found.empty():
                await a.send("b", "news", {})
                await Turn()
            while not await works(a):
                await Turn()
            assert await a.has_died("b") in (None, False)

    with redis_server() as server:
        asyncio.run(run(server))


def test_an_unreachable_server_is_reported_at_the_start() -> None:
    """The error for a bad address does not repeat it, because it may contain a password."""
    with pytest.raises(BusFailed):
        asyncio.run(check_redis("unix:///nowhere/redis.sock"))
    for address in ("http://secret@host", "redis://host:secret"):
        with pytest.raises(BadSetting) as problem:
            asyncio.run(check_redis(address))
        assert "secret" not in str(problem.value)


def test_a_single_server_hears_itself() -> None:
    """The handlers of a single server run immediately."""

    async def answer(message: BusMessage) -> Json:
        return message.payload

    async def run() -> None:
        bus, inbox = LocalBus(), Inbox()
        bus.on("news", inbox)
        bus.answer("echo", answer)
        await bus.broadcast("news", {"n": 1})
        assert inbox.found.get_nowait() == BusMessage("", {"n": 1})
        assert await bus.ask_all("echo", {"n": 2}, 1.0) == {"": {"n": 2}}
        assert await bus.ask("other", "echo", {}, 1.0) is None
        assert await bus.has_died("other")

    asyncio.run(run())
