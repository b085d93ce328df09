"""Network connections when files run out or a peer does not read."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from asyncio import constants
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from sapper.server import limits
from sapper.server.http.connections import (
    HTTPConnection,
    WebSocketConnection,
    handle_loop_error,
)
from support.waiting import Turn


class _Scarce(socket.socket):
    """A listening socket for which the system has no file descriptors left."""

    def accept(self) -> Any:
        raise OSError(errno.EMFILE, "Too many open files")


def test_shutdown_with_scarce_files_logs_no_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The event loop tries to accept again after a second, even if the socket is closed by then."""
    monkeypatch.setattr(constants, "ACCEPT_RETRY_DELAY", 0)

    async def end_while_waiting() -> list[str]:
        loop = asyncio.get_running_loop()
        reported = asyncio.Event()
        messages: list[str] = []

        def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
            messages.append(context["message"])
            if "_start_serving" in context["message"]:
                reported.set()
            else:
                # The first refusal schedules a retry, which runs after the server is closed.
                loop.call_soon(server.close)
            handle_loop_error(loop, context)

        loop.set_exception_handler(handle)
        listening = _Scarce()
        listening.bind(("127.0.0.1", 0))
        server = await loop.create_server(asyncio.Protocol, sock=listening, backlog=1)
        with socket.create_connection(listening.getsockname()):
            async with asyncio.timeout(300):
                await reported.wait()
        return messages

    with caplog.at_level(logging.DEBUG):
        messages = asyncio.run(end_while_waiting())
    assert len(messages) == 2
    assert "Traceback" not in caplog.text
    assert all(record.exc_info is None for record in caplog.records)


def test_peer_that_does_not_read_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The download of such a peer would otherwise take up memory forever."""
    monkeypatch.setattr(limits, "UNREAD_TIMEOUT_S", 0.1)

    async def scenario() -> None:
        ended = asyncio.Event()

        async def endless(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            assert (await receive())["type"] == "http.request"
            gone = asyncio.ensure_future(receive())
            while not gone.done():
                body = {"type": "http.response.body", "body": bytes(65_536), "more_body": True}
                await send(body)
                await Turn()
            assert gone.result()["type"] == "http.disconnect"
            ended.set()

        config = uvicorn.Config(endless, http=HTTPConnection, lifespan="off", log_level="error")
        config.load()
        state = ServerState()
        server = await asyncio.get_running_loop().create_server(
            lambda: HTTPConnection(config, state, {}), "127.0.0.1", 0
        )
        with socket.create_connection(server.sockets[0].getsockname()) as deaf:
            deaf.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            async with asyncio.timeout(300):
                await ended.wait()
        server.close()

    asyncio.run(scenario())


class _Reading:
    """The transport of a connection, which records whether it reads."""

    def __init__(self) -> None:
        self.reads = True

    def pause_reading(self) -> None:
        """Stop reading."""
        self.reads = False

    def resume_reading(self) -> None:
        """Resume reading."""
        self.reads = True


def _window() -> WebSocketConnection:
    config = uvicorn.Config(lambda *_: None, lifespan="off", log_config=None)
    config.load()
    window = WebSocketConnection(config, ServerState(), {}, asyncio.get_running_loop())
    window.transport = _Reading()  # type: ignore[assignment]
    window.curr_msg_data_type = "text"
    return window


def _arrive(window: WebSocketConnection, size: int) -> bool:
    """Deliver a message; return whether the window still reads."""
    window.frames = [bytes(size)]
    window.send_receive_event_to_app()
    return bool(window.transport.reads)  # type: ignore[attr-defined]


def test_a_window_reads_on_while_few_short_messages_wait() -> None:
    """A long message, or one too many, stops reading until all waiting messages are taken."""

    async def scenario() -> None:
        window = _window()
        assert [_arrive(window, 100) for _ in range(6)] == [True] * 4 + [False] * 2
        for _ in range(5):
            await window.receive()
            assert not window.transport.reads  # type: ignore[attr-defined]
        await window.receive()
        assert window.transport.reads  # type: ignore[attr-defined]
        assert not _arrive(window, 5_000)
        await window.receive()
        assert _arrive(window, 100)

    asyncio.run(scenario())
