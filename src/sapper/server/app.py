"""The web app as an ASGI application: the page, its files, and the WebSocket."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from sapper.server.client import Outbox
from sapper.server.game_settings import menu
from sapper.server.host_check import LOCAL_HOSTS, HostCheck
from sapper.server.lab_api import ROUTES as RUNS
from sapper.server.protocol import error_body
from sapper.server.sessions import Sessions
from sapper.server.store import Store

__all__ = ["COOKIE", "create_app"]

COOKIE: Final = "sapper"
"""The cookie that names a browser's session."""

_STATIC: Final = Path(__file__).parent / "static"
_SESSION: Final = re.compile(r"[A-Za-z0-9_-]{20,64}")
_A_YEAR_S: Final = 365 * 86_400


def create_app(store: Store, hosts: Iterable[str] | None = LOCAL_HOSTS) -> Starlette:
    """The web app.

    Args:
        store: Where games are kept; closed by the caller.
        hosts: The host names served, see `HostCheck`.
    """
    sessions = Sessions(store)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        saving = asyncio.create_task(sessions.keep_saving())
        yield
        saving.cancel()
        with suppress(asyncio.CancelledError):
            await saving
        sessions.save_all()

    async def play(websocket: WebSocket) -> None:
        await _play(websocket, sessions)

    return Starlette(
        routes=[
            Route("/", _page),
            Route("/api/menu", _menu),
            *RUNS,
            WebSocketRoute("/ws", play),
            Mount("/static", StaticFiles(directory=_STATIC)),
        ],
        middleware=[Middleware(HostCheck, hosts=hosts)],
        exception_handlers={HTTPException: _http_error, Exception: _server_error},
        lifespan=lifespan,
    )


async def _page(request: Request) -> Response:
    """The page; a browser that comes for the first time is given its session."""
    page = FileResponse(_STATIC / "index.html")
    # Sent each time, so that the cookie lives for a year after the last visit.
    page.set_cookie(
        COOKIE, _session_id(request), max_age=_A_YEAR_S, httponly=True, samesite="strict"
    )
    return page


async def _menu(_: Request) -> Response:
    return JSONResponse(menu())


async def _http_error(_: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    code = {404: "not_found", 405: "method_not_allowed"}.get(problem.status_code, "http_error")
    return JSONResponse(
        error_body(code, problem.detail), status_code=problem.status_code, headers=problem.headers
    )


async def _server_error(_: Request, __: Exception) -> Response:
    return JSONResponse(
        error_body("internal", "something went wrong on the server"), status_code=500
    )


def _session_id(connection: HTTPConnection) -> str:
    given = connection.cookies.get(COOKIE, "")
    return given if _SESSION.fullmatch(given) else secrets.token_urlsafe(18)


async def _play(websocket: WebSocket, sessions: Sessions) -> None:
    """One window: what it sends goes to its client, what its client says goes to it."""
    await websocket.accept()
    client = sessions.client(_session_id(websocket))
    outbox = client.join(menu())
    sending = asyncio.create_task(_send(websocket, outbox))
    try:
        while True:
            message = await websocket.receive()
            if message["type"] == "websocket.disconnect":
                break
            client.receive(message.get("text", message.get("bytes")), outbox)
    finally:
        client.leave(outbox)
        sending.cancel()
        with suppress(asyncio.CancelledError):
            await sending


async def _send(websocket: WebSocket, outbox: Outbox) -> None:
    # A window that goes away while it is told something has left by itself.
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await websocket.send_json(await outbox.get())
