"""Run the web app: its saved games, its socket, and a clean shutdown."""

from __future__ import annotations

import contextlib
import logging
import re
import signal
import socket
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from types import FrameType
from typing import Final

import uvicorn
from starlette.applications import Starlette
from uvicorn.config import LOGGING_CONFIG

from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.paths import state_dir
from sapper.server import limits
from sapper.server.app import create_app
from sapper.server.cluster.membership import Cluster
from sapper.server.heap import rare_collections
from sapper.server.http.connections import HTTPConnection, WebSocketConnection, raise_file_limit
from sapper.server.http.host_names import LOCAL_HOSTS
from sapper.server.http.networks import NO_NETWORKS, Networks, parse_address
from sapper.server.listening import EVERYWHERE
from sapper.server.sso.settings import SsoSettings
from sapper.server.storage.opening import open_postgresql
from sapper.server.storage.store import Store
from sapper.translation import t

__all__ = ["Running", "configure", "open_store", "serve", "served_hosts"]

_log: Final = logging.getLogger(__name__)

_HOST_NAME: Final = re.compile(r"(?=.{1,253}$)[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.IGNORECASE)

_SWITCH_S: Final = 0.001
"""Interval of thread switches, short because the event loop often waits for the interpreter
lock.
"""


def open_store(address: str | None = None) -> Store:
    """Open this user's saved games or, if that fails, an in-memory store with a warning.

    Args:
        address: The address of a PostgreSQL database to use instead.

    Raises:
        BadSetting: If the address cannot be read, or the database has another version.
        CannotOpen: If the database cannot be reached.
        DatabaseInUse: If another server uses the database.
        FolderInUse: If another server uses the directory.
        MissingExtra: If psycopg is not installed.
    """
    if address is not None:
        return Store(open_postgresql(address))
    folder = state_dir()
    try:
        return Store(folder)
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        where = problem.filename or folder
        _log.warning("games are not kept after the end: cannot use %r: %s", str(where), reason)
        return Store(None, t("the saved games file cannot be used"))


class Running:
    """Controls a running server from outside its event loop.

    Args:
        accept_at_once: The number of waiting connections to accept in one go.

    Attributes:
        started: Called when the server is ready.
    """

    def __init__(self, accept_at_once: int = limits.ACCEPT_BACKLOG) -> None:
        self.accept_at_once: Final = accept_at_once
        self.started: Callable[[], None] = lambda: None
        self.server: uvicorn.Server | None = None

    def stop(self) -> None:
        """Stop the server as a signal would."""
        if self.server is not None:
            self.server.should_exit = True


class _Server(uvicorn.Server):
    """A server that reports when it is ready."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._report = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving."""
        await super().startup(sockets)
        self._report()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop the server; a second Ctrl-C does not interrupt saving."""
        super().handle_exit(sig, frame)
        self.force_exit = False


def configure(
    app: Starlette, proxies: Networks = NO_NETWORKS, *, json_log: bool = False
) -> uvicorn.Config:
    """Configure the server.

    Args:
        app: The web app.
        proxies: The reverse proxies in front of the server.
        json_log: Whether `log_json` was called.
    """
    return uvicorn.Config(
        app,
        log_level="warning",
        # Without a log configuration, uvicorn's messages go to the JSON log.
        log_config=None if json_log else LOGGING_CONFIG,
        # Do not tell clients which software serves them.
        server_header=False,
        # By default, uvicorn trusts proxies on this machine; `ProxyHeaders` trusts only configured
        # ones.
        proxy_headers=False,
        loop="asyncio",
        http=type("Connection", (HTTPConnection,), {"proxies": proxies}),
        ws=WebSocketConnection,
        ws_max_size=limits.WINDOW_BYTES,
        # Messages are short and rarely leave the machine, so compression costs more than it saves.
        ws_per_message_deflate=False,
        backlog=limits.ACCEPT_BACKLOG,
        limit_concurrency=limits.CONNECTIONS,
        timeout_graceful_shutdown=2,
    )


def served_hosts(host: str, sites: Collection[str] = ()) -> tuple[str, ...] | None:
    """Return the host names to serve, or None for all.

    Args:
        host: The address to listen on.
        sites: The host names at which visitors reach a reverse proxy.

    Raises:
        BadSetting: If one of them is not a host name.
    """
    for name in sites:
        if not _HOST_NAME.fullmatch(name) and parse_address(name) is None:
            raise BadSetting(
                "--site: expected a host name without scheme and port, such as play.example.org, "
                f"got {shown(name)}"
            )
    is_everywhere = host in EVERYWHERE
    if is_everywhere and not sites:
        return None
    return (*LOCAL_HOSTS, *sites) if is_everywhere else (*LOCAL_HOSTS, host, *sites)


def serve(
    sockets: Sequence[socket.socket],
    store: Store,
    hosts: Iterable[str] | None = LOCAL_HOSTS,
    proxies: Networks = NO_NETWORKS,
    metrics_readers: Networks = NO_NETWORKS,
    *,
    json_log: bool = False,
    log_addresses: bool = False,
    sso: SsoSettings | None = None,
    cluster: Cluster | None = None,
    running: Running | None = None,
    server_engine: bool = False,
    moves_to_localhost: bool = False,
) -> bool:
    """Serve the web app until Ctrl-C or SIGTERM.

    Args:
        sockets: The listening sockets.
        store: The game store.
        hosts: The host names from `served_hosts`.
        proxies: The reverse proxies whose headers are trusted.
        metrics_readers: The networks that may read `/metrics`, in addition to this machine.
        json_log: Whether `log_json` was called.
        log_addresses: Whether the log includes the addresses of visitors.
        sso: The provider that people sign in with instead of passkeys.
        cluster: The other workers of the site (default: none).
        running: Controls the server.
        server_engine: Whether all chances are computed here, none in browsers.
        moves_to_localhost: Whether pages asked for under 127.0.0.1 or [::1] move to localhost.

    Returns:
        Whether all running games were saved.
    """
    HTTPConnection.most = raise_file_limit()
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_S)
    try:
        app = create_app(
            store,
            hosts,
            proxies=proxies,
            metrics_readers=metrics_readers,
            log_addresses=log_addresses,
            sso=sso,
            cluster=cluster,
            server_engine=server_engine,
            moves_to_localhost=moves_to_localhost,
        )
        running = Running() if running is None else running
        # uvicorn shuts down cleanly and then repeats the signal.
        with contextlib.suppress(KeyboardInterrupt), rare_collections():
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            config = configure(app, proxies, json_log=json_log)
            config.backlog = running.accept_at_once
            server = running.server = _Server(config, running.started)
            app.state.connections = server.server_state.connections
            server.run(sockets=list(sockets))
        return store.persistent and bool(getattr(app.state, "all_saved", False))
    finally:
        sys.setswitchinterval(before)
