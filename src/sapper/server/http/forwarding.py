"""Forward requests about a game in memory to the worker that has it."""

from __future__ import annotations

import sqlite3
from contextlib import suppress

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sapper.errors import SapperError
from sapper.server.cluster.claims import OwnedElsewhere
from sapper.server.cluster.tunnel import FORWARDED, TunnelLost, Tunnels
from sapper.server.http.visitors import Visitors
from sapper.server.protocol import encode, error_body
from sapper.server.session.sessions import Sessions

__all__ = ["Forwarding", "GameRoute"]


class GameRoute(Route):
    """A route whose endpoint opens the visitor's session, to read or change the game in memory."""


class Forwarding:
    """Forwards requests to the owner of the visitor's session, if that is another worker.

    Args:
        app: The application behind it.
        visitors: Identifies the browsers.
        sessions: The sessions of this worker.
        tunnels: The bus to the other workers.
    """

    def __init__(
        self, app: ASGIApp, visitors: Visitors, sessions: Sessions, tunnels: Tunnels
    ) -> None:
        self._app, self._visitors = app, visitors
        self._sessions, self._tunnels = sessions, tunnels
        self._paths: frozenset[str] = frozenset()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request to another worker, or handle it here."""
        owner = None
        if scope["type"] == "http" and self._is_about_game(scope) and FORWARDED not in scope:
            owner = await self._owner(scope)
        if owner is None:
            await self._app(scope, receive, send)
        else:
            await self._forward(scope, receive, send, owner)

    def _is_about_game(self, scope: Scope) -> bool:
        if not self._paths:
            routes = scope["app"].routes
            self._paths = frozenset(one.path for one in routes if isinstance(one, GameRoute))
        return scope["path"] in self._paths

    async def _owner(self, scope: Scope) -> str | None:
        """Return the other worker that has the visitor's session, or None."""
        try:
            session = self._visitors.session_of(HTTPConnection(scope))
            if session is not None:
                self._sessions.release(await self._sessions.open(session))
        except OwnedElsewhere as elsewhere:
            return elsewhere.worker
        except (SapperError, OSError, sqlite3.Error):
            # The endpoint will run into the same error and report it.
            pass
        return None

    async def _forward(self, scope: Scope, receive: Receive, send: Send, owner: str) -> None:
        is_started = False

        async def sending(message: Message) -> None:
            nonlocal is_started
            is_started = True
            await send(message)

        with suppress(TunnelLost):
            await self._tunnels.forward(scope, receive, sending, owner)
            return
        if not is_started:
            problem = OwnedElsewhere(owner)
            body = encode(error_body(problem.code, str(problem)))
            answer = Response(body, status_code=503, media_type="application/json")
            await answer(scope, receive, send)
