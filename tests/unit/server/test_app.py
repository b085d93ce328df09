"""Starting the web app."""

from __future__ import annotations

import asyncio
import multiprocessing

import httpx
import pytest

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


@pytest.mark.parametrize("server_engine", [False, True])
def test_only_the_engine_may_be_compiled(store: Store, server_engine: bool) -> None:
    """The policy allows WebAssembly, but neither inline scripts nor `eval`, unless it is off."""
    app = create_app(store, hosts=None, server_engine=server_engine)

    async def page() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get("/analyze")

    answer = asyncio.run(page())
    scripts = "script-src 'self' 'wasm-unsafe-eval'"
    policy = answer.headers["content-security-policy"].split("; ")
    assert policy[0] == "default-src 'self'"
    assert (scripts in policy) is not server_engine
    assert [part for part in policy if "unsafe" in part and part != scripts] == []
    assert ('name="sapper-engine"' in answer.text) is not server_engine
