"""Keeps other web sites out: a page elsewhere must not play, or read, this browser's game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from sapper.server.protocol import error_body

__all__ = ["LOCAL_HOSTS", "HostCheck"]

LOCAL_HOSTS: Final = ("127.0.0.1", "localhost", "::1")

_HEADERS: Final = {
    b"content-security-policy": b"default-src 'self'; img-src 'self' data:; base-uri 'none'; "
    b"form-action 'none'; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    # Without it an upgraded server would meet yesterday's modules.
    b"cache-control": b"no-cache",
}


class HostCheck:
    """Refuses requests for another host, and WebSockets opened by another site's page.

    The first stops DNS rebinding, the second cross-site WebSocket hijacking.

    Args:
        app: What is guarded.
        hosts: The host names served; None takes any, for a server open to a network.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] | None) -> None:
        self._app = app
        self._hosts = None if hosts is None else frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        problem = self._problem(Headers(scope=scope), scope["type"] == "websocket")
        if problem is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await WebSocketClose(code=1008, reason=problem)(scope, receive, send)
        else:
            refusal = JSONResponse(error_body("forbidden", problem), status_code=403)
            await refusal(scope, receive, send)

    def _problem(self, headers: Headers, websocket: bool) -> str | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if self._hosts is not None and _name(f"//{host}") not in self._hosts:
            return f"this server does not serve the host {host:.60}"
        if websocket and origin is not None and urlsplit(origin).netloc != host:
            return f"a page of {origin:.60} cannot play here"
        return None


def _name(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *_HEADERS.items()]
        await send(message)

    return sending
