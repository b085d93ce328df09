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
from sapper.server.http.connections import HTTPConnection, handle_loop_error
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
