"""Files for installing the web app: manifest, service worker and offline page."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from sapper.translation import Text, catalogue
from sapper.web.language import current_language
from sapper.web.page_texts import with_texts

__all__ = ["install_routes"]

_DESCRIPTION: Final = "Minesweeper with the exact chance of every cell."
_ICONS: Final = [
    {"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
    {"src": "/static/icon-192.png", "sizes": "192x192", "type": "image/png"},
    {"src": "/static/icon-512.png", "sizes": "512x512", "type": "image/png"},
]


def install_routes(folder: Path, version: Callable[[], str]) -> list[Route]:
    """Return the routes.

    Args:
        folder: The static files.
        version: Returns a version that changes whenever a page, script or style does.
    """
    offline = (folder / "parts" / "offline.html").read_text("utf-8")
    worker = (folder / "service-worker.js").read_text("utf-8")

    # Runs on a worker thread, because the version may have to read all files.
    def service_worker(_: Request) -> Response:
        name = hashlib.sha256(f"{version()} {offline}".encode()).hexdigest()[:16]
        return Response(worker.replace("VERSION", name), media_type="text/javascript")

    async def manifest(_: Request) -> Response:
        language = current_language()
        described = catalogue(language).text(Text(_DESCRIPTION, {}))
        content = {
            "name": "Sapper",
            "short_name": "Sapper",
            "description": described,
            "lang": language,
            "id": "/",
            "start_url": "/",
            "display": "standalone",
            "background_color": "#c6c6c6",
            "theme_color": "#c6c6c6",
            "icons": _ICONS,
        }
        return JSONResponse(content, media_type="application/manifest+json")

    async def offline_page(_: Request) -> Response:
        language = current_language()
        words = catalogue(language)
        page = with_texts(offline, lambda text: words.text(Text(text, {})))
        # The header tells the service worker the language of the cached page.
        headers = {"content-language": language}
        return HTMLResponse(page.replace('lang="en"', f'lang="{language}"', 1), headers=headers)

    return [
        Route("/manifest.webmanifest", manifest),
        Route("/service-worker.js", service_worker),
        Route("/offline", offline_page),
    ]
