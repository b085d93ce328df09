"""Everything that browsers need to install the page as an app."""

from __future__ import annotations

import asyncio
import re

import httpx
from starlette.applications import Starlette

from sapper.web.assets import STATIC
from sapper.web.installing import install_routes


def _get(path: str, version: str = "1") -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(Starlette(routes=install_routes(STATIC, lambda: version)))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return await client.get(path)

    return asyncio.run(ask())


def test_the_manifest_names_icons_that_exist() -> None:
    """The manifest names the start page and icons that exist in the stated sizes."""
    answer = _get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    told = answer.json()
    assert (told["name"], told["start_url"], told["display"]) == ("Sapper", "/", "standalone")
    for icon in told["icons"]:
        data = (STATIC / icon["src"].removeprefix("/static/")).read_bytes()
        if icon["type"] == "image/png":
            width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
            assert f"{width}x{height}" == icon["sizes"]


def test_the_service_worker_changes_with_every_version() -> None:
    """The worker's cache is named after the version, so nothing survives an upgrade."""
    first, again, later = (_get("/service-worker.js", version).text for version in ("1", "1", "2"))
    names = [re.search(r'CACHE = "sapper-([0-9a-f]{16})"', text) for text in (first, later)]
    assert all(names)
    assert first == again != later


def test_offline_page_describes_the_problem() -> None:
    """The offline page needs no other file."""
    text = _get("/offline").text
    assert "Sapper is not running." in text
    assert "<script" not in text
    assert "<link" not in text
