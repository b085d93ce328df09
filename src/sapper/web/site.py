"""Write the game as a folder of static files, which needs no server.

The pages, styles and scripts are those of the app. Only the modules that talk to the server are
replaced by those in ``js/local``, which play the game in the browser. Every URL is relative, so
the folder works below any path. English pages are at the top, those of other languages in a folder
for each language.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from sapper.errors import BadSetting
from sapper.translation import LANGUAGES
from sapper.web.assets import STATIC, Assets

__all__ = ["write_site"]

_PAGES: Final = {"index": "index.html", "analyze": "analyze.html"}
_REPLACED: Final = ("connection.js", "pages.js", "analyze/questions.js", "frame/language.js")
_PICTURES: Final = ("icon.svg", "icon-192.png", "icon-512.png")
_SCRIPTS: Final = ("frame/early-theme.js", "frame/early-room.js", "local/install.js")
_REDIRECT: Final = "local/early-language.js"
_MARK: Final = "sapper-site.json"
"""Marks a folder written by this module, which may be replaced."""
_POLICY: Final = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'"
)
_NEEDS_SERVER: Final = re.compile(r"^ *<p [^>]*\bdata-server\b.*</p>\n", re.M)
_PREFIX: Final = re.compile(r'(href|src|content)="/(static|assets)/')
_PAGE_LINK: Final = re.compile(r'href="/(analyze)?"')
_INSTALL: Final = re.compile(r'src="/static/js/frame/install\.js"')
_MANIFEST: Final = re.compile(r'href="/manifest\.webmanifest"')


def write_site(folder: Path, menu: Mapping[str, object]) -> int:
    """Write the files, and return their number.

    Args:
        folder: A new or empty folder, or one that this function has written.
        menu: The choices on the page, as in the menu message of the server.

    Raises:
        BadSetting: If the folder contains anything else.
        OSError: If it cannot be written.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / _MARK).exists():
        raise BadSetting(f"{folder} is not empty, and was not written by 'sapper site'")
    scripts = STATIC / "js"
    assets = Assets(
        STATIC,
        names=_PAGES,
        instead={scripts / name: scripts / "local" / name for name in _REPLACED},
        given={"sapperMenu": menu},
    )
    files = dict(_files(assets))
    digest = hashlib.sha256(b"".join(name.encode() + files[name] for name in sorted(files)))
    files["service-worker.js"] = _service_worker(files, digest.hexdigest()[:16])
    for name in _written_before(folder) - set(files):
        (folder / name).unlink(missing_ok=True)
    for name, body in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    (folder / _MARK).write_text(json.dumps({"files": sorted(files)}) + "\n")
    return len(files) + 1


def _written_before(folder: Path) -> set[str]:
    """Return the files that an earlier run has written, so that files of others are kept."""
    try:
        names = json.loads((folder / _MARK).read_text())["files"]
    except (OSError, ValueError, LookupError, TypeError):
        return set()
    root = Path(os.path.realpath(folder))
    found = {name for name in names if isinstance(name, str)} if isinstance(names, list) else set()
    return {name for name in found if Path(os.path.realpath(root / name)).is_relative_to(root)}


def _files(assets: Assets) -> Iterator[tuple[str, bytes]]:
    """Yield all files except the service worker, with their paths."""
    for language in LANGUAGES:
        for name, file in _PAGES.items():
            at = "" if language == "en" else f"{language}/"
            yield f"{at}{file}", _page(assets.html(name, language), language).encode()
    for name, body in assets.bundles.items():
        yield f"assets/{name}", body
    for name in _PICTURES:
        yield f"static/{name}", (STATIC / name).read_bytes()
    for name in (*_SCRIPTS, _REDIRECT):
        yield f"static/js/{name}", (STATIC / "js" / name).read_bytes()
    yield "static/css/site.css", (STATIC / "css" / "site.css").read_bytes()
    yield "manifest.webmanifest", _manifest()


def _page(html: str, language: str) -> str:
    """Return a page with relative URLs, and without what needs the server."""
    root = "" if language == "en" else "../"
    html = _NEEDS_SERVER.sub("", html)
    html = _INSTALL.sub('src="/static/js/local/install.js"', html)
    html = _MANIFEST.sub(f'href="{root}manifest.webmanifest"', html)
    html = _PAGE_LINK.sub(lambda link: f'href="{_PAGES[link[1] or "index"]}"', html)
    html = html.replace('<meta name="sapper-engine"', '<meta name="sapper-engine" data-alone')
    head = [
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}" />',
        f'<meta name="sapper-root" content="{root or "./"}" />',
        '<link rel="stylesheet" href="/static/css/site.css" />',
    ]
    if language == "en":
        others = " ".join(code for code in LANGUAGES if code != "en")
        head.append(f'<script src="/static/js/{_REDIRECT}" data-languages="{others}"></script>')
    lines = "".join(f"    {line}\n" for line in head)
    html = html.replace('<meta charset="utf-8" />\n', f'<meta charset="utf-8" />\n{lines}', 1)
    return _PREFIX.sub(rf'\1="{root}\2/', html)


def _manifest() -> bytes:
    content = {
        "name": "Sapper",
        "short_name": "Sapper",
        "description": "Minesweeper with the exact chance of every cell.",
        "start_url": "./",
        "display": "standalone",
        "background_color": "#c6c6c6",
        "theme_color": "#c6c6c6",
        "icons": [
            {"src": "static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
            {"src": "static/icon-192.png", "sizes": "192x192", "type": "image/png"},
            {"src": "static/icon-512.png", "sizes": "512x512", "type": "image/png"},
        ],
    }
    return json.dumps(content, indent=2).encode() + b"\n"


def _service_worker(files: Mapping[str, bytes], version: str) -> bytes:
    """Return the service worker, with the list of the files that it keeps."""
    text = (STATIC / "site-worker.js").read_text("utf-8")
    listed = json.dumps(sorted(files))
    return text.replace("VERSION", version).replace("[/* FILES */]", listed).encode()
