"""Pages under 127.0.0.1 open at localhost, with everything the browser has there."""

from __future__ import annotations

import hashlib
import hmac
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.hand import cell
from e2e.running import Server

OLD = Path(__file__).parents[1] / "data" / "saved_games_1.0.0.sqlite3"
VISITOR = "tCulvLLf2zBBG8GuvQTzSvms"
"""A visitor of that file: 15 games, a running game, a daily board and three trainer answers."""

Contexts = Callable[..., BrowserContext]


@pytest.fixture
def old_server(tmp_path: Path) -> Iterator[tuple[Server, str]]:
    """A server with the saved games of version 1.0.0, and the visitor's cookie of that version."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "play.sqlite3").write_bytes(OLD.read_bytes())
    with closing(sqlite3.connect(home / "play.sqlite3")) as db, db:
        # Two days before the daily board in the file, as that version stores them.
        game = db.execute("SELECT game FROM dailies").fetchone()[0]
        for day in ("2026-11-23", "2026-11-24"):
            row = (VISITOR, day, 1, 30.0, 70, 90, None, game)
            db.execute("INSERT INTO dailies VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        db.execute("DELETE FROM dailies WHERE day = '2026-11-25'")
        [key] = db.execute("SELECT value FROM meta WHERE name = 'secret'").fetchone()
    signature = hmac.new(key, VISITOR.encode(), hashlib.sha256).hexdigest()[:32]
    server = Server(home)
    server.set_day("2026-11-25")
    with server:
        yield server, f"{VISITOR}.{signature}"


def _under(server: Server, name: str, path: str = "") -> str:
    return f"http://{name}:{server.port}/{path}"


def _wait_for(page: Page, server: Server, path: str = "") -> None:
    """Wait for a page at localhost, which may add a fragment."""
    page.wait_for_url(re.compile(f"{re.escape(_under(server, 'localhost', path))}(#.*)?$"))


def _browser_of_version_1(new_context: Contexts, server: Server, cookie: str) -> Page:
    """Return a window of a browser that played at 127.0.0.1 and has settings there."""
    context = new_context()
    url = _under(server, "127.0.0.1")
    context.add_cookies(
        [
            {"name": "sapper", "value": cookie, "url": url, "sameSite": "Strict"},
            {"name": "sapper-language", "value": "de", "url": url, "sameSite": "Lax"},
        ]
    )
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"error on the page: {error}"))
    # Not a page, so it does not move.
    page.goto(_under(server, "127.0.0.1", "static/icon.svg"))
    page.evaluate("localStorage.setItem('sapper.theme', 'dark')")
    page.evaluate("""localStorage.setItem('sapper.preferences', '{"animation": "off"}')""")
    return page


def _expect_everything(page: Page, server: Server) -> None:
    """Check the history, the running game, the trainer, the streak and the settings."""
    here = _under(server, "localhost")
    page.goto(here)
    expect(page.locator(".cell.open")).not_to_have_count(0)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("data-animation", "off")
    daily = page.request.get(f"{here}api/learn").json()
    assert daily["standing"]["answered"] == 3
    page.click("#daily")
    expect(page.locator("#card dl")).to_contain_text("2 Tage in Folge ohne Hilfe gewonnen")
    page.goto(f"{here}learn")
    expect(page.locator("#rating-now")).to_have_text("564")
    page.goto(f"{here}history")
    expect(page.locator("#found")).to_be_visible()
    assert page.request.get(f"{here}api/history/games").json()["total"] == 15


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
def test_a_guest_of_version_1_finds_everything_at_localhost(
    new_context: Contexts, old_server: tuple[Server, str], name: str
) -> None:
    """Both the URL that is printed now and the one of that version lead there."""
    server, cookie = old_server
    page = _browser_of_version_1(new_context, server, cookie)
    page.goto(_under(server, name))
    _wait_for(page, server)
    _expect_everything(page, server)


def test_games_at_both_names_are_joined(
    new_context: Contexts, old_server: tuple[Server, str]
) -> None:
    """A visitor who followed a link to localhost has started a second history there."""
    server, cookie = old_server
    page = _browser_of_version_1(new_context, server, cookie)
    # Without the way through 127.0.0.1, as in version 1.0.0.
    page.route("**/", lambda route: route.continue_(headers={"accept": "*/*"}), times=1)
    page.goto(_under(server, "localhost"))
    cell(page, 4, 4).click()
    expect(page.locator(".cell.open")).not_to_have_count(0)
    page.goto(_under(server, "127.0.0.1"))
    _wait_for(page, server)
    _expect_everything(page, server)


@pytest.mark.parametrize("path", ["analyze?x=%26#position=9x9:10", "r/ABCDEF#x", "nowhere?a=1"])
def test_a_link_keeps_its_path_query_and_fragment(
    new_context: Contexts, server: Server, path: str
) -> None:
    """The token is in no entry of the browser's history, and only at the page that sends it."""
    page = new_context().new_page()
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url))
    page.goto(_under(server, "127.0.0.1", path))
    _wait_for(page, server, path.partition("#")[0])
    page.wait_for_load_state()
    assert "moved" not in page.url
    assert not [url for url in seen if "token" in url]
    assert page.evaluate("history.length") <= 2
    page.go_back()
    assert page.url == "about:blank"


