"""Move pages from 127.0.0.1 and [::1] to localhost, together with the browser's data.

Browsers treat these names as different sites, and support passkeys only at ``localhost``. A page
requested at an address returns a script that collects the browser's settings, gets a token for its
guest or login, and continues at ``localhost``. The page there sends the token
from ``localhost`` itself, so that the cookies of that name are sent too, and then opens the
requested URL. The token is in the part of a URL after the ``#``, which is not sent to servers; it
is signed, is valid for a minute and can be used once.
"""

from __future__ import annotations

import hashlib
import html
import ipaddress
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from sapper.server import limits
from sapper.server.accounts.challenges import Challenges, refused
from sapper.server.http.accounts import in_thread, json_body, text_field, used
from sapper.server.http.address_limits import AddressRate, network_of
from sapper.server.http.endpoints import address_of, endpoint
from sapper.server.http.health import OPEN_PATHS
from sapper.server.http.metrics import METRICS_PATH
from sapper.server.http.proxies import is_forwarded, is_own_machine
from sapper.server.http.visitors import Visitors
from sapper.server.http.windows import OpenWindows
from sapper.server.listening import LOCALHOST
from sapper.server.protocol import Json, encode
from sapper.server.session.sessions import Sessions
from sapper.server.storage.joining import Guests
from sapper.server.storage.store import Store
from sapper.web import STATIC

__all__ = ["MovedPages", "MovingApi"]

_TOKEN: Final = "/api/move"
_LINK: Final = """\
    <noscript><meta http-equiv="refresh" content="0; url=URL" /></noscript>
    <p translate="no"><a href="URL">localhost</a></p>
"""
"""The content of the page that moves, for browsers without scripts."""
_ARRIVAL: Final = "/moved"
_FOR_PROGRAMS: Final = ("/api/", "/assets/", "/static/")
_FILES: Final = frozenset(
    (*OPEN_PATHS, METRICS_PATH, "/manifest.webmanifest", "/service-worker.js", "/offline")
)
_PURPOSE: Final = "move to localhost"
_LIFETIME_S: Final = 60
_DAY_S: Final = 86_400
_NOT_KEPT: Final = {"cache-control": "no-store"}


class _Moved(NamedTuple):
    """The content of a token.

    Attributes:
        player: The session id of a guest, or empty.
        login: The digest of a login, or empty.
    """

    player: str
    login: str


