"""The server's limits hold, and a visitor who exceeds one does not affect the others."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from sapper.server import limits
from sapper.server.app import COOKIE
from sapper.server.http.address_limits import AddressLimits, TokenBucket

ME = "e" * 24


class Time:
    """A clock that tests can set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_rate_applies_after_the_burst() -> None:
    """A client that waits as instructed gets exactly the permitted rate."""
    clock = Time()
    bucket = TokenBucket(10.0, 5, clock)
    waits = [bucket.take() for _ in range(7)]
    assert waits == pytest.approx([0, 0, 0, 0, 0, 0.1, 0.2])
    clock.now = 0.3
    assert bucket.try_take()
    assert not bucket.try_take()
    clock.now = 1000.0
    assert [bucket.try_take() for _ in range(6)] == [True] * 5 + [False]


def test_windows_per_address_are_limited() -> None:
    """Closing a window makes room for another; the local machine has no limit of its own."""
    addresses = AddressLimits()
    for _ in range(limits.WINDOWS_PER_ADDRESS):
        assert addresses.refusal("192.0.2.1") is None
        addresses.opened("192.0.2.1")
    said = addresses.refusal("192.0.2.1")
    assert said is not None
    assert str(limits.WINDOWS_PER_ADDRESS) in said
    assert addresses.refusal("192.0.2.2") is None
    addresses.closed("192.0.2.1")
    assert addresses.refusal("192.0.2.1") is None
    for _ in range(limits.WINDOWS - limits.WINDOWS_PER_ADDRESS + 1):
        assert addresses.refusal("127.0.0.1") is None
        addresses.opened("127.0.0.1")
    assert addresses.refusal("127.0.0.1") is not None


def test_new_sessions_per_address_are_limited() -> None:
    """After a burst, new sessions are limited to a fixed rate."""
    clock = Time()
    addresses = AddressLimits(clock)
    begun = [addresses.may_begin("192.0.2.1") for _ in range(limits.NEW_SESSIONS_PER_ADDRESS + 1)]
    assert begun == [True] * limits.NEW_SESSIONS_PER_ADDRESS + [False]
    assert addresses.may_begin("192.0.2.2")
    clock.now = 1 / limits.NEW_SESSIONS_PER_S
    assert addresses.may_begin("192.0.2.1")
    assert not addresses.may_begin("192.0.2.1")


def test_a_network_of_ipv6_is_one_address() -> None:
    """All addresses in a /64 network share their limits."""
    addresses = AddressLimits()
    for host in range(limits.WINDOWS_PER_ADDRESS):
        addresses.opened(f"2001:db8::{host:x}")
    assert addresses.refusal("2001:db8::ffff:ffff") is not None
    assert addresses.refusal("2001:db8:0:1::1") is None
    addresses.closed("2001:db8::0")
    assert addresses.refusal("2001:db8::ffff:ffff") is None
    begun = [addresses.may_begin(f"2001:db8::{n:x}") for n in range(101)]
    assert begun == [True] * 100 + [False]
    for local in ("::1", "::ffff:127.0.0.1"):
        assert all(addresses.may_begin(local) for _ in range(101))


