"""Give each request an id, and write a log line about it."""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Hashable
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.routing import Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sapper.server.http.endpoints import address_of_scope
from sapper.server.logs import request_id

__all__ = ["RequestLog"]

_log: Final = logging.getLogger(__name__)

_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestLog:
    """Logs requests and closed WebSockets, if the level of the log is INFO.

    A line has the template of the path, such as ``/api/runs/{name}``, because paths and queries may
    contain personal data. The id of a request comes from its ``X-Request-Id`` header, or is new;
    the response repeats it.

    Args:
        app: The wrapped application.
        addresses: Whether to log the addresses of visitors.
    """

    def __init__(self, app: ASGIApp, *, addresses: bool) -> None:
        self._app, self._addresses = app, addresses
        self._templates: dict[Hashable, str] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, then log it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        id = given if _ID.fullmatch(given) else uuid.uuid4().hex
        # Each request runs in its own task and therefore has its own context.
        request_id.set(id)
        began_s, status = time.monotonic(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if found := _status(message):
                status = status or found
            if message["type"] in ("http.response.start", "websocket.accept"):
                headers = [*message.get("headers", ()), (b"x-request-id", id.encode())]
                message = {**message, "headers": headers}
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except BaseException:
            status = status or 500
            raise
        finally:
            if _log.isEnabledFor(logging.INFO):
                fields = self._fields(scope, status, time.monotonic() - began_s)
                event = "request" if scope["type"] == "http" else "websocket"
                _log.info(event, extra={"fields": fields})

    def _fields(self, scope: Scope, status: int, duration_s: float) -> dict[str, Any]:
        fields = {
            "method": scope.get("method", "GET"),
            "path": self._template(scope),
            # None means that the connection was closed before the response.
            "status": status or None,
            "duration_s": round(duration_s, 6),
        }
        return {**fields, "address": address_of_scope(scope)} if self._addresses else fields

    def _template(self, scope: Scope) -> str | None:
        """Return the path of the route that answered, or None if none did."""
        if not self._templates:
            for route in scope["app"].routes:
                path = f"{route.path}/{{path}}" if isinstance(route, Mount) else route.path
                self._templates[getattr(route, "endpoint", getattr(route, "app", None))] = path
        return self._templates.get(scope.get("endpoint"))


def _status(message: Message) -> int:
    """Return the status sent by a message, or 0."""
    kind = message["type"]
    if kind in ("http.response.start", "websocket.http.response.start"):
        return int(message["status"])
    return {"websocket.accept": 101, "websocket.close": 403}.get(kind, 0)
