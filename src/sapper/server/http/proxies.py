"""Identify visitors behind a trusted reverse proxy by their own addresses.

uvicorn has a middleware for this, but it accepts any text as an address, ignores networks that it
cannot parse, and does not recognize an IPv4 proxy on a server that listens on ``::``.
"""

from __future__ import annotations

import logging
import re
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from sapper.errors import SapperError
from sapper.server.http.address_limits import network_of
from sapper.server.http.endpoints import address_of, address_of_scope
from sapper.server.http.networks import IPAddress, Networks, parse_address
from sapper.server.http.security_headers import SECURE
from sapper.server.protocol import error_body

__all__ = ["BadProxyHeader", "ProxyHeaders", "is_forwarded", "is_own_machine"]

_log: Final = logging.getLogger(__name__)

_FORWARDING: Final = ("forwarded", "via", "x-forwarded-for", "x-real-ip")
"""Headers that only a proxy adds."""
_HOP: Final = re.compile(r"\[(?P<v6>[^]]*)\](?::\d+)?|(?P<v4>[^:]*):\d+")
"""An address with a port, or an IPv6 address in brackets."""
_SECURE: Final = {"http": False, "ws": False, "https": True, "wss": True}


class BadProxyHeader(SapperError, ValueError):
    """A trusted proxy sent a header without a usable address of the visitor."""

    code = "bad_proxy_header"


class ProxyHeaders:
    """Replaces the address and scheme of requests that a trusted proxy forwards.

    The visitor is the last address in ``X-Forwarded-For`` that is not a trusted proxy. A proxy
    appends the address of its peer, so visitors can only forge earlier addresses. Headers from
    other peers are ignored.

    Args:
        app: The wrapped application.
        proxies: The trusted proxies.
    """

    def __init__(self, app: ASGIApp, proxies: Networks) -> None:
        self._app, self._proxies = app, proxies
        self._warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or reject it if its proxy sends unusable headers."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        peer, headers = address_of_scope(scope), Headers(scope=scope)
        if peer not in self._proxies:
            self._check_named(peer, headers)
            await self._app(scope, receive, send)
            return
        try:
            visible = _visitor_scope(scope, headers, self._proxies)
        except BadProxyHeader as problem:
            _log.warning("the proxy %s: %s", peer, problem)
            await _refuse(problem)(scope, receive, send)
            return
        # For the headers of the response, which an outer layer adds.
        scope[SECURE] = visible["scheme"] in ("https", "wss")
        await self._app(visible, receive, send)

    def _check_named(self, peer: str, headers: Headers) -> None:
        """Warn about a proxy on this machine that is not configured as trusted."""
        if self._warned or network_of(peer) is not None or "x-forwarded-for" not in headers:
            return
        self._warned = True
        _log.warning(
            "a proxy on this machine forwards requests; start the server with --proxy %s so that "
            "limits apply to its visitors",
            peer,
        )


def is_forwarded(connection: HTTPConnection) -> bool:
    """Return whether a request came through a proxy, trusted or not."""
    return any(name in connection.headers for name in _FORWARDING)


def is_own_machine(connection: HTTPConnection) -> bool:
    """Return whether a request comes from this machine itself, not through a proxy."""
    return network_of(address_of(connection)) is None and not is_forwarded(connection)


def _visitor_scope(scope: Scope, headers: Headers, proxies: Networks) -> Scope:
    """Return the scope of a forwarded request with the visitor's address and scheme.

    Raises:
        BadProxyHeader: If a header is unusable.
    """
    result = dict(scope)
    hops = headers.getlist("x-forwarded-for")
    if hops:
        result["client"] = (str(_visitor(",".join(hops), proxies)), 0)
    schemes = headers.getlist("x-forwarded-proto")
    if schemes:
        is_secure = _SECURE.get(schemes[-1].strip().lower())
        if is_secure is None:
            raise BadProxyHeader("X-Forwarded-Proto must be http or https")
        name = "ws" if scope["type"] == "websocket" else "http"
        result["scheme"] = f"{name}s" if is_secure else name
    return result


def _visitor(hops: str, proxies: Networks) -> IPAddress:
    """Return the last address that is not a trusted proxy, or the first one if all are."""
    address: IPAddress | None = None
    for hop in reversed(hops.split(",")):
        address = _address_of_hop(hop.strip())
        if address is None:
            raise BadProxyHeader("X-Forwarded-For must be a list of IP addresses")
        if address not in proxies:
            break
    assert address is not None
    return address


def _address_of_hop(hop: str) -> IPAddress | None:
    match = _HOP.fullmatch(hop)
    return parse_address(hop if match is None else match["v6"] or match["v4"] or "")


def _refuse(problem: BadProxyHeader) -> ASGIApp:
    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await WebSocketClose(code=1008, reason=str(problem))(scope, receive, send)
        else:
            body = error_body(problem.code, str(problem))
            await JSONResponse(body, status_code=400)(scope, receive, send)

    return refuse
