"""The game as static files, in a browser without network access."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.axe import expect_accessible, needs_axe
from e2e.hand import cell
from e2e.static_site import Host, write
from e2e.test_layout_shift import _WATCH
from sapper.translation import LANGUAGES
from support.marks import slow

# Resolves with the middle of the next cell to open, or with the result of the game.
_NEXT = """() => new Promise((resolve) => {
  const look = () => {
    const { status } = document.body.dataset;
    if (status === "won" || status === "lost") return resolve(status);
    const cells = [...document.querySelectorAll(".cell.closed")];
    const told = cells.map((one) => one.getAttribute("aria-description") ?? "");
    if (status !== "ready" && told.some((words) => !words)) return requestAnimationFrame(look);
    const risk = (words) => words === "proved safe" ? -1 : Number.parseInt(words) || 0;
    const open = [...cells.keys()].filter((at) => told[at] !== "proved mine");
    const best = open.reduce((a, b) => (risk(told[b]) < risk(told[a]) ? b : a));
    const { left, top, width, height } = cells[best].getBoundingClientRect();
    resolve([left + width / 2, top + height / 2]);
  };
  look();
})"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site served below a path of its host."""
    root = tmp_path_factory.mktemp("host")
    write(root)
    return root


@pytest.fixture
def host(folder: Path) -> Iterator[Host]:
    """The host of the site."""
    made = Host(folder)
    yield made
    made.stop()


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Iterator[Page]:
    """A page whose errors fail the test."""
    opened = new_context(service_workers="allow").new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    assert errors == []


def _kept(page: Page) -> None:
    """Wait until the service worker has cached all files and controls the page."""
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.wait_for_selector('body[data-status] [role="gridcell"]')


@pytest.mark.parametrize("games", [2, slow(int(os.environ.get("SAPPER_SITE_GAMES", "12")))])
def test_a_robot_plays_without_any_network(host: Host, page: Page, games: int) -> None:
    """A game is played by the chances; after the first visit, no request needs the host.

    SAPPER_SITE_GAMES=200 plays more games, and checks the win rate.
    """
    page.goto(host.url)
    _kept(page)
    page.context.set_offline(True)
    host.stop()
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.locator("#mode [value=assisted]").check(force=True)
    results = {"won": 0, "lost": 0}
    for _ in range(games):
        page.keyboard.press("n")
        expect(page.locator('body[data-status="ready"]')).to_be_attached()
        while not isinstance(at := page.evaluate(_NEXT), str):
            page.mouse.click(*at)
        results[at] += 1
    print(f"{games} games without a network: {results}")
    assert sum(results.values()) == games
    assert failed == []
    if games > 100:
        # A game of least risk on Beginner wins about 9 times in 10.
        assert results["won"] > games * 0.8


@pytest.mark.slow
def test_a_game_without_guesses_is_dealt_hinted_and_restored(host: Host, page: Page) -> None:
    """The board is dealt in the worker, and a reload restores it with flags and help."""
    page.goto(host.url)
    page.select_option("#rules", "no-guess")
    expect(page.locator("#rules-note")).to_contain_text("no guess is ever needed")
    cell(page, 4, 4).click()
    expect(page.locator('body[data-status="playing"]')).to_be_attached()
    page.keyboard.press("h")
    page.keyboard.press("h")
    expect(page.locator("#card")).to_contain_text("is safe")
    for _ in range(2):
        page.locator(".cell.closed:not(.flag):not(.hinted)").first.click(button="right")
    expect(page.locator(".cell.flag")).to_have_count(2)
    shown = page.locator("#grid").inner_html
    before = re.sub(r' class="[^"]*"| tabindex="[^"]*"| data-cursor=""', "", shown())
    page.reload()
    expect(page.locator("#status")).to_contain_text("just as you left it")
    assert re.sub(r' class="[^"]*"| tabindex="[^"]*"| data-cursor=""', "", shown()) == before
    page.keyboard.press("e")
    page.wait_for_url(re.compile(r"/games/analyze\.html#size=9x9:10"))
    expect(page.locator("#figures")).to_contain_text("Win chance")
    expect(page.locator("#figures")).to_contain_text("%")


