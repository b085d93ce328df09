"""Games as replay files: downloaded, opened elsewhere, or dropped on a page."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.hand import choose, play_on
from e2e.running import Server
from sapper.replay import Playback, load
from support.marks import slow

Visit = Callable[..., Page]

_REPLAYS = Path(__file__).parents[1] / "data" / "replays"
_ARBITER = _REPLAYS / "beginner_wrong_time.avf"
# The History page imports dropped files.
_PAGES = ("", *map(slow, ("analyze", "learn", "review", "replay", "lab")))
_MISSING = "That game is not in this browser. Ask the player for the replay file and open it here."


@pytest.fixture
def tab(new_context: Callable[..., BrowserContext], server: Server) -> Callable[[str], Page]:
    """Open a page in a new browser; any error on the page fails the test."""

    def make(path: str) -> Page:
        page = new_context().new_page()
        page.on("pageerror", lambda error: pytest.fail(f"error on the page: {error}"))
        page.goto(f"{server.url}{path}")
        return page

    return make


def _play(page: Page) -> str:
    """Play a Beginner game until it is won or lost."""
    choose(page, "beginner")
    return play_on(page, 10)


def _drop(page: Page, name: str, content: bytes) -> None:
    """Drop a file on the page."""
    given = [name, base64.b64encode(content).decode()]
    page.evaluate(
        """([name, content]) => {
          const data = new DataTransfer();
          const bytes = Uint8Array.from(atob(content), (each) => each.charCodeAt(0));
          data.items.add(new File([bytes], name));
          for (const kind of ["dragenter", "dragover", "drop"]) {
            const how = { dataTransfer: data, bubbles: true, cancelable: true };
            document.body.dispatchEvent(new DragEvent(kind, how));
          }
        }""",
        given,
    )


def _download(page: Page, button: str, form: str, folder: Path) -> Path:
    page.locator(button).first.click()
    with page.expect_download() as waiting:
        page.click(f"[data-format={form}]")
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def _replay_summary(page: Page) -> tuple[str | None, str | None, list[str]]:
    """Return a game's result, clicks and verdicts."""
    counts = _review(page)
    return page.text_content("#headline"), page.text_content("#place"), counts


def _review(page: Page) -> list[str]:
    expect(page.locator("#luck")).not_to_be_empty()
    expect(page.locator("#working")).to_be_hidden()
    return page.locator("#counts li").all_text_contents()


@pytest.mark.parametrize("form", ["json", slow("rawvf"), slow("evf")])
def test_a_game_is_downloaded_and_opened_in_another_browser(
    visit: Visit, tab: Callable[[str], Page], tmp_path: Path, form: str
) -> None:
    """A downloaded game has the same replay and review in another browser."""
    page = visit()
    end = _play(page)
    path = _download(page, "#result-download", form, tmp_path)
    assert re.fullmatch(r"sapper-beginner-\d{4}-\d\d-\d\d-" + end + r"-[\d.]+s\." + form, path.name)
    page.goto(re.sub(r"/#.*|/$", "/replay?game=last", page.url))
    at_home = _replay_summary(page)
    other = tab("replay")
    other.set_input_files("#file", path)
    expect(other.locator("#headline")).not_to_be_empty()
    assert _replay_summary(other) == at_home
    # The URL now identifies the replay, even after a reload.
    expect(other).to_have_url(re.compile(r"/replay\?file="))
    other.reload()
    expect(other.locator("#headline")).to_have_text(at_home[0] or "")


@pytest.mark.slow
def test_every_page_with_a_finished_game_downloads_it(
    visit: Visit, server: Server, tmp_path: Path
) -> None:
    """The loss or win card and the Review, Replay and History pages offer the same file."""
    page = visit()
    end = _play(page)
    found = [_download(page, "#result-download", "json", tmp_path)]
    for path, button in (
        ("review", "#download"),
        ("replay?game=last", "#download"),
        ("history", "#games .links button"),
    ):
        page.goto(f"{server.url}{path}")
        found.append(_download(page, button, "json", tmp_path))
    assert len({path.name for path in found}) == 1
    assert json.loads(found[0].read_text())["format"] == "sapper-replay/1"
    assert str(Playback(load(found[0])).status) == end


