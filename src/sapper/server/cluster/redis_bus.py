"""Messages between workers through Redis.

Each worker subscribes to two channels: its own, and one for all workers. An expiring key shows that
a worker is alive; the parent process immediately marks a worker that has ended. Redis stores
nothing else and may lose everything. A worker that reconnects has missed messages, so it ends
everything that depends on them, and trusts a missing key only after all workers have had time to
write theirs again.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from sapper._util.installing import pip_install
from sapper.errors import BadSetting, MissingExtra
from sapper.server.cluster.bus import BusFailed, BusMessage, Dependent, Registry
from sapper.server.protocol import Json

if TYPE_CHECKING:
    from redis.asyncio import Redis
    from redis.asyncio.connection import AbstractConnection

__all__ = ["RedisBus", "check_redis", "mark_ended", "redis_client"]

_log: Final = logging.getLogger(__name__)

_BEAT_S: Final = 0.25
"""Seconds between two heartbeats."""
_ALIVE_MS: Final = 3_000
"""Time without a heartbeat after which a worker counts as dead, unless its parent says so."""
_GRACE_S: Final = 1.5
"""Time after connecting in which a missing heartbeat means nothing."""
_SILENT_S: Final = 3.0
"""Time without any message, not even a heartbeat's echo, after which a connection is replaced."""
_PAUSE_S: Final = 0.2
_TIMEOUT_S: Final = 2.0
_QUEUED: Final = 1_000
"""Number of messages that wait to be sent; further ones wait for room."""
_DEAD_S: Final = 86_400


def redis_client(address: str, timeout_s: float | None = _TIMEOUT_S) -> Redis:
    """Return a client for a Redis server.

    Args:
        address: Its address, such as ``redis://127.0.0.1:6379``.
        timeout_s: Time limit of each operation.

    Raises:
        BadSetting: If the address cannot be read.
        MissingExtra: If the library is not installed.
    """
    try:
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
    except ImportError:
        raise MissingExtra(f"Redis needs a library: {pip_install('workers')}") from None
    if not address.startswith(("redis://", "rediss://", "unix://")):
        # The address may contain a password, so the error does not repeat it.
        raise BadSetting("the address of Redis must begin with redis://, rediss:// or unix://")
    # Unix sockets do not support this option.
    options = {} if address.startswith("unix") else {"socket_keepalive": True}
    try:
        return Redis.from_url(
            address,
            protocol=2,
            # Notice a lost connection here, because messages were lost with it.
            retry=Retry(NoBackoff(), 0),
            socket_timeout=timeout_s,
            socket_connect_timeout=_TIMEOUT_S,
            **options,
        )
    except ValueError:
        raise BadSetting(
            "the address of Redis cannot be read; it must have the form "
            "redis://USER:PASSWORD@HOST:PORT"
        ) from None


async def check_redis(address: str) -> None:
    """Check that a Redis server answers.

    Raises:
        BadSetting: If the address cannot be read.
        BusFailed: If it does not answer.
        MissingExtra: If the library is not installed.
    """
    client = redis_client(address)
    from redis.exceptions import RedisError

    try:
        await client.execute_command("PING")  # type: ignore[no-untyped-call]
    except (RedisError, OSError) as problem:
        raise BusFailed(f"cannot use Redis: {problem}") from None
    finally:
        await client.aclose()


