"""Identify browsers: guests by the session id in their signed cookie, accounts by their login.

A login is a random token in a separate signed cookie; its hash is in the store, so that the login
can be ended. The guest's cookie is kept for use after signing out. A session id that belongs to an
account is not accepted without a login.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
import secrets
import sqlite3
from functools import partial
from typing import Final, NamedTuple

import anyio
import anyio.to_thread
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from sapper.server.accounts.records import Ban, SignedIn
from sapper.server.http.address_limits import AddressLimits, network_of
from sapper.server.http.banned_networks import BannedNetworks
from sapper.server.http.endpoints import address_of
from sapper.server.http.errors import StoreFailed, TooMany
from sapper.server.jobs.long_jobs import Who
from sapper.server.storage.account_rows import LOGIN_DAYS
from sapper.server.storage.accounts import Accounts
from sapper.translation import t

__all__ = ["COOKIE", "Login", "SessionIds", "VisitorCheck", "Visitors"]

_log: Final = logging.getLogger(__name__)

_COOKIE: Final = re.compile(r"([A-Za-z0-9_-]{24})\.([0-9a-f]{32})")

COOKIE: Final = "sapper"
"""Name of the session cookie, unless another server's cookie has that name."""

_DAY_S: Final = 86_400
_A_YEAR_S: Final = 365 * _DAY_S
_KEY: Final = "sapper.identity"
"""The key of a connection's `_Identity` in its scope."""
_THREADS: Final = anyio.CapacityLimiter(4)
"""Number of threads that look up logins."""
_WITHOUT_VISITOR: Final = ("/assets/", "/static/", "/healthz", "/readyz", "/metrics")
"""URLs that do not depend on the visitor."""


class SessionIds:
    """Issues signed cookies and reads the session ids in them, without a list of sessions.

    Args:
        secret: The store's secret; cookies signed with another one are rejected.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def new_cookie(self) -> str:
        """Return a cookie for a new session."""
        return self.sign(secrets.token_urlsafe(18))

    def sign(self, session_id: str) -> str:
        """Return a session's cookie."""
        return f"{session_id}.{self._signature(session_id)}"

    def read(self, cookie: str) -> str | None:
        """Return the session id in a cookie, or None if this server did not issue it."""
        match = _COOKIE.fullmatch(cookie)
        if match is None or not hmac.compare_digest(match[2], self._signature(match[1])):
            return None
        return match[1]

    @staticmethod
    def is_cookie(text: str) -> bool:
        """Return whether a string looks like a cookie of any server."""
        return _COOKIE.fullmatch(text) is not None

    def _signature(self, session_id: str) -> str:
        return hmac.new(self._secret, session_id.encode(), hashlib.sha256).hexdigest()[:32]


class Login(NamedTuple):
    """A new login.

    Attributes:
        cookie: The value of its cookie.
        digest: The hash of its token, for the store.
    """

    cookie: str
    digest: str


class _Identity(NamedTuple):
    """The user of a connection.

    Attributes:
        signed_in: The account, or None for a guest.
        claimed: Whether the session in the guest's cookie belongs to an account.
        failed: Whether the login could not be looked up.
        ban: The ban of the account, if the browser is a guest because of it.
    """

    signed_in: SignedIn | None = None
    claimed: bool = False
    failed: bool = False
    ban: Ban | None = None


