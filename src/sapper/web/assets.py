"""Bundle the pages with their scripts and styles: one of each per page, cached forever.

All pages share two parts. The line ``<!-- head -->`` stands for ``parts/head.html``, the links and
settings of every page, and ``<!-- header -->`` for ``parts/header.html``, the bar at the top, with
the settings in ``parts/settings.html``; ``<!-- header: own settings -->`` omits those. ``<!-- part:
NAME -->`` stands for ``parts/NAME.html``, for fields that several parts share, and ``<!-- languages
-->`` for an option per language.

The sources are plain ES modules, which `sapper.web.modules` joins. ``import("./x.js")`` loads a
separate bundle, called ``PAGE.x-HASH.js``. A page is bundled on its first request,
because bundling all pages in all languages takes longer than the rest of the server's start. The
URL of a bundle contains a hash of its content, so browsers never need to revalidate it.

There is one version of each page per language. A separate file with the text of the page's scripts
sets ``sapperTexts`` before they run. The line ``<!-- topologies -->`` stands for a script that sets
``sapperTopologies`` to the board shapes, ``<!-- engine -->`` for the engine's URL, which
pages load when they need it, and ``<!-- themes -->`` for the registered themes in the list of
colours. Every page gets tags for link previews, made from its title, its description and
the requested URL.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from sapper.topology import TOPOLOGIES
from sapper.translation import LANGUAGES, Text, catalogue
from sapper.translation.catalogues import LOCALE
from sapper.web.language import current_language
from sapper.web.modules import COMMENT, PADDING, join_modules
from sapper.web.page_texts import with_texts
from sapper.web.script_texts import script_texts, texts_of_scripts
from sapper.web.themes import theme_options, theme_styles

__all__ = ["STATIC", "Assets", "Preview", "page_names"]

STATIC: Final = Path(__file__).parent / "static"
"""The pages with their scripts, styles and pictures."""

_STYLE: Final = re.compile(r'^ *<link rel="stylesheet" href="/static/([^"]+)" />\n', re.M)
_SCRIPT: Final = re.compile(r'<script type="module" src="/static/([^"]+)"></script>')
_HEAD: Final = re.compile(r"^ *<!-- head -->\n", re.M)
_HEADER: Final = re.compile(r"^ *<!-- header(: own settings)? -->\n", re.M)
_ENGINE: Final = re.compile(r"^ *<!-- engine -->\n", re.M)
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
_PARENTS: Final = dict.fromkeys(
    ("leaderboards", "profile", "room", "tournament", "tournaments"), "together"
)
"""Pages that the header shows as part of another page, like the pages in that page's folder."""
_PREVIEWED: Final = 64
"""Number of cached pages with an inserted URL."""

_FOREVER: Final = "public, max-age=31536000, immutable"


_ENGINE_TYPES: Final = {
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".net": "application/octet-stream",
}


@dataclass(frozen=True)
class _File:
    body: bytes
    media_type: str

    @cached_property
    def packed(self) -> bytes:
        return gzip.compress(self.body, mtime=0)


class Preview(NamedTuple):
    """The content of a page that has many URLs, for link previews and search engines.

    Attributes:
        path: The path of its URL.
        title: The title, in the visitor's language.
        description: The description; empty for that of the page.
        image: The path of a picture of 1200x630 pixels; empty for the usual one.
        listed: Whether search engines may list it.
    """

    path: str
    title: str
    description: str = ""
    image: str = ""
    listed: bool = True


def page_names(folder: Path) -> Iterator[str]:
    """Yield the names of the pages in a folder, and in its folders except ``parts``."""
    for path in (*folder.glob("*.html"), *folder.glob("*/*.html")):
        name = path.relative_to(folder).with_suffix("").as_posix()
        if not name.startswith("parts/"):
            yield name


