"""Forward a window or a request to the worker that owns its session.

The other worker runs the same application with the request as its scope. ASGI messages travel in
both directions over the bus, numbered, so that a lost message ends the connection.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from contextlib import suppress
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sapper.server import limits
from sapper.server.cluster.bus import Bus, BusMessage
from sapper.server.protocol import Json

__all__ = ["FORWARDED", "TunnelLost", "Tunnels"]

_log: Final = logging.getLogger(__name__)

FORWARDED: Final = "sapper.forwarded"
"""The key of a scope that came from another worker."""

_TEXTS: Final = ("type", "http_version", "method", "scheme", "path", "root_path")
_BYTES: Final = ("raw_path", "query_string")
_END: Final[Message] = {"type": "end"}
_DATA: Final = {
    "http.request": "body",
    "http.response.body": "body",
    "websocket.receive": "bytes",
    "websocket.send": "bytes",
}
"""The binary field of messages."""


class TunnelLost(Exception):
    """The other worker has ended, or a message was lost."""


class _End:
    """One end of a tunnel.

    Args:
        bus: Sends the messages.
        worker: The worker at the other end.
        id: The id of the tunnel.
        kind: The kind of messages that it sends.
    """

    def __init__(self, bus: Bus, worker: str, id: str, kind: str) -> None:
        self.worker: Final = worker
        self._bus, self._id, self._kind = bus, id, kind
        self._sent = self._received = self._size = 0
        self._messages: asyncio.Queue[tuple[Message, int]] = asyncio.Queue()
        self._broken = False

    async def send(self, message: Message) -> None:
        """Send a message."""
        head = dict(message)
        data = head.pop(_DATA.get(message["type"], ""), None) or b""
        if "headers" in head:
            head["headers"] = _to_texts(head["headers"])
        self._sent += 1
        payload = {"tunnel": self._id, "number": self._sent, "message": head}
        await self._bus.send(self.worker, self._kind, payload, data)

    def put(self, message: BusMessage) -> None:
        """Receive a message from the other end."""
        self._received += 1
        if message.payload["number"] != self._received:
            self.fail()
            return
        head: Message = message.payload["message"]
        if "headers" in head:
            head["headers"] = _to_bytes(head["headers"])
        name = _DATA.get(head["type"])
        if name == "body" or (name is not None and head.get("text") is None):
            head[name] = message.data
        size = len(message.data) + len(head.get("text") or "")
        self._size += size
        if self._size > limits.TUNNEL_BYTES or self._messages.qsize() >= limits.TUNNEL_MESSAGES:
            self.fail()
            return
        self._messages.put_nowait((head, size))

    def fail(self) -> None:
        """Make the next call of `next` fail."""
        self._broken = True
        self._messages.put_nowait((_END, 0))

    async def next(self) -> Message:
        """Return the next message from the other end.

        Raises:
            TunnelLost: If there are no more messages.
        """
        message, size = await self._messages.get()
        self._size -= size
        if self._broken:
            raise TunnelLost
        return message


class Tunnels:
    """The tunnels of a worker.

    Args:
        bus: The bus to the other workers.
        app: The application that answers connections forwarded by other workers.
    """

    def __init__(self, bus: Bus, app: ASGIApp) -> None:
        self._bus, self._app = bus, app
        self._out: dict[str, _End] = {}
        self._in: dict[str, _End] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        bus.on("tunnel", self._opened)
        bus.on("tunnel-in", lambda message: self._put(self._in, message))
        bus.on("tunnel-out", lambda message: self._put(self._out, message))

    def __len__(self) -> int:
        """Return the number of connections forwarded from here."""
        return len(self._out)

    def workers(self) -> set[str]:
        """Return the workers at the other ends."""
        return {end.worker for end in (*self._out.values(), *self._in.values())}

    def lose(self, worker: str | None = None) -> None:
        """End the tunnels to a worker that has ended (default: all)."""
        for end in (*self._out.values(), *self._in.values()):
            if worker in (None, end.worker):
                end.fail()

    async def stop(self) -> None:
        """End all connections that other workers have forwarded."""
        for task in [*self._tasks.values()]:
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    # The worker with the connection.

    async def forward(self, scope: Scope, receive: Receive, send: Send, worker: str) -> None:
        """Let another worker answer a connection. A WebSocket must have been accepted.

        Raises:
            TunnelLost: If the tunnel ends early.
        """
        id = uuid.uuid4().hex
        end = self._out[id] = _End(self._bus, worker, id, "tunnel-in")
        pumping = asyncio.create_task(self._pump(end, receive))
        try:
            await self._bus.send(worker, "tunnel", {"tunnel": id, "scope": _scope_to_json(scope)})
            while (message := await end.next())["type"] != "end":
                if message["type"] != "websocket.accept":
                    await send(message)
        finally:
            pumping.cancel()
            del self._out[id]
            with suppress(Exception):
                await end.send(_END)

    async def _pump(self, end: _End, receive: Receive) -> None:
        while True:
            message = await receive()
            await end.send(message)
            if message["type"] in ("http.disconnect", "websocket.disconnect"):
                return

    # The worker with the session.

    def _put(self, ends: dict[str, _End], message: BusMessage) -> None:
        if (end := ends.get(message.payload["tunnel"])) is not None:
            end.put(message)

    def _opened(self, message: BusMessage) -> None:
        id = message.payload["tunnel"]
        end = self._in[id] = _End(self._bus, message.sender, id, "tunnel-out")
        task = asyncio.create_task(self._answer(end, _scope_of_json(message.payload["scope"])))
        self._tasks[id] = task

        def ended(_: asyncio.Task[None]) -> None:
            del self._in[id], self._tasks[id]

        task.add_done_callback(ended)

    async def _answer(self, end: _End, scope: Scope) -> None:
        kind = scope["type"]
        is_new, is_gone = kind == "websocket", False

        async def receive() -> Message:
            nonlocal is_new, is_gone
            if is_new:
                is_new = False
                return {"type": "websocket.connect"}
            while not is_gone:
                try:
                    message = await end.next()
                except TunnelLost:
                    break
                if message["type"] == "end":
                    break
                return message
            is_gone = True
            return {"type": f"{kind}.disconnect", "code": 1006}

        try:
            await self._app(scope, receive, end.send)
        except Exception:
            if not is_gone:
                _log.exception("a forwarded connection failed")
        finally:
            with suppress(Exception):
                await end.send(_END)


def _scope_to_json(scope: Scope) -> Json:
    found: Json = {name: scope[name] for name in _TEXTS if name in scope}
    found |= {name: scope[name].decode("latin-1") for name in _BYTES if scope.get(name) is not None}
    found["headers"] = _to_texts(scope["headers"])
    for name in ("client", "server", "subprotocols"):
        found[name] = None if scope.get(name) is None else list(scope[name])
    return found


def _scope_of_json(given: Json) -> Scope:
    scope: Scope = {**given, FORWARDED: True, "state": {}, "asgi": {"version": "3.0"}}
    scope.update((name, given[name].encode("latin-1")) for name in _BYTES if name in given)
    scope["headers"] = _to_bytes(given["headers"])
    for name in ("client", "server"):
        scope[name] = None if given[name] is None else tuple(given[name])
    return scope


def _to_texts(headers: Any) -> list[list[str]]:
    return [[name.decode("latin-1"), value.decode("latin-1")] for name, value in headers]


def _to_bytes(headers: Any) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
