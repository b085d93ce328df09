"""Keep other sites from using a browser's game or reading local runs."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from sapper._util.shortening import shortened
from sapper.server.http.health import OPEN_PATHS
from sapper.server.http.host_names import LOCAL_HOSTS, host_name
from sapper.server.protocol import error_body

__all__ = ["HostCheck"]

_PRIVATE: Final = ("/lab", "/api/runs", "/metrics")
"""Paths that reveal something about this machine, not just about a game."""


class HostCheck:
    """Rejects requests for other hosts and from other sites' pages.

    The first check stops DNS rebinding, the second cross-site WebSocket hijacking and requests.

    Args:
        app: The wrapped application.
        hosts: The host names to serve. With None, for a server open to a network, games are served
            under any name, but the lab only under this machine's names and addresses.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] | None) -> None:
        self._app = app
        self._hosts = None if hosts is None else frozenset(host.lower() for host in hosts)
        name = socket.gethostname().lower()
        self._own = {*LOCAL_HOSTS, name, f"{name.partition('.')[0]}.local"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or reject it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        problem = self._problem(scope)
        if problem is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(code=1008, reason=problem)(scope, receive, send)
        else:
            refusal = JSONResponse(error_body("forbidden", problem), status_code=403)
            await refusal(scope, receive, send)

    def _problem(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._serves(host_name(host), scope["path"]):
            return f"this server does not serve the host {shortened(host)}"
        acts = scope["type"] == "websocket" or scope["method"] == "POST"
        if acts and origin is not None and _authority(origin) != host.lower():
            return f"a page of {shortened(origin)} cannot be used here"
        return None

    def _serves(self, name: str | None, path: str) -> bool:
        if path in OPEN_PATHS:
            return True
        if self._hosts is not None:
            return name in self._hosts
        if not path.startswith(_PRIVATE):
            return True
        # An attacker can make a host name resolve to this server, but cannot do that with an IP
        # address.
        return name is not None and (name in self._own or _is_address(name))


def _authority(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
