"""Starting the web app."""

from __future__ import annotations

import asyncio
import multiprocessing

from sapper.server import limits
from sapper.server.app import create_app
from sapper.server.storage.store import Store
from support.waiting import until


def test_network_server_prestarts_processes(store: Store) -> None:
    """The first visitor's request need not wait for processes to start."""
    app = create_app(store, hosts=None)
    before = set(multiprocessing.active_children())

    def started() -> bool:
        return len(set(multiprocessing.active_children()) - before) == limits.QUICK_PROCESSES

    async def start() -> None:
        async with app.router.lifespan_context(app):
            await asyncio.to_thread(until, started, "the processes")

    asyncio.run(start())
