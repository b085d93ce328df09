"""Running the web app: a socket of its own, and a clean end."""

from __future__ import annotations

import contextlib
import logging
import socket
from typing import Final

import uvicorn

from sapper.errors import SapperError
from sapper.paths import state_dir
from sapper.server.app import create_app
from sapper.server.host_check import LOCAL_HOSTS
from sapper.server.store import Store

__all__ = ["CannotServe", "bind", "serve"]

_log: Final = logging.getLogger(__name__)

_EVERYWHERE: Final = ("", "0.0.0.0", "::")


class CannotServe(SapperError, OSError):
    """The server cannot have the address it was given."""

    code = "cannot_serve"


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any free one.

    It queues connections at once, so a browser can be sent there before the server runs.

    Raises:
        CannotServe: If the port is taken or forbidden, or there is no such host.
    """
    if not 0 <= port <= 65_535:
        raise CannotServe(f"a port lies in 0 to 65535, not {port}")
    try:
        family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except OSError as problem:
        where = f"{host}:{port}"
        if isinstance(problem, socket.gaierror):
            raise CannotServe(f"cannot serve on {where}: there is no host {host!r}") from None
        reason = (problem.strerror or str(problem)).lower()
        raise CannotServe(
            f"cannot serve on {where}: {reason}; try another port, such as --port {port + 1}"
        ) from None


def serve(sock: socket.socket, host: str) -> None:
    """Serve the web app on a socket from `bind` until Ctrl-C or SIGTERM."""
    hosts = None if host in _EVERYWHERE else (*LOCAL_HOSTS, host)
    with _store() as store:
        config = uvicorn.Config(
            create_app(store, hosts),
            log_level="warning",
            ws="websockets-sansio",
            ws_max_size=2**20,
            timeout_graceful_shutdown=2,
        )
        # uvicorn ends cleanly and then repeats the signal.
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[sock])


def _store() -> Store:
    folder = state_dir()
    try:
        return Store(folder)
    except OSError as problem:
        _log.warning("games are not kept after the end, as they cannot be saved: %s", problem)
        return Store(None)
