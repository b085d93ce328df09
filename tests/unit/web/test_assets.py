"""Scripts and styles are bundled, compressed and named after their content."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.translation import LANGUAGES
from sapper.web.assets import STATIC, Assets, page_names

PAGE = """<html><head>
    <link rel="stylesheet" href="/static/a.css" />
    <link rel="stylesheet" href="/static/b.css" />
    <script type="module" src="/static/main.js"></script>
</head></html>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A page with two style sheets and three modules whose names collide."""
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "a.css").write_text("/* One. */\na { color: red }\n")
    (tmp_path / "b.css").write_text("b { color: blue }\n")
    (tmp_path / "main.js").write_text(
        'import { two as other } from "./sub/two.js";\n'
        'import {\n  ONE, double,\n} from "./one.js";\n'
        "/** A comment. */\nconst hidden = double(ONE);\nconsole.log(hidden, other());\n"
    )
    (tmp_path / "one.js").write_text(
        "// A name of main.js too.\nconst hidden = 2;\nexport const ONE = 1;\n"
        "/**\n * Twice.\n */\nexport function double(n) {\n  return hidden * n;\n}\n"
    )
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "two.js").write_text(
        'import { ONE } from "../one.js";\nexport class Two {}\nexport const two = () => ONE + 1;\n'
    )
    return tmp_path


class Site:
    """A client for the bundled page."""

    def __init__(self, folder: Path) -> None:
        assets = Assets(folder)

        async def page(request: Request) -> Response:
            return assets.page(request, "index")

        self.app = Starlette(
            routes=[Route("/", page), Route("/assets/{name:path}", assets.file)],
        )

    def get(self, path: str, packed: bool = True) -> httpx.Response:
        """Return the answer to a request."""

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                headers = {"accept-encoding": "gzip" if packed else "identity"}
                return await client.get(path, headers=headers)

        return asyncio.run(ask())


def test_page_has_one_cacheable_style_sheet_and_script(folder: Path) -> None:
    """Both files are compressed, and their names change with their content."""
    client = Site(folder)
    page = client.get("/")
    names = re.findall(r'"(/assets/[^"]+)"', page.text)
    assert [name.rsplit(".", 1)[1] for name in names] == ["css", "js"]
    for name in names:
        found = client.get(name)
        assert found.headers["content-encoding"] == "gzip"
        assert "immutable" in found.headers["cache-control"]
        assert client.get(name, packed=False).content == found.content
    assert "red" in client.get(names[0]).text
    assert "blue" in client.get(names[0]).text
    (folder / "b.css").write_text("b { color: green }\n")
    later = re.findall(r'"(/assets/[^"]+)"', Site(folder).get("/").text)
    assert later[0] != names[0]
    assert later[1] == names[1]
    assert client.get("/assets/nothing.js").status_code == 404


def test_pages_are_bundled_when_requested(folder: Path) -> None:
    """A server starts without reading the scripts of its pages."""
    (folder / "main.js").unlink()
    assets = Assets(folder)
    with pytest.raises(FileNotFoundError):
        assets.html("index", "en")


def test_bundles_can_be_requested_before_their_page(folder: Path) -> None:
    """A page from another worker, or from before a restart, can load its files."""
    (folder / "engine").mkdir()
    (folder / "engine" / "index.js").write_text("export const ONE = 1;\n")
    (folder / "index.html").write_text(f"    <!-- engine -->\n{PAGE}<!-- topologies -->")
    names = Assets(folder).bundles
    starts = {name.rpartition("-")[0].partition("-")[0] for name in names}
    assert starts == {"engine", "index", "texts", "topologies"}
    assert [name for name in names if Site(folder).get(f"/assets/{name}").status_code != 200] == []


def test_scripts_get_the_translations_of_their_texts(folder: Path) -> None:
    """The texts of all modules are found when a page is built, and no others are sent."""
    (folder / "js").mkdir()
    (folder / "js" / "a.js").write_text('t("Hint");\ntn("{n} mine", "{n} mines", count);\n')
    files = Assets(folder).bundles
    [texts] = [files[name].decode() for name in files if name.startswith("texts-de-")]
    sent = json.loads(texts.removeprefix("var sapperTexts = ").removesuffix(";"))["messages"]
    assert sent == {"Hint": "Tipp", "{n} mine": ["{n} Mine", "{n} Minen"]}


def test_a_part_of_a_page_can_be_requested_before_the_page(folder: Path) -> None:
    """A part has its own name and can be cached forever."""
    (folder / "main.js").write_text('void import("./sub/two.js");\n')
    [part] = [name for name in Assets(folder).bundles if name.startswith("index.two-")]
    found = Site(folder).get(f"/assets/{part}")
    assert found.headers["content-type"].startswith("text/javascript")
    assert "immutable" in found.headers["cache-control"]
    assert "class Two" in found.text
    page = Site(folder).get("/")
    [script] = re.findall(r'src="(/assets/index-[^"]+)"', page.text)
    assert f'"./{part}"' in Site(folder).get(script).text


def test_the_version_changes_with_any_source(folder: Path) -> None:
    """Scripts, styles and pages all change the version."""
    versions = [Assets(folder).version, Assets(folder).version]
    for name in ("index.html", "b.css", "sub/two.js"):
        (folder / name).write_text((folder / name).read_text() + "\n")
        versions.append(Assets(folder).version)
    assert versions[0] == versions[1]
    assert len(set(versions)) == 4


def test_every_page_has_the_same_header(folder: Path) -> None:
    """The header links to all pages and marks the current one; not every page has settings."""
    (folder / "parts").mkdir()
    header = '<nav><a href="/">Play</a><a href="/lab">Lab</a><a href="/no">No</a></nav>\n'
    (folder / "parts" / "header.html").write_text(header)
    (folder / "parts" / "settings.html").write_text('<div id="settings-box"></div>\n')
    (folder / "index.html").write_text("    <!-- header: own settings -->\n" + PAGE)
    (folder / "lab.html").write_text("    <!-- header -->\n" + PAGE)
    assets = Assets(folder)
    assert assets.names == ["index", "lab"]
    request = Request({"type": "http", "headers": [], "path": "/"})
    play, lab = (bytes(assets.page(request, name).body).decode() for name in assets.names)
    assert '<a href="/" aria-current="page">Play</a><a href="/lab">Lab</a></nav>' in play
    assert '<a href="/">Play</a><a href="/lab" aria-current="page">Lab</a></nav>' in lab
    assert 'id="settings-box"' not in play
    assert 'id="settings-box"' in lab


def test_a_room_belongs_to_the_page_together(folder: Path) -> None:
    """The header marks Together as the current page."""
    (folder / "parts").mkdir()
    (folder / "parts" / "header.html").write_text('<nav><a href="/together">Together</a></nav>\n')
    (folder / "parts" / "settings.html").write_text("")
    head = '<title>Room</title>\n<meta name="description" content="Text" />\n'
    for name in ("room", "together"):
        (folder / f"{name}.html").write_text(f"    <!-- header -->\n{head}{PAGE}")
    request = Request({"type": "http", "headers": [], "path": "/"})
    pages = {
        name: bytes(Assets(folder).page(request, name).body).decode()
        for name in ("room", "together")
    }
    assert '<a href="/together" aria-current="true">' in pages["room"]
    assert '<a href="/together" aria-current="page">' in pages["together"]


def test_every_page_has_the_same_head(folder: Path) -> None:
    """A page's styles are bundled with the shared ones, and no page repeats shared lines."""
    (folder / "parts").mkdir()
    head = '    <meta charset="utf-8" />\n    <link rel="stylesheet" href="/static/b.css" />\n'
    (folder / "parts" / "head.html").write_text(head)
    page = PAGE.replace('    <link rel="stylesheet" href="/static/b.css" />', "<!-- head -->")
    (folder / "index.html").write_text(page)
    client = Site(folder)
    told = client.get("/").text
    assert '<meta charset="utf-8" />' in told
    assert "blue" in client.get(re.findall(r'"(/assets/[^"]+)"', told)[0]).text
    shared = (STATIC / "parts" / "head.html").read_text("utf-8").splitlines()
    for path in STATIC.glob("*.html"):
        own = path.read_text("utf-8")
        assert "<!-- head -->" in own, path.name
        assert [line for line in shared if line.strip() in own] == [], path.name