class RedisBus(Registry):
    """Passes messages through a Redis server.

    Args:
        address: Its address.
        site: The name that distinguishes sites on the same Redis server.
        worker: The name of this worker.

    Raises:
        BadSetting: If the address cannot be read.
        MissingExtra: If the library is not installed.
    """

    def __init__(self, address: str, site: str, worker: str) -> None:
        super().__init__()
        self.worker = worker
        self._dependent: Dependent | None = None
        self._site = site
        self._client = redis_client(address)
        self._listening = redis_client(address, None)
        self._waiting: asyncio.Queue[tuple[str, bytes, asyncio.Future[int] | None]] = asyncio.Queue(
            _QUEUED
        )
        self._questions: dict[str, asyncio.Queue[tuple[str, Json]]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._problem: str | None = "not connected yet"
        self._connected_s = time.monotonic()
        self._first = asyncio.Event()
        self.on("answer", self._answered)
        self.on("ended", lambda message: self._lose(message.payload["worker"]))

    # Keys and channels.

    def _key(self, *parts: str) -> str:
        return ":".join(("sapper", self._site, *parts))

    def _channel(self, worker: str) -> str:
        return self._key("worker", worker)

    # Life.

    def watch(self, dependent: Dependent) -> None:
        """Notify an object when workers it depends on have exited."""
        self._dependent = dependent

    def _lose(self, worker: str | None = None) -> None:
        if self._dependent is not None:
            self._dependent.lose(worker)

    async def start(self) -> None:
        """Connect, or keep trying in the background if Redis does not answer soon."""
        for work in (self._listen(), self._send_all(), self._beat()):
            self._run(work)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._first.wait(), _TIMEOUT_S)

    async def stop(self) -> None:
        """Send the waiting messages, announce that this worker has ended, and disconnect."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._waiting.join(), _TIMEOUT_S)
        # The Redis library may lose a cancellation, so cancel tasks until they end.
        while tasks := [*self._tasks]:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=_PAUSE_S)
        with suppress(*_errors()):
            await mark_ended(self._client, self._site, self.worker)
        await self._client.aclose()
        await self._listening.aclose()

    def _run(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def check(self) -> None:
        """Check that messages can be sent.

        Raises:
            BusFailed: If they cannot.
        """
        if self._problem is not None:
            raise BusFailed(self._problem)

    def _fail(self, problem: BaseException) -> None:
        if self._problem is None:
            _log.error("Redis cannot be reached: %s", problem)
            self._lose()
        self._problem = "Redis cannot be reached"

    # Receiving.

    async def _listen(self) -> None:
        while True:
            try:
                async with self._subscribed() as connection:
                    if self._first.is_set():
                        _log.warning("connected to Redis again")
                    # Nobody may take this worker for dead before its first heartbeat.
                    await self._mark_alive()
                    self._problem, self._connected_s = None, time.monotonic()
                    self._first.set()
                    while True:
                        await self._receive(connection)
            except _errors() as problem:
                self._fail(problem)
            except Exception:
                _log.exception("a message could not be received")
                self._fail(BusFailed("a bug"))
            await asyncio.sleep(_PAUSE_S)

    @asynccontextmanager
    async def _subscribed(self) -> AsyncIterator[AbstractConnection]:
        connection = self._listening.connection_pool.make_connection()  # type: ignore[no-untyped-call]
        try:
            await connection.connect()
            channels = (self._channel(self.worker), self._key("all"))
            await connection.send_command("SUBSCRIBE", *channels)
            for _ in channels:
                await self._read(connection)
            yield connection
        finally:
            await connection.disconnect()

    async def _read(self, connection: AbstractConnection) -> Any:
        # In Python 3.11, `wait_for` ignores a cancellation at the moment when a message arrives.
        async with asyncio.timeout(_SILENT_S):
            return await connection.read_response()

    async def _receive(self, connection: AbstractConnection) -> None:
        kind, _, body = await self._read(connection)
        if kind != b"message":
            return
        head, _, data = body.partition(b"\n")
        given = json.loads(head)
        message = BusMessage(given["from"], given["payload"], data)
        for handler in self.handlers.get(given["kind"], ()):
            handler(message)
        if (question := given.get("question")) is not None:
            self._run(self._reply(given["kind"], question, message))

    async def _reply(self, kind: str, question: str, message: BusMessage) -> None:
        answering = self.answers.get(kind)
        if answering is None:
            return
        try:
            answer = await answering(message)
        except Exception:
            _log.exception("a question of a worker could not be answered")
            return
        await self.send(message.sender, "answer", {"question": question, "answer": answer})

    def _answered(self, message: BusMessage) -> None:
        answers = self._questions.get(message.payload["question"])
        if answers is not None:
            answers.put_nowait((message.sender, message.payload["answer"]))

    # Sending.

    async def broadcast(self, kind: str, payload: Json) -> None:
        """Send a message to all workers, including this one."""
        await self._put(self._key("all"), kind, payload)

    async def send(self, worker: str, kind: str, payload: Json, data: bytes = b"") -> None:
        """Send a message to a worker."""
        await self._put(self._channel(worker), kind, payload, data)

    async def ask(self, worker: str, kind: str, payload: Json, timeout_s: float) -> Json | None:
        """Return the answer of a worker; None if it does not answer in time."""
        async for _, answer in self._asking(self._channel(worker), kind, payload, timeout_s, 1):
            return answer
        return None

    async def ask_all(self, kind: str, payload: Json, timeout_s: float) -> dict[str, Json]:
        """Return the answers of all workers that answer in time, by name."""
        channel = self._key("all")
        asking = self._asking(channel, kind, payload, timeout_s)
        return {worker: answer async for worker, answer in asking}

    async def _asking(
        self, channel: str, kind: str, payload: Json, timeout_s: float, most: int | None = None
    ) -> AsyncIterator[tuple[str, Json]]:
        """Yield answers until all workers that got the question have answered, or time is up."""
        question, received = uuid.uuid4().hex, asyncio.get_running_loop().create_future()
        answers: asyncio.Queue[tuple[str, Json]] = asyncio.Queue()
        self._questions[question] = answers
        try:
            async with asyncio.timeout(timeout_s):
                await self._put(channel, kind, payload, question=question, received=received)
                count = await received
                for _ in range(count if most is None else min(count, most)):
                    yield await answers.get()
        except TimeoutError:
            return
        finally:
            del self._questions[question]

    async def _put(
        self,
        channel: str,
        kind: str,
        payload: Json,
        data: bytes = b"",
        *,
        question: str | None = None,
        received: asyncio.Future[int] | None = None,
    ) -> None:
        head = {"kind": kind, "from": self.worker, "payload": payload, "question": question}
        body = json.dumps(head, separators=(",", ":")).encode() + b"\n" + data
        await self._waiting.put((channel, body, received))

    async def _send_all(self) -> None:
        """Send waiting messages in order, all of them in one round trip."""
        while True:
            batch = [await self._waiting.get()]
            while not self._waiting.empty():
                batch.append(self._waiting.get_nowait())
            try:
                async with self._client.pipeline(transaction=False) as pipe:
                    for channel, body, _ in batch:
                        pipe.publish(channel, body)
                    counts = await pipe.execute()
            except _errors() as problem:
                self._fail(problem)
                counts = [0] * len(batch)
            for (_, _, received), count in zip(batch, counts, strict=True):
                if received is not None and not received.done():
                    received.set_result(int(count))
                self._waiting.task_done()

    # Heartbeats.

    async def _mark_alive(self) -> None:
        await self._client.set(self._key("alive", self.worker), 1, px=_ALIVE_MS)

    async def _beat(self) -> None:
        missing: set[str] = set()
        while True:
            with suppress(*_errors()):
                await self._mark_alive()
                # Receiving this message back shows that messages arrive.
                await self.send(self.worker, "beat", {})
                peers = set() if self._dependent is None else self._dependent.workers()
                gone = {peer for peer in peers if await self.has_died(peer)}
                for peer in gone - missing:
                    self._lose(peer)
                missing = gone
            await asyncio.sleep(_BEAT_S)

    async def has_died(self, worker: str) -> bool | None:
        """Return whether a worker has ended; None if that is not known."""
        keys = [self._key("ended", worker), self._key("alive", worker)]
        try:
            ended, alive = await self._client.mget(keys)
        except _errors() as problem:
            self._fail(problem)
            return None
        if ended is not None:
            return True
        if alive is not None:
            return False
        is_settled = time.monotonic() - self._connected_s > _GRACE_S
        return True if self._problem is None and is_settled else None


async def mark_ended(client: Redis, site: str, worker: str) -> None:
    """Notify all workers that one has ended.

    Raises:
        BusFailed: If Redis cannot be reached.
    """
    message = {"kind": "ended", "from": worker, "payload": {"worker": worker}}
    try:
        async with client.pipeline(transaction=False) as pipe:
            pipe.set(f"sapper:{site}:ended:{worker}", 1, ex=_DEAD_S)
            pipe.delete(f"sapper:{site}:alive:{worker}")
            pipe.publish(f"sapper:{site}:all", json.dumps(message).encode() + b"\n")
            await pipe.execute()
    except _errors() as problem:
        raise BusFailed(str(problem)) from None


def _errors() -> tuple[type[Exception], ...]:
    from redis.exceptions import RedisError

    return RedisError, OSError
