"""Browsers, known by the session id in their signed cookie."""

from __future__ import annotations

from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from sapper.server.address_limits import AddressLimits, network_of
from sapper.server.http_api import TooMany, address_of
from sapper.server.session_ids import SessionIds
from sapper.server.turns import Who
from sapper.translation import t

__all__ = ["COOKIE", "Visitors"]

COOKIE: Final = "sapper"
"""The cookie that names a browser's session."""

_A_YEAR_S: Final = 365 * 86_400


class Visitors:
    """Finds a browser's session, and gives new browsers one.

    Args:
        secret: The key that signs cookies.
        addresses: Limits how many new sessions an address may begin.
    """

    def __init__(self, secret: bytes, addresses: AddressLimits) -> None:
        self._ids = SessionIds(secret)
        self._addresses = addresses

    def known(self, connection: HTTPConnection) -> str | None:
        """Return the session id of a browser that has one."""
        return self._ids.read(connection.cookies.get(COOKIE, ""))

    def who(self, connection: HTTPConnection) -> Who:
        """Return who asks for a job; without a cookie all browsers of an address are one."""
        address = address_of(connection)
        network = network_of(address)
        return Who(self.known(connection) or network or address, network)

    def cookie(self, connection: HTTPConnection) -> str:
        """Return the cookie of a browser's session, a new one if it has none.

        Raises:
            TooMany: If its address began too many sessions.
        """
        cookie = connection.cookies.get(COOKIE, "")
        if self._ids.read(cookie) is not None:
            return cookie
        if not self._addresses.may_begin(address_of(connection)):
            raise TooMany(t("too many new players from one address; try again later"))
        return self._ids.new_cookie()

    def session_id(self, cookie: str) -> str:
        """Return the session id in a cookie of this server."""
        found = self._ids.read(cookie)
        assert found is not None
        return found

    def remember(self, request: HTTPConnection, response: Response, cookie: str) -> None:
        """Set the cookie on a response; each time, so that it lasts a year after the last visit."""
        response.set_cookie(
            COOKIE,
            cookie,
            max_age=_A_YEAR_S,
            # A reverse proxy on this machine may add the encryption, and says so.
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
