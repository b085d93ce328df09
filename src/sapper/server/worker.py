"""A worker process of a site: ``python -m sapper.server.worker``, started by `supervisor`.

It reads its settings from standard input, which stays open as long as the supervisor lives, and
writes a line to standard output when it is ready.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from sapper.errors import SapperError
from sapper.server import limits
from sapper.server.cluster.membership import join
from sapper.server.http.networks import Networks
from sapper.server.jobs.process_pool import ProcessPool
from sapper.server.logs import log_json
from sapper.server.run import Running, serve
from sapper.server.sso.settings import SsoSettings
from sapper.server.storage.opening import open_postgresql
from sapper.server.storage.store import Store
from sapper.solver.bots.named_engines import add_engines

__all__ = ["READY", "WorkerSettings"]

READY: Final = b"ready\n"
_NOT_SAVED: Final = 3
"""The exit status of a worker that could not save all games."""


@dataclass(frozen=True)
class WorkerSettings:
    """Worker settings.

    Attributes:
        name: Its name, which is never used for another process.
        leads: Whether it measures the finished games of all workers.
        sockets: The file descriptors of the listening sockets.
        database: The address of the PostgreSQL database.
        redis: The address of Redis.
        workers: The number of workers on this machine.
        slots: The folder of the files that limit their jobs; see `JobSlots`.
        hosts: The host names from `served_hosts`.
        proxies: The reverse proxies whose headers are trusted.
        metrics_readers: The networks that may read `/metrics`.
        json_log: Whether the log is JSON.
        log_addresses: Whether the log includes the addresses of visitors.
        engines: Engines that players can choose as bots, each as ``NAME=COMMAND``.
        sso: The provider that people sign in with instead of passkeys.
        server_engine: Whether all chances are computed here, none in browsers.
        moves_to_localhost: Whether pages asked for under 127.0.0.1 or [::1] move to localhost.
    """

    name: str
    leads: bool
    sockets: tuple[int, ...]
    database: str
    redis: str
    workers: int
    slots: str
    hosts: tuple[str, ...] | None
    proxies: tuple[str, ...]
    metrics_readers: tuple[str, ...]
    json_log: bool
    log_addresses: bool
    engines: tuple[str, ...] = ()
    sso: SsoSettings | None = None
    server_engine: bool = False
    moves_to_localhost: bool = False

    def to_line(self) -> bytes:
        """Return the line for the worker's standard input."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> WorkerSettings:
        """Read a line written by `to_line`."""
        fields = json.loads(line)
        sso = fields.pop("sso")
        return cls(**fields, sso=None if sso is None else SsoSettings(**sso))


class _SharedSocket(socket.socket):
    """A listening socket shared by several processes.

    asyncio accepts as many connections at once as the backlog given to it. If it accepts only one
    at a time, a busy process leaves the next ones to other processes.
    """

    def listen(self, backlog: int = 0, /) -> None:
        """Listen with the server's backlog."""
        super().listen(limits.ACCEPT_BACKLOG)


def main() -> int:
    """Serve until SIGTERM or the end of the supervisor; return the exit status."""
    settings = WorkerSettings.from_line(sys.stdin.buffer.readline())
    if settings.json_log:
        log_json(settings.name)
    ProcessPool.sharers, ProcessPool.slots_folder = settings.workers, Path(settings.slots)
    running = Running(accept_at_once=1)
    try:
        add_engines(settings.engines, public=True)
        database = open_postgresql(settings.database, shared=True)
        with Store(database, worker=settings.name) as store:
            running.started = _report_ready
            threading.Thread(target=_stop_with_supervisor, args=(running,), daemon=True).start()
            saved = serve(
                [_SharedSocket(fileno=number) for number in settings.sockets],
                store,
                settings.hosts,
                Networks(settings.proxies),
                Networks(settings.metrics_readers),
                json_log=settings.json_log,
                log_addresses=settings.log_addresses,
                sso=settings.sso,
                cluster=join(store, settings.redis, leads=settings.leads),
                running=running,
                server_engine=settings.server_engine,
                moves_to_localhost=settings.moves_to_localhost,
            )
    except SapperError as problem:
        print(f"sapper: worker {settings.name}: {problem}", file=sys.stderr, flush=True)
        return 2
    return 0 if saved else _NOT_SAVED


def _report_ready() -> None:
    os.write(sys.stdout.fileno(), READY)


def _stop_with_supervisor(running: Running) -> None:
    # Do not read through `sys.stdin`, whose lock would be held when the interpreter ends.
    while os.read(sys.stdin.fileno(), 1):
        pass
    running.stop()


if __name__ == "__main__":
    sys.exit(main())