def test_shared_choices_are_defined_once() -> None:
    """The play page and all others offer the same looks and languages."""
    sources = [path.read_text("utf-8") for path in STATIC.rglob("*.html")]
    shared = ("look", "palette", "animation", "language")
    counts = {name: sum(f'<select id="{name}"' in text for text in sources) for name in shared}
    assert counts == dict.fromkeys(shared, 1)
    play, learn = (_page(name, "localhost") for name in ("index", "learn"))
    for name in shared:
        [here] = re.findall(rf'<label for="{name}">.*?</select>', play, re.S)
        assert here in learn
    assert all(f'lang="{code}">{name}</option>' in learn for code, name in LANGUAGES.items())
    assert not re.findall("<!-- (?:part|languages)", play + learn)


def test_the_pages_of_the_app_are_small() -> None:
    """Each page's compressed scripts and styles take less than 90 kB."""
    sizes: dict[str, int] = {}
    for name, body in Assets(STATIC).bundles.items():
        page, rest = name.split("-", 1)
        if page == "engine":
            # Pages load it when they need it.
            continue
        if page == "texts":
            # Each page contains the messages of one language.
            page = f"texts of {rest.partition('-')[0]}"
        sizes[page] = sizes.get(page, 0) + len(gzip.compress(body))
    assert {page: size for page, size in sizes.items() if size >= 90_000} == {}