class Visitors:
    """Finds or creates the session of a browser.

    A cookie of another server is never replaced, because browsers send cookies to all ports of a
    host, and a server that cannot read its saved games has a temporary key. The name of an
    additional cookie is derived from the key.

    Args:
        secret: The key that signs cookies.
        addresses: Limits the number of new sessions per address.
        persistent: Whether the key remains valid after this process ends.
        accounts: The accounts; without them, everyone is a guest.

    Attributes:
        banned_networks: The networks whose guests are banned from what visitors do together.
    """

    def __init__(
        self,
        secret: bytes,
        addresses: AddressLimits,
        *,
        persistent: bool = True,
        accounts: Accounts | None = None,
    ) -> None:
        self._ids = SessionIds(secret)
        # Use a separate key, so that one kind of cookie is never accepted as the other.
        self._logins = SessionIds(hmac.digest(secret, b"logins", hashlib.sha256))
        self._addresses, self._persistent, self._accounts = addresses, persistent, accounts
        self.banned_networks: Final = BannedNetworks()
        mark = hashlib.sha256(secret).hexdigest()[:8]
        self._beside: Final = f"{COOKIE}-{mark}"
        self.login_cookie: Final = f"{COOKIE}-account-{mark}"

    # Logins.

    async def identify(self, connection: HTTPConnection) -> None:
        """Look up the user of a connection; the other methods require this."""
        if self._accounts is None:
            return
        look_up = partial(self._identity, self._accounts, connection)
        identity = await anyio.to_thread.run_sync(look_up, limiter=_THREADS)
        connection.scope[_KEY] = identity

    def _identity(self, accounts: Accounts, connection: HTTPConnection) -> _Identity:
        token = self._logins.read(connection.cookies.get(self.login_cookie, ""))
        guest = self._ids.read(self._guest_cookie_of(connection))
        signed_in = ban = None
        try:
            if token is not None:
                signed_in = accounts.signed_in(_digest(token))
                ban = None if signed_in else accounts.ban_of_login(_digest(token))
            claimed = guest is not None and accounts.is_claimed(guest)
        except (OSError, sqlite3.Error) as problem:
            _log.warning("a login cannot be looked up: %s", problem)
            return _Identity(failed=token is not None)
        return _Identity(signed_in, claimed, ban=ban)

    def signed_in(self, connection: HTTPConnection) -> SignedIn | None:
        """Return the account of a browser; None for a guest.

        Raises:
            StoreFailed: If its login could not be looked up.
        """
        identity = _identity_of(connection)
        if identity.failed:
            raise StoreFailed(t("saved games cannot be read or written right now"))
        return identity.signed_in

    def ban_of(self, connection: HTTPConnection) -> Ban | None:
        """Return the ban of the account to which a browser is signed in, or None.

        The browser is a guest until the ban ends.
        """
        return _identity_of(connection).ban

    def check_may_meet_others(self, connection: HTTPConnection) -> None:
        """Check that a visitor may do what visitors do together, such as enter a room.

        Raises:
            NetworkBanned: If the visitor is a guest on a banned network.
            StoreFailed: If the login of the browser could not be looked up.
        """
        if self.signed_in(connection) is None:
            self.banned_networks.check(address_of(connection))

    def new_login(self) -> Login:
        """Return a new login, which is stored by its digest."""
        cookie = self._logins.new_cookie()
        return Login(cookie, _digest(cookie.partition(".")[0]))

    def sign_in(self, request: HTTPConnection, response: Response, cookie: str) -> None:
        """Make a response sign the browser in."""
        self._set(request, response, self.login_cookie, cookie, LOGIN_DAYS * _DAY_S)

    def sign_out(self, response: Response) -> None:
        """Make a response sign the browser out, so that it is a guest again."""
        response.delete_cookie(self.login_cookie, httponly=True, samesite="strict")

    def guest_of(self, connection: HTTPConnection) -> str | None:
        """Return the guest session of a browser, whether or not it is signed in, or None."""
        claimed = _identity_of(connection).claimed
        return None if claimed else self._ids.read(self._guest_cookie_of(connection))

    def become_guest(self, connection: HTTPConnection, response: Response, session_id: str) -> None:
        """Make a response give the browser the session of a guest."""
        self._remember_guest(connection, response, self._ids.sign(session_id))

    def new_guest(self) -> str:
        """Return the id of a new guest session."""
        return self.session_id(self._ids.new_cookie())

    # Sessions.

    def session_of(self, connection: HTTPConnection) -> str | None:
        """Return the session id of a browser, or None.

        Raises:
            StoreFailed: If its login could not be looked up.
        """
        return self._ids.read(self._cookie_of(connection))

    def _cookie_of(self, connection: HTTPConnection) -> str:
        """Return the cookie of a browser's session, or an empty string."""
        if (signed_in := self.signed_in(connection)) is not None:
            return self._ids.sign(signed_in.account.player)
        return "" if _identity_of(connection).claimed else self._guest_cookie_of(connection)

    def _guest_cookie_of(self, connection: HTTPConnection) -> str:
        """Return a guest's cookie from this server, or an empty string."""
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
        """Return the session id from a cookie of this server."""
        known_id = self._ids.read(cookie)
        assert known_id is not None
        return known_id

    def remember(self, request: HTTPConnection, response: Response, cookie: str) -> None:
        """Set the cookie on every response, so that it expires a fixed time after the last visit.

        The session of an account is never in a cookie; its login is renewed instead. Such a browser
        has a guest's session too, which tells that it has played the daily board.
        """
        if self.signed_in(request) is None:
            self._remember_guest(request, response, cookie)
            return
        self.sign_in(request, response, request.cookies[self.login_cookie])
        if self.guest_of(request) is None:
            self.become_guest(request, response, self.new_guest())

    def _remember_guest(self, request: HTTPConnection, response: Response, cookie: str) -> None:
        there = request.cookies.get(COOKIE, "")
        is_others = SessionIds.is_cookie(there) and self._ids.read(there) is None
        self._set(request, response, self._beside if is_others else COOKIE, cookie, _A_YEAR_S)

    def _set(
        self, request: HTTPConnection, response: Response, name: str, value: str, age_s: int
    ) -> None:
        response.set_cookie(
            name,
            value,
            max_age=age_s if self._persistent else None,
            # A trusted proxy may terminate TLS and report it in a header.
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )


class VisitorCheck:
    """Looks up the user of each connection.

    Args:
        app: The wrapped application.
        visitors: Identifies browsers.
    """

    def __init__(self, app: ASGIApp, visitors: Visitors) -> None:
        self._app, self._visitors = app, visitors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a connection."""
        if scope["type"] in ("http", "websocket"):
            connection = HTTPConnection(scope)
            if connection.cookies and not scope["path"].startswith(_WITHOUT_VISITOR):
                await self._visitors.identify(connection)
        await self._app(scope, receive, send)


def _identity_of(connection: HTTPConnection) -> _Identity:
    identity: _Identity = connection.scope.get(_KEY, _Identity())
    return identity


def _digest(token: str) -> str:
    return hashlib.sha256(b"login " + token.encode()).hexdigest()
