"""The web app as an ASGI application: pages, static files, HTTP interfaces and the WebSocket."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from sapper.errors import SapperError
from sapper.server import limits
from sapper.server.cluster.claims import OwnedElsewhere
from sapper.server.cluster.membership import Cluster, only_worker
from sapper.server.cluster.tunnel import FORWARDED, Tunnels
from sapper.server.heap import trim_regularly
from sapper.server.http import learn
from sapper.server.http.account_export import Exports
from sapper.server.http.account_routes import account_routes
from sapper.server.http.accounts import AccountApi
from sapper.server.http.address_limits import AddressLimits, TokenBucket
from sapper.server.http.analyze import AnalyzeApi
from sapper.server.http.connections import handle_loop_error
from sapper.server.http.endpoints import address_of, endpoint
from sapper.server.http.errors import StoreFailed, TooMany
from sapper.server.http.forwarding import Forwarding
from sapper.server.http.health import HealthApi
from sapper.server.http.history import history_routes
from sapper.server.http.host_check import LOCAL_HOSTS, HostCheck
from sapper.server.http.imports import Imports
from sapper.server.http.lab import ROUTES as LAB_ROUTES
from sapper.server.http.metrics import MetricsApi
from sapper.server.http.mistakes import MistakesApi
from sapper.server.http.networks import NO_NETWORKS, Networks
from sapper.server.http.proxies import ProxyHeaders
from sapper.server.http.replay import ReplayApi
from sapper.server.http.request_log import RequestLog
from sapper.server.http.review import ReviewStream, review_routes
from sapper.server.http.site_changes import SiteChanges
from sapper.server.http.sso import SsoApi
from sapper.server.http.uploads import UploadLimits
from sapper.server.http.visitors import COOKIE, VisitorCheck, Visitors
from sapper.server.http.windows import OpenWindows
from sapper.server.jobs.long_jobs import LongJobs
from sapper.server.protocol import Json, encode, error_body
from sapper.server.session.client import Client, Outbox
from sapper.server.session.game_settings import menu
from sapper.server.session.sessions import Sessions
from sapper.server.sso.provider import Provider
from sapper.server.sso.settings import SsoSettings
from sapper.server.storage.accounts import Accounts
from sapper.server.storage.store import Store
from sapper.translation import t
from sapper.web import STATIC, Assets, LanguageChoice, install_routes, translated

__all__ = ["COOKIE", "create_app"]

_log: Final = logging.getLogger(__name__)

_WORKING_PAGES: Final = ("analyze", "replay", "review")
"""Pages that need a worker process for their first answer."""
_NOT_BY_NAME: Final = ("index", "not-found")
"""Pages whose URL differs from their name."""
_FOR_PROGRAMS: Final = ("/api/", "/assets/", "/static/")
"""Addresses for programs, where errors are always JSON."""
_WINDOW_CLOSED: Final = (WebSocketDisconnect, RuntimeError)
"""Errors raised by sending to a closed or closing window."""


def create_app(
    store: Store,
    hosts: Iterable[str] | None = LOCAL_HOSTS,
    *,
    proxies: Networks = NO_NETWORKS,
    metrics_readers: Networks = NO_NETWORKS,
    log_addresses: bool = False,
    sso: SsoSettings | None = None,
    cluster: Cluster | None = None,
) -> Starlette:
    """Create the web app.

    Args:
        store: The game store, which the caller closes.
        hosts: The host names to serve; see `HostCheck`.
        proxies: The reverse proxies whose headers are trusted.
        metrics_readers: The networks that may read `/metrics`, in addition to this machine.
        log_addresses: Whether the log includes the addresses of visitors.
        sso: The provider with which people sign in instead of with passkeys.
        cluster: The other workers of the site (default: none).

    Raises:
        MissingExtra: If single sign-on is not installed.
    """
    accounts = store.accounts
    cluster = only_worker() if cluster is None else cluster
    server = _Server(store, accounts, cluster)
    provider = None if sso is None else Provider(sso)
    account_api = AccountApi(
        accounts, server.visitors, store.secret(), hosts, None if sso is None else sso.name
    )
    jobs = LongJobs()
    analyze = AnalyzeApi(server.visitors, jobs)
    imports = Imports()
    exports = Exports(store.database)
    reviews = ReviewStream(jobs)
    replays = ReplayApi(server.sessions, server.visitors, reviews, jobs)
    mistakes = MistakesApi(server.sessions, server.visitors, store, jobs)

    metrics = MetricsApi(
        server.sessions,
        lambda: server.addresses.windows,
        lambda: len(app.state.connections),
        {**server.sessions.queues, **jobs.queues, **imports.queues, **exports.queues},
        cluster.bus,
        metrics_readers,
    )

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_exception_handler(handle_loop_error)
        await cluster.bus.start()
        await server.sessions.start()
        if hosts is None or proxies:
            # On a network, start the processes early, so that the first query does not have to
            # compete with expensive ones.
            jobs.prepare()
        tasks = [asyncio.create_task(trim_regularly()), asyncio.create_task(server.changes.run())]
        yield
        for task in tasks:
            task.cancel()
        jobs.close()
        imports.close()
        exports.close()
        if provider is not None:
            await provider.close()
        await server.tunnels.stop()
        app.state.all_saved = await server.sessions.stop()
        await cluster.bus.stop()

    def page(name: str) -> Route:
        async def answer(request: Request) -> Response:
            if name in _WORKING_PAGES:
                jobs.prepare()
            return server.assets.page(request, name)

        return Route(f"/{name}", answer)

    answering = [
        Middleware(LanguageChoice),
        Middleware(VisitorCheck, visitors=server.visitors),
        Middleware(UploadLimits),
    ]
    handlers: dict[Any, Any] = {HTTPException: server.http_error, Exception: _server_error}
    app = Starlette(
        routes=[
            Route("/", endpoint(server.page)),
            # Every other file static/NAME.html is a page at /NAME.
            *(page(name) for name in server.assets.names if name not in _NOT_BY_NAME),
            Route("/assets/{name}", server.assets.file),
            *install_routes(STATIC, server.assets.version),
            Route("/api/menu", _menu),
            *LAB_ROUTES,
            *analyze.routes,
            *review_routes(server.sessions, server.visitors, reviews),
            *replays.routes,
            *mistakes.routes,
            *learn.routes(store, server.visitors),
            *history_routes(store, server.visitors, server.sessions, imports),
            *account_routes(
                account_api,
                server.windows,
                exports,
                server.sessions,
                None if provider is None else SsoApi(account_api, provider, store.secret(), hosts),
            ),
            *HealthApi(store, cluster.bus).routes,
            *metrics.routes,
            WebSocketRoute("/ws", server.play),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[
            Middleware(ProxyHeaders, proxies=proxies),
            Middleware(RequestLog, addresses=log_addresses),
            Middleware(HostCheck, hosts=hosts),
            *answering,
            Middleware(
                Forwarding,
                visitors=server.visitors,
                sessions=server.sessions,
                tunnels=server.tunnels,
            ),
        ],
        exception_handlers=handlers,
        lifespan=lifespan,
    )
    # Connections forwarded by other workers have already passed the checks.
    server.forwarded = Starlette(
        routes=app.routes, middleware=answering, exception_handlers=handlers
    )
    # This set is replaced by the connections of the running server.
    app.state.connections = ()
    return app


class _Server:
    """State shared by all connections.

    Args:
        store: The game store.
        accounts: Its accounts.
        cluster: The other workers.

    Attributes:
        forwarded: The application that answers connections forwarded by other workers.
    """

    forwarded: ASGIApp

    def __init__(self, store: Store, accounts: Accounts, cluster: Cluster) -> None:
        self.sessions = Sessions(store, cluster)
        self.tunnels = Tunnels(cluster.bus, self._answer_forwarded)
        cluster.bus.watch(self.tunnels)
        self.assets = Assets(STATIC)
        self.addresses = AddressLimits()
        self.windows = OpenWindows(cluster.bus)
        self.changes = SiteChanges(store.database, self.windows, self.sessions)
        self.visitors = Visitors(
            store.secret(), self.addresses, persistent=store.persistent, accounts=accounts
        )

    async def page(self, request: Request) -> Response:
        """Return the page; new browsers get a session."""
        page = self.assets.page(request, "index")
        with suppress(StoreFailed):
            self.visitors.remember(request, page, self.visitors.cookie(request))
        return page

    async def http_error(self, request: Request, problem: Exception) -> Response:
        """Return an error as JSON or, for people who visit an unknown address, as a page."""
        assert isinstance(problem, HTTPException)
        status = problem.status_code
        reads_pages = "text/html" in request.headers.get("accept", "")
        if status == 404 and reads_pages and not request.url.path.startswith(_FOR_PROGRAMS):
            return self.assets.page(request, "not-found", status)
        code = {404: "not_found", 405: "method_not_allowed"}.get(status, "http_error")
        body = error_body(code, problem.detail)
        return JSONResponse(body, status_code=status, headers=problem.headers)

    async def _answer_forwarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.forwarded(scope, receive, send)

    async def play(self, websocket: WebSocket) -> None:
        """Serve one window: pass messages between it and its client."""
        address = address_of(websocket)
        refusal = self.addresses.refusal(address)
        code, player = TooMany.code, ""
        if refusal is None:
            try:
                player = self.visitors.session_id(self.visitors.cookie(websocket))
            except (TooMany, StoreFailed) as problem:
                code, refusal = problem.code, str(problem)
        if refusal is not None:
            await websocket.accept()
            await _refuse(websocket, code, refusal)
            return
        # Count the window before the first await, so that another cannot take the same place.
        self.addresses.opened(address)
        try:
            await websocket.accept()
            signed_in = self.visitors.signed_in(websocket)
            with self.windows.window(player, signed_in.login if signed_in else "") as closing:
                await self._play(websocket, player, closing)
        finally:
            self.addresses.closed(address)

    async def _play(self, websocket: WebSocket, session_id: str, closing: asyncio.Event) -> None:
        opening = asyncio.ensure_future(self.sessions.open(session_id))
        try:
            await asyncio.wait({opening}, timeout=limits.JOB_BUDGET_S)
            if not opening.done():
                text = "your saved game is still being loaded"
                await websocket.send_text(encode(error_body("busy", text)))
            client = await opening
        except OwnedElsewhere as elsewhere:
            if FORWARDED in websocket.scope:
                await _refuse(websocket, elsewhere.code, str(elsewhere))
            else:
                await self._forward(websocket, elsewhere.worker, closing)
            return
        except SapperError as problem:
            await _refuse(websocket, problem.code, str(problem))
            return
        except (OSError, sqlite3.Error) as problem:
            _log.warning("a session cannot be loaded: %s", problem)
            text = t("saved games cannot be read or written right now")
            await _refuse(websocket, StoreFailed.code, text)
            return
        except _WINDOW_CLOSED:
            opening.add_done_callback(self._release)
            return
        try:
            announced = partial(self.changes.message, self.visitors.ban_of(websocket))
            await _connect(websocket, client, self.sessions, closing, announced)
        finally:
            self.sessions.release(client)

    async def _forward(self, websocket: WebSocket, worker: str, closing: asyncio.Event) -> None:
        """Pass messages between a window and the worker that has its session."""
        bucket = TokenBucket(limits.MESSAGES_PER_S, limits.MESSAGE_BURST)

        async def receive() -> Message:
            message = await websocket.receive()
            if (wait_s := bucket.take()) > 0:
                await asyncio.sleep(wait_s)
            return message

        forwarding = self.tunnels.forward(websocket.scope, receive, websocket.send, worker)
        tasks = [asyncio.ensure_future(forwarding), asyncio.create_task(closing.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _release(self, opening: asyncio.Future[Client]) -> None:
        if not opening.cancelled() and opening.exception() is None:
            self.sessions.release(opening.result())


async def _refuse(websocket: WebSocket, code: str, reason: str) -> None:
    """Tell a window why it cannot be served, and close it."""
    with suppress(*_WINDOW_CLOSED):
        await websocket.send_text(encode(error_body(code, reason)))
        await websocket.close(1013)


async def _connect(
    websocket: WebSocket,
    client: Client,
    sessions: Sessions,
    closing: asyncio.Event,
    announced: Callable[[], Json | None],
) -> None:
    """Forward messages until the window closes, leaves too much unread, or is asked to close."""
    outbox = await client.join(menu(), lambda: sessions.trouble)
    if (message := announced()) is not None:
        outbox.put(message)
    tasks = [
        asyncio.create_task(_receive(websocket, client, outbox)),
        asyncio.create_task(_send(websocket, outbox)),
        asyncio.create_task(outbox.full.wait()),
        asyncio.create_task(closing.wait()),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        client.leave(outbox)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _receive(websocket: WebSocket, client: Client, outbox: Outbox) -> None:
    bucket = TokenBucket(limits.MESSAGES_PER_S, limits.MESSAGE_BURST)
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        # Nothing is read while waiting, which slows down windows that send too fast.
        if (wait_s := bucket.take()) > 0:
            await asyncio.sleep(wait_s)
        await client.receive(message.get("text", message.get("bytes")), outbox)


async def _send(websocket: WebSocket, outbox: Outbox) -> None:
    # A disconnect during a send means that the window was closed.
    with suppress(*_WINDOW_CLOSED):
        while True:
            await websocket.send_text(await outbox.get())


async def _menu(_: Request) -> Response:
    return JSONResponse(translated(menu()))


async def _server_error(_: Request, __: Exception) -> Response:
    return JSONResponse(
        error_body("internal", "something went wrong on the server"), status_code=500
    )