def test_a_first_visit_is_small() -> None:
    """The Play page takes less than 72 kB, not counting the parts that it loads later."""
    assets = Assets(STATIC)
    needed = [
        body for name, body in assets.bundles.items() if re.match("index-|topologies-en-", name)
    ]
    assert len(needed) == 3
    needed.append(assets.html("index", "en").encode())
    assert sum(len(gzip.compress(each)) for each in needed) < 72_000


@pytest.mark.parametrize("name", sorted(page_names(STATIC)))
def test_no_page_uses_an_id_twice(name: str) -> None:
    """Scripts find elements by id, so shared parts need their own ids."""
    page = Assets(STATIC).page(Request({"type": "http", "headers": [], "path": "/"}), name)
    ids = re.findall(r'\bid="([^"]+)"', bytes(page.body).decode())
    assert "main" in ids
    assert sorted(ids) == sorted(set(ids))


def _page(name: str, host: str) -> str:
    headers = [(b"host", host.encode())]
    scope = {"type": "http", "scheme": "https", "headers": headers, "path": "/"}
    return bytes(Assets(STATIC).page(Request(scope), name).body).decode()


def test_a_link_is_previewed_with_title_description_and_picture() -> None:
    """Link previews need the absolute URL of the picture."""
    page = _page("review", "mines.example:8443")
    assert '<meta property="og:title" content="Minesweeper review - Sapper" />' in page
    assert '<meta property="og:description" content="Every decision' in page
    assert 'content="https://mines.example:8443/static/preview.png"' in page
    assert '<meta property="og:url" content="https://mines.example:8443/review" />' in page


@pytest.mark.parametrize("host", ["", 'a"><script>', "a b", "a/b", "x" * 400])
def test_foreign_host_is_not_written_into_a_page(host: str) -> None:
    """The Host header is checked before it is written into a page."""
    page = _page("index", host)
    assert "og:image" not in page
    assert "og:title" in page
