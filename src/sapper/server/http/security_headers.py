"""The headers that restrict what pages may do, and what other sites may do with them."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sapper.server.http.host_names import LOCAL_HOSTS, host_name

__all__ = ["SECURE", "SecurityHeaders", "SecurityPolicy"]

SECURE: Final = "sapper.secure"
"""The key in a scope that tells whether a trusted proxy received the request over HTTPS."""

_CONTENT: Final = (
    b"default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    b"frame-ancestors 'none'"
)
_ENGINE: Final = b"; script-src 'self' 'wasm-unsafe-eval'"
"""Allows pages to compile the engine, but not to run other generated code."""
_UNUSED: Final = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope"),
    *("magnetometer", "microphone", "midi", "payment", "usb"),
)
"""Features of browsers that no page uses."""
_HEADERS: Final = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    # Without this header, browsers would use cached modules of an older version after an upgrade.
    b"cache-control": b"no-cache",
    b"cross-origin-opener-policy": b"same-origin",
    b"permissions-policy": ", ".join(f"{name}=()" for name in _UNUSED).encode(),
}
_PICTURES: Final = (".png", ".svg")
"""File name endings of pictures, which forums and chat programs can show."""
_HTTPS_ONLY: Final = b"max-age=31536000"


class SecurityPolicy:
    """The headers of every response.

    Args:
        engine: Whether pages may run the engine.
    """

    def __init__(self, *, engine: bool) -> None:
        content = _CONTENT + _ENGINE if engine else _CONTENT
        self._headers = {b"content-security-policy": content, **_HEADERS}

    def of(self, scope: Scope) -> dict[bytes, bytes]:
        """Return the headers of the response to a request."""
        is_picture = scope["path"].endswith(_PICTURES)
        headers = {
            **self._headers,
            b"cross-origin-resource-policy": b"cross-origin" if is_picture else b"same-origin",
        }
        is_secure = scope.get(SECURE, scope["scheme"] in ("https", "wss"))
        # On this machine, the header would apply to the servers at all other ports too.
        name = host_name(Headers(scope=scope).get("host", ""))
        if is_secure and name not in LOCAL_HOSTS:
            headers[b"strict-transport-security"] = _HTTPS_ONLY
        return headers


class SecurityHeaders:
    """Adds missing headers to every response, including refusals and errors.

    Args:
        app: The wrapped application.
        policy: The headers.
    """

    def __init__(self, app: ASGIApp, policy: SecurityPolicy) -> None:
        self._app, self._policy = app, policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request."""

        async def sending(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                given = message.get("headers", [])
                named = {name.lower() for name, _ in given}
                policy = self._policy.of(scope).items()
                added = [(name, value) for name, value in policy if name not in named]
                message = {**message, "headers": [*given, *added]}
            await send(message)

        await self._app(scope, receive, sending)