def test_a_window_on_a_phone_moves_without_a_trace(new_context: Contexts, server: Server) -> None:
    """A game started under the address goes on, and later settings are not replaced."""
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(_under(server, "127.0.0.1"))
    _wait_for(page, server)
    cell(page, 4, 4).click()
    expect(page.locator(".cell.open")).not_to_have_count(0)
    page.evaluate("localStorage.removeItem('sapper.theme')")
    page.goto(_under(server, "127.0.0.1", "static/icon.svg"))
    page.evaluate("localStorage.setItem('sapper.theme', 'dark')")
    page.goto(_under(server, "127.0.0.1"))
    _wait_for(page, server)
    expect(page.locator(".cell.open")).not_to_have_count(0)
    expect(page.locator("html")).to_have_attribute("data-theme", "")


@pytest.mark.parametrize(
    "parcel",
    [
        "",
        "%",
        "{}",
        '{"token":1,"path":"/"}',
        '{"token":"x.y.z","path":"//evil.example/"}',
        '{"token":"","path":"https://evil.example/"}',
        '{"token":"","path":"javascript:alert(1)"}',
        '{"token":"x","path":"/","settings":{"sapper.theme":"dark"},"language":"de"}',
    ],
)
def test_a_forged_arrival_opens_only_the_start_page(
    new_context: Contexts, server: Server, parcel: str
) -> None:
    """Links of other sites can neither leave this one nor change its settings."""
    page = new_context().new_page()
    page.goto(f"{_under(server, 'localhost', 'moved')}#{parcel}")
    _wait_for(page, server)
    expect(page.locator("html")).to_have_attribute("data-theme", "")
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_a_browser_without_scripts_moves(new_context: Contexts, server: Server) -> None:
    """It shows the page that needs scripts, and what it says about that."""
    page = new_context(java_script_enabled=False).new_page()
    page.goto(_under(server, "127.0.0.1", "analyze?x=1"))
    _wait_for(page, server, "analyze?x=1")


def test_no_cookies_no_loop(new_context: Contexts, old_server: tuple[Server, str]) -> None:
    """A browser that keeps no cookies ends at a page."""
    server, _ = old_server
    context = new_context()
    page = context.new_page()
    page.route("**/*", lambda route: _without_cookies(route))
    page.goto(_under(server, "localhost"))
    page.wait_for_url(re.compile(r"localhost:\d+/(moved)?$"))


def _without_cookies(route: object) -> None:
    from playwright.sync_api import Route

    assert isinstance(route, Route)
    answer = route.fetch(max_redirects=0)
    headers = {name: value for name, value in answer.headers.items() if name != "set-cookie"}
    route.fulfill(response=answer, headers=headers)
