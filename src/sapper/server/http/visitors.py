"""Identify browsers by the session id in their signed cookie."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from sapper.server.http.address_limits import AddressLimits, network_of
from sapper.server.http.endpoints import TooMany, address_of
from sapper.server.jobs.long_jobs import Who
from sapper.translation import t

__all__ = ["COOKIE", "SessionIds", "Visitors"]

_COOKIE: Final = re.compile(r"([A-Za-z0-9_-]{24})\.([0-9a-f]{32})")

COOKIE: Final = "sapper"
"""Name of the session cookie, unless another server's cookie has that name."""

_A_YEAR_S: Final = 365 * 86_400


class SessionIds:
    """Issues signed cookies and reads the session ids in them, without a list of sessions.

    Args:
        secret: The secret of the store; cookies signed with another one are rejected.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def new_cookie(self) -> str:
        """Return a cookie for a new session."""
        return self.sign(secrets.token_urlsafe(18))

    def sign(self, session_id: str) -> str:
        """Return the cookie of a session."""
        return f"{session_id}.{self._signature(session_id)}"

    def read(self, cookie: str) -> str | None:
        """Return the session id in a cookie, or None if this server did not issue it."""
        match = _COOKIE.fullmatch(cookie)
        if match is None or not hmac.compare_digest(match[2], self._signature(match[1])):
            return None
        return match[1]

    @staticmethod
    def is_cookie(text: str) -> bool:
        """Return whether a text looks like a cookie of any server."""
        return _COOKIE.fullmatch(text) is not None

    def _signature(self, session_id: str) -> str:
        return hmac.new(self._secret, session_id.encode(), hashlib.sha256).hexdigest()[:32]


class Visitors:
    """Finds the session of a browser, or creates one.

    A cookie of another server is never replaced, because browsers send cookies to all ports of a
    host, and a server that cannot read its saved games has a temporary key. The name of an
    additional cookie is derived from the key.

    Args:
        secret: The key that signs cookies.
        addresses: Limits the number of new sessions per address.
        persistent: Whether the key outlives this process.
    """

    def __init__(self, secret: bytes, addresses: AddressLimits, *, persistent: bool = True) -> None:
        self._ids = SessionIds(secret)
        self._addresses, self._persistent = addresses, persistent
        self._beside: Final = f"{COOKIE}-{hashlib.sha256(secret).hexdigest()[:8]}"

    def session_of(self, connection: HTTPConnection) -> str | None:
        """Return the session id of a browser, or None."""
        return self._ids.read(self._cookie_of(connection))

    def _cookie_of(self, connection: HTTPConnection) -> str:
        """Return a browser's cookie of this server, or an empty string."""
        for name in (COOKIE, self._beside):
            cookie = connection.cookies.get(name, "")
            if self._ids.read(cookie) is not None:
                return cookie
        return ""

    def who(self, connection: HTTPConnection) -> Who:
        """Return the visitor of a job; without cookies, an address is a single visitor."""
        address = address_of(connection)
        network = network_of(address)
        return Who(self.session_of(connection) or network or address, network)

    def cookie(self, connection: HTTPConnection) -> str:
        """Return the cookie of a browser's session, or a new one.

        Raises:
            TooMany: If its address has started too many sessions.
        """
        if cookie := self._cookie_of(connection):
            return cookie
        if not self._addresses.may_begin(address_of(connection)):
            raise TooMany(t("too many new players from one address; try again later"))
        return self._ids.new_cookie()

    def session_id(self, cookie: str) -> str:
        """Return the session id in a cookie of this server."""
        known_id = self._ids.read(cookie)
        assert known_id is not None
        return known_id

    def remember(self, request: HTTPConnection, response: Response, cookie: str) -> None:
        """Set the cookie on every response, so that it expires a year after the last visit."""
        there = request.cookies.get(COOKIE, "")
        is_others = SessionIds.is_cookie(there) and self._ids.read(there) is None
        response.set_cookie(
            self._beside if is_others else COOKIE,
            cookie,
            max_age=_A_YEAR_S if self._persistent else None,
            # A trusted proxy may add the encryption, and reports it in a header.
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
