"""The memory that incoming requests may hold, per address and in total."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.routing import Route

from sapper.server import limits
from sapper.server.http import connections
from sapper.server.http.connections import WebSocketConnection
from sapper.server.http.endpoints import body_of, endpoint
from sapper.server.http.uploads import UploadLimits
from support.waiting import until

ME = "a" * 24


class Upload:
    """A request whose bytes arrive when the test sends them."""

    def __init__(self, app: Starlette, address: str) -> None:
        self._arriving: asyncio.Queue[Any] = asyncio.Queue()
        self._read = asyncio.Event()
        self.status: int | None = None
        self.error: str | None = None
        scope = {"type": "http", "method": "POST", "path": "/", "headers": [], "query_string": b""}
        self.task = asyncio.ensure_future(
            app({**scope, "client": (address, 1)}, self._receive, self._send)
        )

    async def _receive(self) -> Any:
        self._read.set()
        message = await self._arriving.get()
        self._read.clear()
        return message

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif self.status != 200:
            self.error = json.loads(message["body"])["error"]["code"]

    async def send(self, size: int, *, more: bool = True) -> None:
        """Send bytes, and wait until they are read or refused."""
        await self._read.wait()
        self._arriving.put_nowait({"type": "http.request", "body": bytes(size), "more_body": more})
        self._read.clear()
        reading = asyncio.ensure_future(self._read.wait())
        await asyncio.wait({self.task, reading}, return_when=asyncio.FIRST_COMPLETED)
        reading.cancel()


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Starlette:
    """Return the length of the body; an address may send 100 bytes, all addresses together 200."""
    monkeypatch.setattr(limits, "UPLOADS_PER_ADDRESS", 100)
    monkeypatch.setattr(limits, "UPLOADS", 200)

    async def length(request: Request) -> Any:
        return {"bytes": len(await body_of(request, 10_000))}

    route = Route("/", endpoint(length), methods=["POST"])
    return Starlette(routes=[route], middleware=[Middleware(UploadLimits)])


def test_bytes_per_address_are_limited(app: Starlette) -> None:
    """Bytes above the limit are refused; an answered request releases its bytes."""

    async def play() -> None:
        first, second, other = (Upload(app, f"192.0.2.{n}") for n in (1, 1, 2))
        await first.send(60)
        await second.send(60)
        assert (second.status, second.error) == (429, "too_many")
        await other.send(60, more=False)
        await first.send(30, more=False)
        assert (first.status, other.status) == (200, 200)
        again = Upload(app, "192.0.2.1")
        await again.send(100, more=False)
        assert again.status == 200

    asyncio.run(play())


def test_addresses_of_a_network_share_a_limit(app: Starlette) -> None:
    """A subscriber may have any number of IPv6 addresses, so a /64 network shares one limit."""

    async def play() -> None:
        first, second = Upload(app, "2001:db8::1"), Upload(app, "2001:db8::2")
        await first.send(60)
        await second.send(60)
        assert (first.status, second.status) == (None, 429)
        first.task.cancel()

    asyncio.run(play())


def test_largest_unfinished_request_is_dropped(app: Starlette) -> None:
    """Only the largest request of the address with the most bytes is dropped."""

    async def play() -> None:
        small, large = Upload(app, "192.0.2.1"), Upload(app, "192.0.2.1")
        other, mine = Upload(app, "192.0.2.2"), Upload(app, "192.0.2.3")
        await small.send(30)
        await large.send(60)
        await other.send(80)
        await mine.send(50)
        assert (large.status, large.error) == (503, "busy")
        assert (small.status, other.status, mine.status) == (None, None, None)
        for upload in (small, other, mine):
            await upload.send(1, more=False)
            assert upload.status == 200

    asyncio.run(play())


def test_largest_sender_is_dropped(app: Starlette) -> None:
    """The server's own machine has no limit, but cannot take up the share of others."""

    async def play() -> None:
        other, *own = (Upload(app, host) for host in ("192.0.2.1", "127.0.0.1", "127.0.0.1"))
        await other.send(20)
        await own[0].send(150)
        await own[1].send(50)
        assert (own[1].status, own[1].error) == (503, "busy")
        assert (other.status, own[0].status) == (None, None)
        await other.send(80, more=False)
        assert (other.status, own[0].status) == (200, 503)

    asyncio.run(play())


def test_unfinished_uploads_do_not_block_others(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of sixty real uploads are refused, and players do not notice."""
    monkeypatch.setattr(limits, "UPLOADS", 2**20)
    head = "POST /api/replay HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 150000\r\n\r\n"
    refused = 0
    with ExitStack() as stack:
        for number in range(60):
            upload = socket.create_connection(("127.0.0.1", site.port), timeout=300)
            stack.enter_context(upload)
            upload.sendall(head.encode() + bytes(149_999))
            if number >= 6:
                answer = b""
                while not answer.endswith(b"}"):
                    answer += upload.recv(65_536)
                refused += answer.startswith(b"HTTP/1.1 503 ") and b'"code":"busy"' in answer
        with site.player(ME) as player:
            assert player.send("open", cell=[4, 4])["type"] == "delta"
        assert (
            httpx.get(
                f"{site.url}/api/menu", trust_env=False, verify=False, timeout=300
            ).status_code
            == 200
        )
    assert refused == 54

    def is_read() -> bool:
        url = f"{site.url}/api/replay"
        answer = httpx.post(url, content=bytes(150_000), trust_env=False, verify=False, timeout=300)
        return answer.status_code == 400

    until(is_read, "the memory of those that went")


def _frame(size: int) -> bytes:
    """Return the header of a text message of this length, without the message."""
    return b"\x81\xff" + size.to_bytes(8, "big") + bytes(4)


def test_unfinished_messages_are_limited(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The window with the most bytes is closed; the others continue."""
    monkeypatch.setattr(limits, "UNFINISHED_BYTES", 100_000)
    head = (
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    with ExitStack() as stack:
        windows = [
            stack.enter_context(socket.create_connection(("127.0.0.1", site.port), timeout=300))
            for _ in range(3)
        ]
        for window, size in zip(windows, (10_000, 20_000, 90_000), strict=True):
            window.sendall(head.encode())
            assert window.recv(10) == b"HTTP/1.1 1"
            window.sendall(_frame(200_000) + bytes(size))
        last = b"?"
        while last:
            try:
                last = windows[2].recv(2**20)
            except ConnectionResetError:
                last = b""
        with site.player(ME) as player:
            assert player.send("open", cell=[4, 4])["type"] == "delta"
    until(lambda: WebSocketConnection._all_unfinished == 0, "the windows to be forgotten")


def test_connections_per_address_are_limited(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection above the limit is dropped; this machine is exempt."""
    monkeypatch.setattr(limits, "CONNECTIONS_PER_ADDRESS", 3)
    where = ("127.0.0.1", site.port)

    def is_served(connection: socket.socket) -> bool:
        try:
            connection.sendall(b"GET /api/menu HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            return connection.recv(100).startswith(b"HTTP/1.1 200")
        except ConnectionError:
            return False

    for network, expected in ((None, 6), ("192.0.2.1", 3)):
        monkeypatch.setattr(connections, "_network", lambda host, network=network: network)
        with ExitStack() as stack:
            opened = [stack.enter_context(socket.create_connection(where, 300)) for _ in range(6)]
            assert sum(map(is_served, opened)) == expected
        if network is None:
            with socket.create_connection(where, 300) as last:
                assert is_served(last)
