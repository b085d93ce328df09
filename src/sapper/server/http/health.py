"""Health checks for supervisors and load balancers: is the server alive, and can it save games?"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from typing import Final

from starlette.requests import Request
from starlette.routing import Route

from sapper.server import limits
from sapper.server.cluster.bus import Bus, BusFailed
from sapper.server.http.endpoints import endpoint
from sapper.server.http.errors import StoreFailed
from sapper.server.jobs.errors import TooSlow
from sapper.server.protocol import Json
from sapper.server.storage.save_queue import reason
from sapper.server.storage.store import Store

__all__ = ["OPEN_PATHS", "HealthApi"]

OPEN_PATHS: Final = ("/healthz", "/readyz")
"""Paths that answer under any host name, because their clients often know only an IP address."""

_FRESH_S: Final = 1.0
"""Seconds for which a result is reused, so that many requests do not cause many writes."""


class InMemory(StoreFailed):
    """Games are kept only in memory, because the file could not be opened at startup."""

    code = "in_memory"


class HealthApi:
    """Reports whether the process is running and whether its store can be written to.

    Args:
        store: The game store.
        bus: The messages between workers.
    """

    def __init__(self, store: Store, bus: Bus) -> None:
        self._store, self._bus = store, bus
        self._probe: asyncio.Task[None] | None = None
        self._probed_s = 0.0

    @property
    def routes(self) -> list[Route]:
        """The routes."""
        return [
            Route("/healthz", endpoint(self._health)),
            Route("/readyz", endpoint(self._readiness)),
        ]

    async def _health(self, _: Request) -> Json:
        return {"status": "ok"}

    async def _readiness(self, _: Request) -> Json:
        """Check that games can be saved.

        Raises:
            StoreFailed: If games cannot be saved.
            TooSlow: If a write takes too long.
        """
        if not self._store.persistent and self._store.problem is not None:
            raise InMemory(self._store.problem)
        probe = self._probing()
        await asyncio.wait({probe}, timeout=limits.JOB_BUDGET_S)
        if not probe.done():
            raise TooSlow(f"a write takes longer than {limits.JOB_BUDGET_S:g} seconds")
        problem = probe.exception()
        if isinstance(problem, OSError | sqlite3.Error):
            raise StoreFailed(reason(problem))
        probe.result()
        try:
            await self._bus.check()
        except BusFailed as failed:
            # Report ready anyway: otherwise a proxy would drop all workers at once, even though
            # most players can continue.
            return {"status": "ok", "workers": str(failed)}
        return {"status": "ok"}

    def _probing(self) -> asyncio.Task[None]:
        """Return a running or recent test write, or start a new one."""
        probe, now = self._probe, time.monotonic()
        if probe is None or (probe.done() and now - self._probed_s > _FRESH_S):
            probe = asyncio.ensure_future(asyncio.to_thread(self._store.probe))
            self._probe, self._probed_s = probe, now
        return probe