def test_unsupported_format_has_a_reason(tab: Callable[[str], Page]) -> None:
    """The button of an unsupported format is disabled, and the reason is shown below it."""
    page = tab("replay")
    torus = {"topology": "torus", "rows": ["111", "1*1", "111", "000"]}
    given = {"format": "sapper-replay/1", "board": torus, "clicks": [[0, "open", 0, 0]]}
    _drop(page, "game.json", json.dumps(given).encode())
    page.click("#download")
    expect(page.locator("[data-format=json]")).to_be_focused()
    for form, said in (
        ("rawvf", "RawVF text needs a rectangular board."),
        ("evf", "An EVF file needs a rectangular board of at most 255x255."),
    ):
        expect(page.locator(f"[data-format={form}]")).to_be_disabled()
        expect(page.locator(f"#format-{form}")).to_have_text(said)
    page.keyboard.press("Escape")
    expect(page.locator("#download-box")).to_be_hidden()


@pytest.mark.parametrize("path", _PAGES)
def test_a_replay_dropped_on_a_page_opens_in_replay(tab: Callable[[str], Page], path: str) -> None:
    """Dropped replays are recognised by extension or content."""
    page = tab(path)
    page.wait_for_function("document.readyState === 'complete'")
    _drop(page, "game.avf", _ARBITER.read_bytes())
    expect(page).to_have_url(re.compile(r"/replay\?file="))
    expect(page.locator("#headline")).to_have_text("Won in 14.520 s")


def test_a_drop_without_a_network_is_refused(tab: Callable[[str], Page]) -> None:
    """The script that recognises replays is loaded on the first drop."""
    page = tab("learn")
    page.route("**/assets/*.dropped-replay-*", lambda route: route.abort())
    _drop(page, "game.avf", _ARBITER.read_bytes())
    refusal = page.get_by_role("alert").filter(has_text="A part of this page could not be loaded.")
    expect(refusal).to_be_visible()
    page.unroute("**/assets/*.dropped-replay-*")
    _drop(page, "game.avf", _ARBITER.read_bytes())
    expect(page).to_have_url(re.compile(r"/replay\?file="))


@pytest.mark.slow
def test_other_dropped_files_are_handled(tab: Callable[[str], Page]) -> None:
    """Positions open in Analyze and games in History; other pages reject such files."""
    page = tab("analyze")
    _drop(page, "position.txt", b"..\n11")
    expect(page.locator("#text")).to_have_value(re.compile(r"^\.\.\n11"))
    page = tab("history")
    _drop(page, "games.jsonl", b"")
    expect(page.locator("#data-said")).not_to_be_empty()
    page = tab("learn")
    _drop(page, "letter.txt", b"Dear reader")
    expect(page.get_by_role("alert").filter(has_text="letter.txt is not a replay.")).to_be_visible()
    assert page.url.endswith("/learn")


@pytest.mark.parametrize(
    "path",
    [
        "replay?game=0123456789abcdef0123456789abcdef",
        slow("replay#game=0123456789abcdef0123456789abcdef"),
        slow("replay#0123456789abcdef"),
        "replay?file=somebody-elses",
        slow("replay?day=2026-01-01"),
    ],
)
def test_link_to_a_foreign_game_is_explained(tab: Callable[[str], Page], path: str) -> None:
    """The page explains plainly that the game is missing, and offers to open a file instead."""
    page = tab(path)
    page.goto(page.url)
    expect(page.locator("#problem")).to_have_text(_MISSING)
    expect(page.get_by_role("button", name="Open file…")).to_be_visible()


@pytest.mark.slow
def test_link_to_a_foreign_review_is_explained(visit: Visit, server: Server) -> None:
    """The page explains plainly what is missing; a file can be reviewed and continued instead."""
    page = visit()
    page.goto(f"{server.url}review?game=0123456789abcdef0123456789abcdef")
    expect(page.locator("#empty-text")).to_have_text(_MISSING)
    expect(page.get_by_role("button", name="Open file…")).to_be_visible()
    page.set_input_files("#file", _ARBITER)
    expect(page).to_have_url(re.compile(r"/review\?file="))
    expect(page.locator("#headline")).not_to_be_empty()
    counts = _review(page)
    assert counts
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    replay = page.locator("#replay").get_attribute("href") or ""
    assert replay.startswith("/replay?file=")
    page.click("#retry")
    page.wait_for_url(re.compile(r"/(#.*)?$"))
    expect(page.locator("#status")).to_contain_text("Taken over from a replay")
    page.goto(f"{server.url}{replay[1:]}")
    expect(page.locator("#headline")).to_have_text("Won in 14.520 s")
    assert _review(page) == counts
