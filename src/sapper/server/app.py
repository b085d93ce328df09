"""The web app as an ASGI application: pages, static files, HTTP interfaces and the WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from functools import cached_property, partial
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from sapper.plugins import load_plugins
from sapper.server.cluster.membership import Cluster, only_worker
from sapper.server.cluster.tunnel import Tunnels
from sapper.server.heap import trim_regularly
from sapper.server.http import learn, patterns
from sapper.server.http.account_export import Exports
from sapper.server.http.account_routes import account_routes
from sapper.server.http.accounts import AccountApi
from sapper.server.http.address_limits import AddressLimits
from sapper.server.http.analyze import AnalyzeApi
from sapper.server.http.connections import handle_loop_error
from sapper.server.http.endpoints import endpoint
from sapper.server.http.errors import StoreFailed
from sapper.server.http.forwarding import Forwarding
from sapper.server.http.health import HealthApi
from sapper.server.http.history import history_routes
from sapper.server.http.host_check import HostCheck
from sapper.server.http.host_names import LOCAL_HOSTS
from sapper.server.http.imports import Imports
from sapper.server.http.lab import ROUTES as LAB_ROUTES
from sapper.server.http.leaderboards import LeaderboardsApi
from sapper.server.http.metrics import MetricsApi
from sapper.server.http.mistakes import MistakesApi
from sapper.server.http.moving import MovedPages, MovingApi
from sapper.server.http.networks import NO_NETWORKS, Networks
from sapper.server.http.profiles import ProfilesApi
from sapper.server.http.proxies import ProxyHeaders
from sapper.server.http.public_games import PublicGamesApi
from sapper.server.http.replay import ReplayApi
from sapper.server.http.request_log import RequestLog
from sapper.server.http.review import ReviewStream, review_routes
from sapper.server.http.rooms import room_routes
from sapper.server.http.security_headers import SecurityHeaders, SecurityPolicy
from sapper.server.http.site_changes import SiteChanges
from sapper.server.http.sockets import Sockets, exchange
from sapper.server.http.sso import SsoApi
from sapper.server.http.tournaments import TournamentRunner, TournamentsApi
from sapper.server.http.uploads import UploadLimits
from sapper.server.http.visitors import COOKIE, VisitorCheck, Visitors
from sapper.server.http.windows import OpenWindows
from sapper.server.jobs.long_jobs import LongJobs
from sapper.server.protocol import Json, error_body
from sapper.server.rooms.codes import parse_code
from sapper.server.rooms.hub import RoomHub
from sapper.server.session.client import Client
from sapper.server.session.game_settings import menu
from sapper.server.session.sessions import Sessions
from sapper.server.sso.provider import Provider
from sapper.server.sso.settings import SsoSettings
from sapper.server.storage.accounts import Accounts
from sapper.server.storage.day_results import Day
from sapper.server.storage.store import Store
from sapper.translation import catalogue, t
from sapper.web import STATIC, Assets, LanguageChoice, Preview, install_routes, translated
from sapper.web.language import current_language

__all__ = ["COOKIE", "create_app"]

_WORKING_PAGES: Final = ("analyze", "replay", "review")
"""Pages that need a worker process for their first answer."""
_NOT_BY_NAME: Final = ("index", "not-found", "profile", "room", "tournament")
"""Pages whose URL differs from their name."""
_FOR_PROGRAMS: Final = ("/api/", "/assets/", "/static/")
"""URLs for programs, where errors are always JSON."""


def create_app(
    store: Store,
    hosts: Iterable[str] | None = LOCAL_HOSTS,
    *,
    proxies: Networks = NO_NETWORKS,
    metrics_readers: Networks = NO_NETWORKS,
    log_addresses: bool = False,
    sso: SsoSettings | None = None,
    cluster: Cluster | None = None,
    server_engine: bool = False,
    moves_to_localhost: bool = False,
) -> Starlette:
    """Create the web app.

    Args:
        store: The game store, which the caller closes.
        hosts: The host names to serve; see `HostCheck`.
        proxies: The reverse proxies whose headers are trusted.
        metrics_readers: The networks that may read `/metrics`, in addition to this machine.
        log_addresses: Whether the log includes the addresses of visitors.
        sso: The provider that people sign in with instead of passkeys.
        cluster: The other workers of the site (default: none).
        server_engine: Whether all chances are computed here, none in browsers.
        moves_to_localhost: Whether pages asked for under 127.0.0.1 or [::1] move to localhost.

    Raises:
        MissingExtra: If single sign-on is not installed.
    """
    # Warn about a plugin now rather than during the first request.
    load_plugins()
    # Create the secret of the daily boards now, while the store can be written.
    _ = store.daily_boards
    accounts = store.accounts
    cluster = only_worker() if cluster is None else cluster
    assets = Assets(STATIC, engine=not server_engine)
    server = _Server(store, accounts, cluster, assets)
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

    moving = MovingApi(store, server.visitors, server.sessions, server.windows)
    metrics = MetricsApi(
        server.sessions,
        server.rooms,
        lambda: server.addresses.windows,
        lambda: len(app.state.connections),
        {
            **server.sessions.queues,
            **server.rooms.queues,
            **jobs.queues,
            **imports.queues,
            **exports.queues,
        },
        cluster.bus,
        metrics_readers,
    )

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_exception_handler(handle_loop_error)
        await cluster.bus.start()
        await server.sessions.start()
        await server.rooms.start()
        if hosts is None or proxies:
            # On a network, start the processes early, so that the first query does not have to
            # compete with expensive ones.
            jobs.prepare()
        await server.changes.start()
        tasks = [asyncio.create_task(trim_regularly()), asyncio.create_task(server.changes.run())]
        if cluster.leads:
            runner = TournamentRunner(store, server.rooms)
            tasks.append(asyncio.create_task(runner.run()))
        yield
        for task in tasks:
            task.cancel()
        jobs.close()
        imports.close()
        exports.close()
        if provider is not None:
            await provider.close()
        await server.tunnels.stop()
        rooms_saved = await server.rooms.stop()
        app.state.all_saved = await server.sessions.stop() and rooms_saved
        await cluster.bus.stop()

    def page(name: str) -> Route:
        async def answer(request: Request) -> Response:
            if name in _WORKING_PAGES:
                jobs.prepare()
            return server.assets.page(request, name)

        return Route(f"/{name}", answer)

    async def server_error(request: Request, _: Exception) -> Response:
        body = error_body("internal", "something went wrong on the server")
        # This answer passes no middleware.
        headers = {
            name.decode(): value.decode() for name, value in policy.of(request.scope).items()
        }
        return JSONResponse(body, status_code=500, headers=headers)

    policy = SecurityPolicy(engine=not server_engine)
    answering = [
        Middleware(LanguageChoice),
        Middleware(VisitorCheck, visitors=server.visitors),
        Middleware(UploadLimits),
    ]
    handlers: dict[Any, Any] = {HTTPException: server.http_error, Exception: server_error}
    app = Starlette(
        routes=[
            Route("/", endpoint(partial(server.page, "index"))),
            # Every other file static/NAME.html is a page at /NAME.
            *(page(name) for name in server.assets.names if name not in _NOT_BY_NAME),
            Route("/assets/{name:path}", server.assets.file),
            *install_routes(STATIC, lambda: server.assets.version),
            Route("/api/menu", _menu),
            *LAB_ROUTES,
            *analyze.routes,
            *review_routes(server.sessions, server.visitors, reviews),
            *replays.routes,
            *mistakes.routes,
            *learn.routes(store, server.visitors),
            *patterns.routes(store, server.visitors),
            *history_routes(store, server.visitors, server.sessions, imports),
            *account_routes(
                account_api,
                server.windows,
                exports,
                server.sessions,
                None if provider is None else SsoApi(account_api, provider, store.secret(), hosts),
            ),
            *room_routes(
                server.rooms,
                server.visitors,
                server.sockets,
                partial(server.page, "room") if "room" in server.assets.names else None,
                server.changes,
            ),
            *PublicGamesApi(store, server.visitors, jobs, server.assets).routes,
            *LeaderboardsApi(store, server.visitors).routes,
            *ProfilesApi(store, server.visitors, account_api, server.assets).routes,
            *TournamentsApi(store, server.visitors, server.assets).routes,
            *moving.routes,
            *HealthApi(store, cluster.bus).routes,
            *metrics.routes,
            WebSocketRoute("/ws", server.play),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[
            Middleware(SecurityHeaders, policy=policy),
            Middleware(ProxyHeaders, proxies=proxies),
            Middleware(RequestLog, addresses=log_addresses),
            Middleware(HostCheck, hosts=hosts),
            Middleware(MovedPages, on=moves_to_localhost, mark=moving.mark),
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
        assets: The pages.

    Attributes:
        forwarded: The application that answers connections forwarded by other workers.
    """

    forwarded: ASGIApp

    def __init__(self, store: Store, accounts: Accounts, cluster: Cluster, assets: Assets) -> None:
        self.sessions = Sessions(store, cluster)
        self.tunnels = Tunnels(cluster.bus, self._answer_forwarded)
        cluster.bus.watch(self.tunnels)
        self.assets = assets
        self.addresses = AddressLimits()
        self.windows = OpenWindows(cluster.bus)
        self.rooms = RoomHub(store, cluster)
        self.visitors = Visitors(
            store.secret(), self.addresses, persistent=store.persistent, accounts=accounts
        )
        self.changes = SiteChanges(
            store.database, self.windows, self.sessions, self.rooms, self.visitors.banned_networks
        )
        self.sockets = Sockets(self.addresses, self.visitors, self.windows, self.tunnels)

    @cached_property
    def _menu(self) -> Json:
        return menu()

    async def page(self, name: str, request: Request) -> Response:
        """Return a page; new browsers get a session."""
        preview = _room_preview(request.path_params["code"]) if name == "room" else None
        page = self.assets.page(request, name, preview=preview)
        with suppress(StoreFailed):
            self.visitors.remember(request, page, self.visitors.cookie(request))
        return page

    async def http_error(self, request: Request, problem: Exception) -> Response:
        """Return an error as JSON or, for people who visit an unknown URL, as a page."""
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
        await self.sockets.serve(websocket, self._play)

    async def _opened(self, session_id: str, guest: str | None) -> tuple[Client, set[Day]]:
        started = await self.sessions.started_days(guest)
        return await self.sessions.open(session_id), started

    async def _play(self, websocket: WebSocket, session_id: str, closing: asyncio.Event) -> None:
        text = "your saved game is still being loaded"
        guest = self.visitors.guest_of(websocket)
        opened = await self.sockets.opened(
            websocket,
            asyncio.ensure_future(self._opened(session_id, guest)),
            closing,
            text,
            lambda opened: self.sessions.release(opened[0]),
        )
        if opened is None:
            return
        client, started = opened
        try:
            outbox = await client.join(self._menu, lambda: self.sessions.trouble, guest, started)
            if (message := self.changes.message(self.visitors.ban_of(websocket))) is not None:
                outbox.put(message)
            try:
                await exchange(websocket, outbox, partial(client.receive, outbox=outbox), closing)
            finally:
                client.leave(outbox)
        finally:
            self.sessions.release(client)


def _room_preview(text: str) -> Preview | None:
    """Return the content of a room's page for link previews, if its code can exist."""
    code = parse_code(text)
    if code is None:
        return None
    title = catalogue(current_language()).text(t("Minesweeper room {code}", code=code))
    return Preview(f"/r/{code}", title, listed=False)


async def _menu(_: Request) -> Response:
    return JSONResponse(translated(menu()))