class MovedPages:
    """Answers page requests at an address of this machine with a page that moves to localhost.

    Only a browser's requests for pages move. Other programs, WebSockets, and requests through a
    proxy are forwarded.

    If the store has visitors of earlier versions, who played under 127.0.0.1, the first page at
    localhost is also redirected through 127.0.0.1.

    Args:
        app: The wrapped application.
        on: Whether localhost reaches this server.
        mark: The cookie that marks a browser as moved; empty if all visitors are.
    """

    def __init__(self, app: ASGIApp, *, on: bool, mark: str) -> None:
        self._app, self._on, self._mark = app, on, mark
        self._page = _page("leave", _LINK)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or move it."""
        answer = self._moved(HTTPConnection(scope)) if self._on and _is_page(scope) else None
        await (self._app if answer is None else answer)(scope, receive, send)

    def _moved(self, connection: HTTPConnection) -> Response | None:
        url = connection.url
        if url.scheme != "http" or is_forwarded(connection) or url.path == _ARRIVAL:
            return None
        path = url.path + (url.query and f"?{url.query}")
        name, port = _host_of(connection)
        if _is_loopback(name):
            page = self._page.replace("URL", html.escape(f"http://{LOCALHOST}{port}{path}"))
            return HTMLResponse(page, headers=_NOT_KEPT)
        is_unmarked = self._mark and self._mark not in connection.cookies
        if name != LOCALHOST or not is_unmarked or not is_own_machine(connection):
            return None
        response = RedirectResponse(f"http://127.0.0.1{port}{path}", 302, headers=_NOT_KEPT)
        # If the other name cannot be reached, going back to this one opens the page.
        response.set_cookie(self._mark, "1", max_age=_DAY_S, samesite="lax")
        return response


def _page(script: str, body: str = "") -> str:
    """Return a page that only runs a script of the folder ``moving``."""
    page = (STATIC / "parts" / "moving.html").read_text("utf-8")
    return page.replace("SCRIPT", script).replace("    <!-- body -->\n", body)


class MovingApi:
    """Issues and redeems the tokens.

    Args:
        store: The store.
        visitors: Identifies browsers.
        sessions: The sessions in memory.
        windows: The open windows; those of joined guests reconnect.
        clock: Seconds since 1970.

    Attributes:
        mark: The cookie that marks a browser as moved; empty if all visitors of the store are.
    """

    def __init__(
        self,
        store: Store,
        visitors: Visitors,
        sessions: Sessions,
        windows: OpenWindows,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._accounts, self._guests = store.accounts, Guests(store.database)
        self._visitors, self._sessions, self._windows = visitors, sessions, windows
        self._challenges = Challenges(store.secret(), clock, secrets.token_bytes)
        digest = hashlib.sha256(b"moved" + store.secret()).hexdigest()[:8]
        self.mark: Final = f"sapper-moved-{digest}" if store.may_have_moved else ""
        self._arrival = _page("arrive")

    @property
    def routes(self) -> list[Route]:
        """The routes."""
        rate = AddressRate(limits.ACCOUNT_REQUESTS_PER_S, limits.ACCOUNT_REQUESTS_BURST, "moves")
        return [
            Route(_TOKEN, endpoint(self._issue, rate), methods=["POST"]),
            Route(f"{_TOKEN}/arrive", endpoint(self._arrive, rate), methods=["POST"]),
            Route(_ARRIVAL, self._page),
        ]

    async def _page(self, _: Request) -> Response:
        return HTMLResponse(self._arrival, headers=_NOT_KEPT)

    async def _issue(self, request: Request) -> Json:
        """Return a token for the browser's guest and login, either of which may be missing."""
        signed_in = self._visitors.signed_in(request)
        moved = _Moved(
            self._visitors.guest_of(request) or "", "" if signed_in is None else signed_in.login
        )
        challenge = self._challenges.issue(_PURPOSE, _bound(request, moved), _LIFETIME_S)
        return {"token": ".".join((urlsafe_b64encode(challenge).decode(), *moved))}

    async def _arrive(self, request: Request) -> Response:
        """Give the browser the guest and the login of a token.

        A guest with games of its own is joined with that of the token. A browser that is signed in
        stays signed in.
        """
        moved, challenge, expires = self._read(
            request, text_field(await json_body(request), "token")
        )
        await in_thread(partial(self._accounts.use, used(challenge, expires)))
        response = Response(encode({}), media_type="application/json")
        if self.mark:
            response.set_cookie(self.mark, "1", max_age=365 * _DAY_S, samesite="lax")
        guest = await self._joined(moved.player, self._visitors.guest_of(request))
        if guest is not None:
            self._visitors.become_guest(request, response, guest)
        if moved.login and self._visitors.signed_in(request) is None:
            login = self._visitors.new_login()
            await in_thread(partial(self._accounts.replace_login, moved.login, login.digest))
            self._visitors.sign_in(request, response, login.cookie)
        return response

    def _read(self, request: Request, token: str) -> tuple[_Moved, bytes, int]:
        """Return the content of a valid token, with its challenge and its expiry."""
        try:
            first, player, login = token.split(".")
            challenge = urlsafe_b64decode(first.encode("ascii"))
        except ValueError:
            raise refused() from None
        moved = _Moved(player, login)
        expires = self._challenges.expiry_of(challenge, _PURPOSE, _bound(request, moved))
        return moved, challenge, expires

    async def _joined(self, moved: str, here: str | None) -> str | None:
        """Return the guest with the games of both; None if it is the browser's already."""
        if not moved or moved == here or await in_thread(partial(self._accounts.is_claimed, moved)):
            return None
        if here is None or not await in_thread(partial(self._has_played, here)):
            return moved
        if not await in_thread(partial(self._has_played, moved)):
            return None
        for player in (moved, here):
            await self._windows.close(player)
        join = partial(self._guests.join, moved, here)
        kept = await self._sessions.change((moved, here), join)
        await self._sessions.history_changed(kept)
        return kept

    def _has_played(self, player: str) -> bool:
        return player in self._sessions.ids or self._guests.has_played(player)


def _bound(request: Request, moved: _Moved) -> str:
    # A token that reaches another machine cannot be used there.
    return f"{network_of(address_of(request))} {moved.player} {moved.login}"


def _is_page(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    path, headers = scope["path"], Headers(scope=scope)
    if path.startswith(_FOR_PROGRAMS) or path in _FILES:
        return False
    is_document = headers.get("sec-fetch-dest", "document") == "document"
    return is_document and "text/html" in headers.get("accept", "")


def _host_of(connection: HTTPConnection) -> tuple[str, str]:
    """Return the name in the ``Host`` header, and the port with its colon or nothing."""
    try:
        parts = urlsplit(f"//{connection.headers.get('host', '')}")
        return parts.hostname or "", "" if parts.port is None else f":{parts.port}"
    except ValueError:
        return "", ""


def _is_loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
