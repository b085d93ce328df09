"""Bundle the pages with their scripts and styles: one of each per page, cached forever.

All pages share two parts. The line ``<!-- head -->`` stands for ``parts/head.html``, the links and
settings of every page, and ``<!-- header -->`` for ``parts/header.html``, the bar at the top, with
the settings in ``parts/settings.html``; ``<!-- header: own settings -->`` omits those. ``<!-- part:
NAME -->`` stands for ``parts/NAME.html``, for fields that several parts share, and ``<!-- languages
-->`` for an option per language.

The sources are plain ES modules, which are bundled when the server starts. The address of a bundle
contains a hash of its content, so browsers never need to revalidate it.

There is one version of each page per language. A separate file with the texts of the page's scripts
sets ``sapperTexts`` before they run. The line ``<!-- topologies -->`` stands for a script that sets
``sapperTopologies`` to the board shapes, and ``<!-- themes -->`` for the registered themes in the
list of colours. Every page gets tags for link previews, made from its title, its description and
the requested address.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from sapper.topology import TOPOLOGIES
from sapper.translation import LANGUAGES, Text, catalogue
from sapper.web.language import current_language
from sapper.web.page_texts import with_texts
from sapper.web.themes import theme_options, theme_styles

__all__ = ["STATIC", "Assets", "join_modules"]

STATIC: Final = Path(__file__).parent / "static"
"""The pages with their scripts, styles and pictures."""

# These match whole-line comments, indentation and empty lines.
_COMMENT: Final = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n", re.M | re.S)
_LINE_COMMENT: Final = re.compile(r"^[ \t]*//.*\n", re.M)
_PADDING: Final = re.compile(r"^[ \t]+|^\n", re.M)
_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.M)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) ([\w$]+))", re.M)
_STYLE: Final = re.compile(r'^ *<link rel="stylesheet" href="/static/([^"]+)" />\n', re.M)
_SCRIPT: Final = re.compile(r'<script type="module" src="/static/([^"]+)"></script>')
_HEAD: Final = re.compile(r"^ *<!-- head -->\n", re.M)
_HEADER: Final = re.compile(r"^ *<!-- header(: own settings)? -->\n", re.M)
_SHAPES: Final = re.compile(r"<!-- topologies -->")
_THEMES: Final = re.compile(r"^ *<!-- themes -->\n", re.M)
_PART: Final = re.compile(r"^ *<!-- part: (\w+) -->\n", re.M)
_LANGUAGES: Final = re.compile(r"^ *<!-- languages -->\n", re.M)
_PAGE_LINK: Final = re.compile(r'<a href="/(\w*)">\w+</a>')

_TITLE: Final = re.compile(r"<title>([^<]*)</title>")
_DESCRIPTION: Final = re.compile(r'<meta name="description" content="([^"]*)" />')
_ORIGIN: Final = re.compile(
    r"https?://(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?", re.I
)
"""Allowed form of the requested host that is inserted into a page."""
_PREVIEWED: Final = 64
"""Number of cached pages with an inserted address."""

_FOREVER: Final = "public, max-age=31536000, immutable"


class _File(NamedTuple):
    body: bytes
    packed: bytes
    media_type: str


class Assets:
    """All pages and their bundles, in memory.

    Args:
        folder: Directory of the pages, with ``js``, ``css`` and ``parts``.

    Attributes:
        names: Names of all pages; ``index`` is the Play page, ``not-found`` the page for unknown
            addresses.
        version: A version that changes whenever a bundle does.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, _File] = {}
        self.names: Final = sorted(page.stem for page in folder.glob("*.html"))
        texts = {language: self._texts(language) for language in LANGUAGES if language != "en"}
        shapes = {language: self._shapes(language) for language in LANGUAGES}
        self._pages: dict[tuple[str, str], str] = {}
        self._packed_page = lru_cache(_PREVIEWED)(self._previewed)
        for name in self.names:
            page = self._page(folder / f"{name}.html")
            for language in LANGUAGES:
                page_html = _SHAPES.sub(f'<script defer src="{shapes[language]}"></script>', page)
                if language in texts:
                    page_html = _translated(page_html, language, texts[language])
                self._pages[name, language] = page_html

        named = " ".join(sorted(self._files))
        self.version: Final = hashlib.sha256(named.encode()).hexdigest()[:16]

    def page(self, request: Request, name: str, status: int = 200) -> Response:
        """Return a page in the visitor's language; browsers revalidate it each time."""
        language = current_language()
        headers = {"content-language": language, "vary": "accept-language, cookie"}
        origin = f"{request.url.scheme}://{request.headers.get('host', '')}"
        file = self._packed_page(name, language, origin if _ORIGIN.fullmatch(origin) else "")
        return _response(request, file, headers, status)

    def _previewed(self, name: str, language: str, origin: str) -> _File:
        """Return a page with the tags for link previews."""
        page = self._pages[name, language]
        if name == "not-found":
            return _packed(page, "text/html")
        title, description = _TITLE.search(page), _DESCRIPTION.search(page)
        if title is None or description is None:
            return _packed(page, "text/html")
        address = f"{origin}/{'' if name == 'index' else name}"
        tags = {
            "og:type": "website",
            "og:site_name": "Sapper",
            "og:title": title[1],
            "og:description": description[1],
            # Programs that show previews do not resolve relative URLs.
            **({"og:url": address, "og:image": f"{origin}/static/preview.png"} if origin else {}),
        }
        lines = [
            f'    <meta property="{key}" content="{html.escape(html.unescape(value))}" />\n'
            for key, value in tags.items()
        ]
        lines.append('    <meta name="twitter:card" content="summary_large_image" />\n')
        at = description.end() + 1
        return _packed(page[:at] + "".join(lines) + page[at:], "text/html")

    async def file(self, request: Request) -> Response:
        """Return a bundle by name."""
        data = self._files.get(request.path_params["name"])
        if data is None:
            raise HTTPException(404)
        return _response(request, data, {"cache-control": _FOREVER})

    def _texts(self, language: str) -> str:
        """Add a file with the texts of the scripts in a language; return its address."""
        texts = json.dumps(catalogue(language).to_json(), ensure_ascii=False, sort_keys=True)
        return self._add(
            f"texts-{language}", "js", f"var sapperTexts = {texts};", "text/javascript"
        )

    def _shapes(self, language: str) -> str:
        """Add a file with the board shapes in a language; return its address."""
        shapes = catalogue(language).message([shape.to_json() for shape in TOPOLOGIES.values()])
        text = f"var sapperTopologies = {json.dumps(shapes, ensure_ascii=False)};"
        return self._add(f"topologies-{language}", "js", text, "text/javascript")

    def _page(self, path: Path) -> str:
        text = _HEAD.sub(lambda _: self._part("head"), path.read_text("utf-8"))
        text = _HEADER.sub(lambda match: self._header(path.stem, match), text)
        text = _PART.sub(lambda match: self._part(match[1]), text)
        text = _LANGUAGES.sub(lambda _: _language_options(), text)
        text = _THEMES.sub(lambda _: theme_options(), text)
        styles = _STYLE.findall(text)
        joined = "".join((self._folder / name).read_text("utf-8") for name in styles)
        joined += theme_styles()
        address = self._add(
            path.stem, "css", _PADDING.sub("", _COMMENT.sub("", joined)), "text/css"
        )
        link = f'    <link rel="stylesheet" href="{address}" />\n'
        text = _STYLE.sub("", _STYLE.sub(link, text, count=1))

        def script(match: re.Match[str]) -> str:
            address = self._add(
                path.stem, "js", join_modules(self._folder / match[1]), "text/javascript"
            )
            return f'<script type="module" src="{address}"></script>'

        return _SCRIPT.sub(script, text)

    def _part(self, name: str) -> str:
        return (self._folder / "parts" / f"{name}.html").read_text("utf-8")

    def _header(self, page: str, match: re.Match[str]) -> str:
        """Return the header with links to all pages, marking the current one."""
        text = self._part("header")

        def link(to: re.Match[str]) -> str:
            name = to[1] or "index"
            if name not in self.names:
                return ""
            return to[0].replace(">", ' aria-current="page">', 1) if name == page else to[0]

        text = _PAGE_LINK.sub(link, text)
        return text if match[1] else text + self._part("settings")

    def _add(self, name: str, suffix: str, text: str, media_type: str) -> str:
        file = _packed(text, media_type)
        named = f"{name}-{hashlib.sha256(file.body).hexdigest()[:16]}.{suffix}"
        self._files[named] = file
        return f"/assets/{named}"