class Assets:
    """All pages and their bundles, made on first use and kept in memory.

    Args:
        folder: Directory of the pages, with ``js``, ``css``, ``parts`` and ``engine``.
        engine: Whether pages may use the engine.
        names: The pages to build (default: all).
        instead: Modules that replace others.
        given: Global variables for the scripts of every page, beside `sapperTopologies`.

    Attributes:
        names: Names of the pages: their paths without the suffix, such as ``learn/patterns``;
            ``index`` is the Play page, ``not-found`` the page for unknown URLs.
    """

    def __init__(
        self,
        folder: Path,
        *,
        engine: bool = True,
        names: Iterable[str] | None = None,
        instead: Mapping[Path, Path] = MappingProxyType({}),
        given: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        self._folder, self._instead, self._given = folder, instead, given
        self._some = names is not None
        self.names: Final = sorted(page_names(folder) if names is None else names)
        self._files: dict[str, _File] = {}
        self._english = cache(self._add_page)
        self._texts = cache(self._add_texts)
        self._shapes = cache(self._add_shapes)
        self._engine: Callable[[], str] = cache(self._add_engine) if engine else str
        self._html = cache(self._make_html)
        self._packed_page = lru_cache(_PREVIEWED)(self._previewed)

    def _makers(self) -> Iterator[tuple[str, Callable[[], str]]]:
        """Yield the functions that make the bundles, each with the prefix of their names."""
        yield "engine", self._engine
        for language in LANGUAGES:
            yield f"topologies-{language}", partial(self._shapes, language)
            if language != "en":
                yield f"texts-{language}", partial(self._texts, language)
        for name in self.names:
            yield Path(name).name, partial(self._english, name)

    @cached_property
    def version(self) -> str:
        """A version that changes whenever a source of the pages does."""
        shapes = [shape.to_json() for shape in TOPOLOGIES.values()]
        sources = hashlib.sha256(json.dumps([shapes, theme_styles(), theme_options()]).encode())
        for path in sorted((*self._folder.rglob("*.*"), *LOCALE.rglob("*.po"))):
            sources.update(f"{path.name} ".encode() + path.read_bytes())
        return sources.hexdigest()[:16]

    def page(
        self, request: Request, name: str, status: int = 200, preview: Preview | None = None
    ) -> Response:
        """Return a page in the visitor's language; browsers revalidate it each time.

        Args:
            request: The request.
            name: The name of the page.
            status: The status.
            preview: Its content, if the page has many URLs.
        """
        language = current_language()
        headers = {"content-language": language, "vary": "accept-language, cookie"}
        origin = f"{request.url.scheme}://{request.headers.get('host', '')}"
        origin = origin if _ORIGIN.fullmatch(origin) else ""
        file = self._packed_page(name, language, origin, preview)
        return _response(request, file, headers, status)

    def _previewed(
        self, name: str, language: str, origin: str, preview: Preview | None = None
    ) -> _File:
        """Return a page with the tags for link previews."""
        page = self.html(name, language)
        if preview is not None:
            page = _with_content(page, preview)
        if name == "not-found":
            return _File(page.encode(), "text/html")
        title, description = _TITLE.search(page), _DESCRIPTION.search(page)
        if title is None or description is None:
            return _File(page.encode(), "text/html")
        path = f"/{'' if name == 'index' else name}" if preview is None else preview.path
        image = (preview.image if preview else "") or "/static/preview.png"
        tags = {
            "og:type": "website",
            "og:site_name": "Sapper",
            "og:title": title[1],
            "og:description": description[1],
            # Programs that show previews do not resolve relative URLs.
            **({"og:url": origin + path, "og:image": origin + image} if origin else {}),
        }
        lines = [
            f'    <meta property="{key}" content="{html.escape(html.unescape(value))}" />\n'
            for key, value in tags.items()
        ]
        lines.append('    <meta name="twitter:card" content="summary_large_image" />\n')
        at = description.end() + 1
        return _File((page[:at] + "".join(lines) + page[at:]).encode(), "text/html")

    def html(self, name: str, language: str) -> str:
        """Return a page, without the tags for link previews."""
        return self._html(name, language)

    @property
    def bundles(self) -> Mapping[str, bytes]:
        """The content of all bundles by name, as below ``/assets/``."""
        for _, make in self._makers():
            make()
        return {name: file.body for name, file in self._files.items()}

    async def file(self, request: Request) -> Response:
        """Return a bundle by name."""
        name = request.path_params["name"]
        if name not in self._files:
            # Its page may have come from another worker, or from this server before a restart.
            start = name.partition("/")[0].rpartition("-")[0].partition(".")[0]
            for made, make in self._makers():
                if made == start:
                    make()
        data = self._files.get(name)
        if data is None:
            raise HTTPException(404)
        return _response(request, data, {"cache-control": _FOREVER})

    def _make_html(self, name: str, language: str) -> str:
        """Return a page in a language."""
        shapes = f'<script defer src="{self._shapes(language)}"></script>'
        page = _SHAPES.sub(shapes, self._english(name))
        return page if language == "en" else _translated(page, language, self._texts(language))

    def _add_texts(self, language: str) -> str:
        """Add a file with the scripts' text in a language; return its URL."""
        made = catalogue(language).to_json(self._script_texts)
        texts = json.dumps(made, ensure_ascii=False, sort_keys=True)
        return self._add(
            f"texts-{language}", "js", f"var sapperTexts = {texts};", "text/javascript"
        )

    @cached_property
    def _script_texts(self) -> frozenset[str]:
        """The texts that the scripts of the pages translate."""
        if not self._some:
            return texts_of_scripts(self._folder / "js")
        for name in self.names:
            self._english(name)
        scripts = [file.body.decode() for name, file in self._files.items() if name.endswith(".js")]
        return frozenset(forms[0] for script in scripts for forms in script_texts(script))

    def _add_shapes(self, language: str) -> str:
        """Add a file with the board shapes in a language; return its URL."""
        shapes = [shape.to_json() for shape in TOPOLOGIES.values()]
        given = catalogue(language).message({"sapperTopologies": shapes, **self._given})
        text = "\n".join(
            f"var {name} = {json.dumps(value, ensure_ascii=False)};"
            for name, value in given.items()
        )
        return self._add(f"topologies-{language}", "js", text, "text/javascript")

    def _add_page(self, name: str) -> str:
        """Add the bundles of a page; return the page in English."""
        path = self._folder / f"{name}.html"
        text = _HEAD.sub(lambda _: self._part("head"), path.read_text("utf-8"))
        text = _HEADER.sub(lambda match: self._header(name, match), text)
        text = _PART.sub(lambda match: self._part(match[1]), text)
        text = _LANGUAGES.sub(lambda _: _language_options(), text)
        text = _THEMES.sub(lambda _: theme_options(), text)
        text = _ENGINE.sub(lambda _: self._engine(), text)
        styles = _STYLE.findall(text)
        joined = "".join((self._folder / name).read_text("utf-8") for name in styles)
        joined += theme_styles()
        address = self._add(path.stem, "css", PADDING.sub("", COMMENT.sub("", joined)), "text/css")
        link = f'    <link rel="stylesheet" href="{address}" />\n'
        text = _STYLE.sub("", _STYLE.sub(link, text, count=1))

        def add_part(name: str, script: str) -> str:
            address = self._add(f"{path.stem}.{name}", "js", script, "text/javascript")
            # The script is in the same folder.
            return f"./{address.rpartition('/')[2]}"

        def script(match: re.Match[str]) -> str:
            script = join_modules(self._folder / match[1], add_part, self._instead)
            address = self._add(path.stem, "js", script, "text/javascript")
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
            if name == (_PARENTS.get(page) or page.rpartition("/")[0]):
                return to[0].replace(">", ' aria-current="true">', 1)
            return to[0].replace(">", ' aria-current="page">', 1) if name == page else to[0]

        text = _PAGE_LINK.sub(link, text)
        return text if match[1] else text + self._part("settings")

    def _add_engine(self) -> str:
        """Add the files of the engine; return the tag with its first module's URL.

        Its modules find each other by relative URLs, so the hash is in the name of a folder.
        """
        parts = [
            (path.name, path.read_bytes(), _ENGINE_TYPES[path.suffix])
            for path in sorted((self._folder / "engine").glob("*"))
            if path.suffix in _ENGINE_TYPES
        ]
        if not parts:
            return ""
        digest = hashlib.sha256(b"".join(body for _, body, _ in parts)).hexdigest()[:16]
        for name, body, media_type in parts:
            self._files[f"engine-{digest}/{name}"] = _File(body, media_type)
        return f'    <meta name="sapper-engine" content="/assets/engine-{digest}/index.js" />\n'

    def _add(self, name: str, suffix: str, text: str, media_type: str) -> str:
        file = _File(text.encode(), media_type)
        named = f"{name}-{hashlib.sha256(file.body).hexdigest()[:16]}.{suffix}"
        self._files[named] = file
        return f"/assets/{named}"


def _with_content(page: str, preview: Preview) -> str:
    """Return a page with the title and description of its content."""
    title, description = (
        html.escape(text) for text in (f"{preview.title} - Sapper", preview.description)
    )
    page = _TITLE.sub(lambda _: f"<title>{title}</title>", page, count=1)
    if description:
        tag = f'<meta name="description" content="{description}" />'
        page = _DESCRIPTION.sub(lambda _: tag, page, count=1)
    hidden = "" if preview.listed else '    <meta name="robots" content="noindex" />\n'
    return page.replace("</title>\n", f"</title>\n{hidden}", 1)


def _language_options() -> str:
    """Return an HTML option for each language."""
    return "".join(
        f'<option value="{code}" lang="{code}">{html.escape(name)}</option>'
        for code, name in LANGUAGES.items()
    )


def _translated(page: str, language: str, texts: str) -> str:
    words = catalogue(language)
    page = with_texts(page, lambda text: words.text(Text(text, {})))
    page = page.replace('<html lang="en">', f'<html lang="{language}">', 1)
    # Deferred scripts and modules run in document order.
    return page.replace("</title>", f'</title>\n    <script defer src="{texts}"></script>', 1)


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