def test_excess_windows_are_rejected(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error has the usual shape, and open windows stay connected."""
    monkeypatch.setattr(limits, "WINDOWS", 1)
    with site.player(ME) as one:
        with site.player("f" * 24) as refused:
            assert refused.welcome["error"]["code"] == "too_many"
        assert one.send("open", cell=[4, 4])["type"] == "delta"


def test_actions_per_game_are_limited(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Undos and clicks without effect count as well; a new game resets the count."""
    monkeypatch.setattr(limits, "ACTIONS", 4)
    with site.player(ME) as player:
        for _ in range(4):
            assert "error" not in player.send("mark", cell=[0, 0])
        for answer in (player.send("mark", cell=[0, 0]), player.send("undo")):
            assert "at most 4 actions" in answer["error"]["message"]
        player.send("new")
        assert "error" not in player.send("mark", cell=[0, 0])
        player.send("assist", mode="automatic")
        player.send("automatic", delay_ms=0, do="play")
        while (stopped := player.until("automatic")["automatic"])["running"]:
            pass
        over = player.send("sync")["game"]["status"] in ("won", "lost")
        assert over or "at most 4 actions" in stopped["problem"]


def _request(site: Any, path: str, *headers: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", site.port), timeout=300)
    lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", *headers, "", ""]
    connection.sendall("\r\n".join(lines).encode())
    return connection


def test_a_window_that_never_reads_is_closed(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The window is closed after some time, and its session continues."""
    monkeypatch.setattr(limits, "UNREAD_TIMEOUT_S", 1.0)
    upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13")
    key, cookie = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", site.ids.sign(ME)
    with _request(site, "/ws", *upgrade, key, f"Cookie: {COOKIE}={cookie}") as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with site.player(ME) as player:
            player.send("new", settings={"level": "100x100:1500"})
        text = b'{"type": "sync"}'
        frame = bytes([0x81, 0x80 | len(text)]) + bytes(4) + text
        with suppress(ConnectionError):
            # Sending fails once the server has dropped the connection.
            while True:
                deaf.sendall(frame)
        with site.player(ME) as player:
            assert player.welcome["game"]["width"] == 100


def test_slow_body_is_rejected(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that stalls is answered and holds no memory."""
    monkeypatch.setattr(limits, "BODY_TIMEOUT_S", 0.1)
    with socket.create_connection(("127.0.0.1", site.port), timeout=300) as slow:
        head = "POST /api/learn/puzzle HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{"
        slow.sendall(head.encode())
        answer = b""
        while not answer.endswith(b"}"):
            answer += slow.recv(65_536)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b'"code":"stalled"' in answer


@pytest.mark.slow
def test_slow_headers_are_rejected(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """New and reused connections have the same limit; complete requests are never cut off."""
    used = http.client.HTTPConnection("127.0.0.1", site.port, timeout=300)
    used.request("GET", "/api/menu")
    with used.getresponse() as answer:
        assert (answer.status, bool(answer.read())) == (200, True)
    monkeypatch.setattr(limits, "HEADER_TIMEOUT_S", 1.0)
    used.sock.sendall(b"GET / HTTP/1.1\r\nHost: ")
    assert _ended(used.sock)
    used.close()
    for begun in (b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "):
        with socket.create_connection(("127.0.0.1", site.port), timeout=300) as slow:
            with suppress(ConnectionError):
                slow.sendall(begun)
            assert _ended(slow)
    # This is long enough for the window to connect, even on a busy machine.
    monkeypatch.setattr(limits, "HEADER_TIMEOUT_S", 5.0)
    with site.player(ME) as player, socket.create_connection(("127.0.0.1", site.port), 300) as slow:
        # By the time this connection is dropped, the window has been connected for even longer.
        assert _ended(slow)
        assert player.send("open", cell=[4, 4])["type"] == "delta"


def _received(connection: socket.socket) -> bytes:
    try:
        return connection.recv(65_536)
    except ConnectionResetError:
        return b""


def _ended(connection: socket.socket) -> bool:
    return _received(connection) == b""


_SCARCE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))
from sapper.cli import main
sys.argv = ["sapper", "play", "--port", "0", "--no-browser"]
main()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_running_out_of_files_is_logged_briefly(tmp_path: Path) -> None:
    """Three hundred connections to a server with a hundred files cause only a few log lines."""
    env = {**os.environ, "SAPPER_HOME": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", _SCARCE],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        found = re.search(r":(\d+)/", server.stdout.readline())
        assert found is not None
        where = ("127.0.0.1", int(found[1]))
        held = [socket.create_connection(where, timeout=300) for _ in range(300)]
        # The last connection is served or dropped only after all the others.
        held[-1].sendall(b"GET /api/menu HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        _received(held[-1])
        for connection in held:
            connection.close()
        answered = b""
        while not answered.startswith(b"HTTP/1.1 200"):
            with socket.create_connection(where, timeout=300) as again:
                again.sendall(b"GET /api/menu HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                answered = _received(again)
        server.send_signal(signal.SIGINT)
        _, errors = server.communicate(timeout=300)
        assert server.returncode == 0
        assert "Traceback" not in errors
        assert len(errors.splitlines()) <= 10, errors


def test_second_server_on_the_same_games_is_rejected(tmp_path: Path) -> None:
    """The second ``sapper play`` prints one line and exits with 2."""
    from sapper.server.storage.store import Store

    env = {**os.environ, "SAPPER_HOME": str(tmp_path)}
    with Store(tmp_path):
        code = "from sapper.cli import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", code, "play", "--no-browser", "--port", "0"],
            env=env,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert done.returncode == 2
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert "another Sapper server" in line