def _language_options() -> str:
    """Return an HTML option for each language."""
    return "".join(
        f'<option value="{code}" lang="{code}">{html.escape(name)}</option>'
        for code, name in LANGUAGES.items()
    )


def join_modules(entry: Path) -> str:
    """Bundle an ES module with all its imports.

    Modules must import by name with ``import { a, b as c } from "./x.js";`` and export functions,
    classes and constants at their declaration. Each module becomes a function that is called once.

    Raises:
        ValueError: If there is an import cycle, another form of import, or a multi-line template.
    """
    done: dict[Path, str] = {}
    parts: list[str] = []

    def add(path: Path, above: tuple[Path, ...]) -> str:
        path = path.resolve()
        if path in above:
            raise ValueError(f"{path.name} imports itself by way of {above[-1].name}")
        if path in done:
            return done[path]
        text = _COMMENT.sub("", path.read_text("utf-8"))
        text = _PADDING.sub("", _LINE_COMMENT.sub("", text))
        if odd := next((line for line in text.splitlines() if line.count("`") % 2), None):
            # Whitespace at the start of a line may belong to a multi-line template.
            raise ValueError(f"{path.name} has a text of several lines: {odd}")

        def bind(match: re.Match[str]) -> str:
            names = " ".join(match[1].split()).strip(" ,").replace(" as ", ": ")
            return f"const {{ {names} }} = {add(path.parent / match[2], (*above, path))};\n"

        text = _IMPORT.sub(bind, text)
        names = _EXPORT.findall(text)
        text = _EXPORT.sub("", text)
        if wrong := re.search(r"^(import|export)\b.*", text, re.M):
            raise ValueError(f"{path.name} cannot be joined: {wrong[0]}")
        done[path] = f"module{len(done)}"
        parts.append(
            f"const {done[path]} = (() => {{\n{text}return {{ {', '.join(names)} }};\n}})();\n"
        )
        return done[path]

    add(entry, ())
    return "".join(parts)


def _translated(page: str, language: str, texts: str) -> str:
    words = catalogue(language)
    page = with_texts(page, lambda text: words.text(Text(text, {})))
    page = page.replace('<html lang="en">', f'<html lang="{language}">', 1)
    # Deferred scripts and modules run in document order.
    return page.replace("</title>", f'</title>\n    <script defer src="{texts}"></script>', 1)


def _packed(text: str, media_type: str) -> _File:
    body = text.encode()
    return _File(body, gzip.compress(body, mtime=0), media_type)


def _response(
    request: Request, file: _File, headers: dict[str, str] | None = None, status: int = 200
) -> Response:
    packs = "gzip" in request.headers.get("accept-encoding", "")
    sent = {"vary": "accept-encoding", **(headers or {})}
    if sent["vary"] != "accept-encoding":
        sent["vary"] = f"accept-encoding, {sent['vary']}"
    if packs:
        sent["content-encoding"] = "gzip"
    body = file.packed if packs else file.body
    return Response(body, status_code=status, headers=sent, media_type=file.media_type)