def test_a_link_with_a_position_is_played_and_a_loss_is_explained(host: Host, page: Page) -> None:
    """The URL after the # holds the position, and a loss is explained in one sentence."""
    page.goto(f"{host.url}index.html#rules=classic&size=3x2:1&position=b1b1")
    expect(page.locator('body[data-status="playing"]')).to_be_attached()
    expect(page.locator(".cell.open")).to_have_count(2)
    for row, col in [(0, 0), (1, 0), (0, 1)]:
        if page.locator('body[data-status="playing"]').count():
            cell(page, row, col).click()
    page.wait_for_selector('body:is([data-status="won"], [data-status="lost"])')
    if page.locator('body[data-status="lost"]').count():
        expect(page.locator("#status")).to_contain_text("No cell was safe")


def test_a_hint_names_the_numbers_that_prove_it(host: Host, page: Page) -> None:
    """Their rings are on the board, and H again shows the proof step by step."""
    page.goto(f"{host.url}index.html#rules=classic&size=3x3:1&position=c111000")
    expect(page.locator('body[data-status="playing"]')).to_be_attached()
    page.keyboard.press("h")
    expect(page.locator("#card p")).to_contain_text(
        "The mine around the 1 at row 2, column 3 lies in cells that the 1 at row 2, column 2 also "
        "touches. So the 1 at row 2, column 2 has no mine left for its other cells."
    )
    expect(page.locator(".cell.proving")).to_have_count(2)
    page.keyboard.press("h")
    expect(page.locator("#card p")).to_contain_text("so row 1, column 1 is clear. Open row 1")


def test_numbers_that_contradict_each_other_are_named(host: Host, page: Page) -> None:
    """The engine's reason is shown without a server."""
    page.goto(f"{host.url}analyze.html")
    page.fill("#text", "...\n143\n...\n...")
    expect(page.locator("#status")).to_contain_text("No arrangement fits")
    expect(page.locator(".cell.conflict")).not_to_have_count(0)


@pytest.mark.slow
@needs_axe
@pytest.mark.parametrize(
    "name",
    ["index.html", "analyze.html", slow("de/index.html")],
)
def test_pages_are_accessible_and_do_not_jump(host: Host, page: Page, name: str) -> None:
    """Nothing shifts and axe-core finds nothing while the engine loads."""
    page.add_init_script(_WATCH)
    page.goto(f"{host.url}{name}")
    page.wait_for_selector('[role="gridcell"]')
    page.wait_for_load_state("networkidle")
    shift = sum(value for value, _ in page.evaluate("() => window.shifts"))
    assert shift < 0.02, page.evaluate("() => window.shifts")
    expect_accessible(page)


def _choose(page: Page, language: str) -> None:
    """Choose a language in the panel."""
    page.click("#comfort summary")
    page.select_option("#language", language)


@pytest.mark.parametrize("languages", [["de"], slow([code for code in LANGUAGES if code != "en"])])
def test_languages_change_without_any_network(host: Host, page: Page, languages: list[str]) -> None:
    """Each language can be chosen and left again, and the first page opens in it."""
    page.goto(host.url)
    _kept(page)
    page.context.set_offline(True)
    host.stop()
    for language in [*languages, "en", languages[-1]]:
        _choose(page, language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("[role=gridcell]")).to_have_count(81)
    page.goto(host.url)
    expect(page.locator("html")).to_have_attribute("lang", languages[-1])
    expect(page.locator("[role=gridcell]")).to_have_count(81)


def test_a_language_that_cannot_be_loaded_is_not_chosen(
    host: Host, new_context: Callable[..., BrowserContext]
) -> None:
    """Without a service worker, the page stays as it is, and says why."""
    page = new_context().new_page()
    page.goto(host.url)
    page.wait_for_selector("[role=gridcell]")
    host.stop()
    _choose(page, "de")
    expect(page.locator("#status")).to_contain_text("This language could not be loaded.")
    expect(page.locator("#language")).to_have_value("en")
    assert page.evaluate("localStorage.getItem('sapper.language')") is None


def test_a_part_that_cannot_be_loaded_is_not_blamed_on_a_server(
    host: Host, new_context: Callable[..., BrowserContext]
) -> None:
    """The site has none; the message says what failed and what to do."""
    page = new_context(service_workers="block").new_page()
    # A part that failed to load in advance is requested again, with a query.
    page.route(re.compile(r"help[^/]*\.js"), lambda route: route.abort())
    page.goto(host.url)
    page.wait_for_selector('body[data-status] [role="gridcell"]')
    page.locator("body").press("?")
    expect(page.locator("#status")).to_have_text(
        "A part of this page could not be loaded. Check your connection and try again."
    )
