"""Runs the web app in the process of a fuzz script."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import httpx

from sapper.server import app as server_app
from sapper.server.storage.store import Store
from sapper.web.assets import Assets

__all__ = ["serving"]

# The pages are the same for every case.
server_app.Assets = cache(Assets)  # type: ignore[assignment, misc]


@asynccontextmanager
async def serving(store: Store, **options: Any) -> AsyncIterator[httpx.ASGITransport]:
    """Run the app; yield a transport for its clients, which answers 500 after an exception."""
    app = server_app.create_app(store, **options)
    async with app.router.lifespan_context(app):
        yield httpx.ASGITransport(app, raise_app_exceptions=False)
