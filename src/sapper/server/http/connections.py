"""Connections that send immediately, with timeouts for peers that send or read nothing.

uvicorn waits forever for the headers of a request and for a peer that reads nothing.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from contextlib import suppress
from functools import lru_cache
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from sapper.server import limits
from sapper.server.http.address_limits import network_of
from sapper.server.http.networks import NO_NETWORKS, Networks
from sapper.server.instruments import note_refusal

__all__ = ["HTTPConnection", "WebSocketConnection", "handle_loop_error", "raise_file_limit"]

_log: Final = logging.getLogger(__name__)

_RESERVED_FILES: Final = 64
"""File descriptors reserved for other uses: the store, static files, sockets being accepted."""
_QUIET_S: Final = 10.0
_SHORT_BYTES: Final = 4_096
_MESSAGES_AHEAD: Final = 4
"""Number of short messages of a window that may wait before the next one is read."""


class _UnreadTimeout:
    """Protocol mixin that drops a connection if its peer leaves a full send buffer unread."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _deaf: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """Start the timeout for reading."""
        super().pause_writing()  # type: ignore[misc]  # of the protocol
        if self._deaf is None:
            self._deaf = self.loop.call_later(
                limits.UNREAD_TIMEOUT_S, _drop, self.transport, "unread_timeout"
            )

    def resume_writing(self) -> None:
        """Stop the timeout, because the peer has read."""
        self._has_read()
        super().resume_writing()  # type: ignore[misc]  # of the protocol

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._has_read()
        super().connection_lost(exc)  # type: ignore[misc]  # of the protocol

    def _has_read(self) -> None:
        if self._deaf is not None:
            self._deaf.cancel()
            self._deaf = None


class HTTPConnection(_UnreadTimeout, H11Protocol):
    """Drops excess connections, and those that are slow to send headers or read nothing."""

    most: int = limits.CONNECTIONS
    """Maximum number of open connections."""
    proxies: Networks = NO_NETWORKS
    """Trusted proxies, whose connections are those of many visitors."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or drop it if there are too many of them."""
        super().connection_made(transport)
        self._headers_due: asyncio.TimerHandle | None = None
        limit = self._exceeded_limit()
        if limit is not None:
            _drop(transport, limit)
            return
        _send_at_once(transport)
        self._expect_headers()

    def data_received(self, data: bytes) -> None:
        """Read data, and stop the header timeout once the headers are complete."""
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before or self.transport.get_protocol() is not self:
            self._stop_waiting()
        elif self._headers_due is None and (before is None or before.response_complete):
            self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _exceeded_limit(self) -> str | None:
        """Return the limit on connections that this one exceeds, or None."""
        if len(self.connections) > self.most:
            return "connections"
        network = _network_of_peer(self)
        if network is None or (self.client and self.client[0] in self.proxies):
            return None
        count = sum(_network_of_peer(other) == network for other in self.connections)
        return "connections_per_address" if count > limits.CONNECTIONS_PER_ADDRESS else None

    def _expect_headers(self) -> None:
        self._headers_due = self.loop.call_later(
            limits.HEADER_TIMEOUT_S, _drop, self.transport, "header_timeout"
        )

    def _stop_waiting(self) -> None:
        if self._headers_due is not None:
            self._headers_due.cancel()
            self._headers_due = None


class WebSocketConnection(_UnreadTimeout, WebSocketsSansIOProtocol):
    """Drops connections that read nothing or leave long messages unfinished."""

    unfinished: int = 0
    """Number of bytes of its unfinished message."""
    _all_unfinished: ClassVar[int] = 0

    def data_received(self, data: bytes) -> None:
        """Read data; if all unfinished messages together are too long, drop the longest."""
        super().data_received(data)
        self._count(len(self.conn.reader.buffer) + sum(map(len, self.frames)))
        if WebSocketConnection._all_unfinished > limits.UNFINISHED_BYTES:
            windows = [one for one in self.connections if isinstance(one, WebSocketConnection)]
            longest = max(windows, key=lambda one: one.unfinished)
            _drop(longest.transport, "unfinished_bytes")
            longest._count(0)

    def send_receive_event_to_app(self) -> None:
        """Queue a message; keep reading if it is short and few others are waiting.

        uvicorn stops reading after every message and resumes once it is taken, which takes a tenth
        of the processor time of a move.
        """
        paused = self.read_paused
        is_short = sum(map(len, self.frames)) <= _SHORT_BYTES
        if is_short and not paused and self.queue.qsize() < _MESSAGES_AHEAD:
            # Already paused, as far as uvicorn knows.
            self.read_paused = True
            super().send_receive_event_to_app()
            self.read_paused = False
        else:
            super().send_receive_event_to_app()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._count(0)
        super().connection_lost(exc)

    def _count(self, size: int) -> None:
        WebSocketConnection._all_unfinished += size - self.unfinished
        self.unfinished = size


def _drop(transport: asyncio.Transport, limit: str) -> None:
    """Drop a connection that exceeds a limit."""
    note_refusal(limit)
    transport.abort()


@lru_cache(4_096)
def _network(host: str) -> str | None:
    return network_of(host)


def _network_of_peer(connection: Any) -> str | None:
    """Return the effective address of a connection; None for this machine."""
    return _network(connection.client[0]) if connection.client else None


def _send_at_once(transport: asyncio.Transport) -> None:
    """Send short writes immediately, instead of waiting for an acknowledgement.

    asyncio does so only for its own sockets. The headers and the body of a response are two writes,
    and the second would wait about 40 ms for a delayed acknowledgement of the first (RFC 896).
    """
    with suppress(OSError, AttributeError):
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def raise_file_limit() -> int:
    """Raise the limit on open files as needed, and return the number of connections it allows."""
    if sys.platform == "win32":
        return limits.CONNECTIONS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = limits.FILE_DESCRIPTORS
    if hard != resource.RLIM_INFINITY:
        needed = min(needed, hard)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        needed = soft
    else:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
    if needed == resource.RLIM_INFINITY:
        return limits.CONNECTIONS
    return max(8, min(limits.CONNECTIONS, needed - _RESERVED_FILES))


_last_error: dict[str, float] = {}


def handle_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error in the event loop; log system errors, such as too many open files, on one line.

    asyncio reports such an error once for every connection that is waiting to be accepted. It then
    retries after a second, even if the server has closed its socket by then.
    """
    problem = context.get("exception")
    if isinstance(problem, ValueError) and "._start_serving" in context.get("message", ""):
        return
    if not isinstance(problem, OSError):
        loop.default_exception_handler(context)
        return
    text = f"{context.get('message', 'error')}: {problem.strerror or problem}"
    now = loop.time()
    if now - _last_error.get(text, -_QUIET_S) >= _QUIET_S:
        _last_error[text] = now
        _log.warning("%s", text)
