"""No page has axe-core violations, in light or dark."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.axe import expect_accessible, needs_axe
from e2e.hand import cell, counted, open_cell, quiet
from e2e.running import Server
from sapper.history import History
from sapper.web import STATIC
from sapper.web.assets import page_names
from support.histories import made_up
from support.marks import slow

Visit = Callable[..., Page]

_PAGES = [
    name if name in ("index", "history") else slow(name) for name in sorted(page_names(STATIC))
]
# Row 1, column 1 is a mine with a risk of 37.5 %, while ten cells are proved safe.
_LOSS = "#level=beginner&rules=classic&first_click=opening&win=open&chord=exact&seed=47"
_GUESS = "#rules=classic&size=2x2:1&position=b11"
_REPLAY = Path(__file__).parents[1] / "data" / "replays" / "beginner_wrong_time.avf"
_SCHEMES = pytest.mark.parametrize("scheme", ["light", slow("dark")])
_PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

pytestmark = needs_axe


@_SCHEMES
@pytest.mark.parametrize("name", _PAGES)
@pytest.mark.family
def test_page_has_no_violations(
    new_context: Callable[..., BrowserContext], server: Server, name: str, scheme: str
) -> None:
    """Each page is checked as soon as it opens."""
    page = counted(new_context(color_scheme=scheme)).new_page()
    page.goto(server.url + ("" if name == "index" else name))
    if name == "lab":
        # The page polls the server.
        page.wait_for_selector("#empty")
    else:
        quiet(page)
    expect_accessible(page)


@_SCHEMES
def test_settings_and_help_have_no_violation(
    new_context: Callable[..., BrowserContext], server: Server, scheme: str
) -> None:
    """The settings and help dialogs are checked on a page that has both."""
    page = new_context(color_scheme=scheme).new_page()
    page.goto(server.url + "replay")
    for name in ("settings", "help"):
        page.click(f"#{name}")
        expect(page.locator(f"#{name}-box")).to_be_visible()
        expect_accessible(page)
        page.keyboard.press("Escape")


@pytest.mark.slow
@_SCHEMES
def test_a_lost_game_and_its_review_have_no_violation(visit: Visit, scheme: str) -> None:
    """The loss card, the review with a proof, and the mistake questions are checked."""
    page = visit(_LOSS, color_scheme=scheme)
    for row, col in ((4, 4), (0, 5)):
        open_cell(page, row, col)
    cell(page, 0, 0).click()
    page.wait_for_selector("#card h2")
    expect_accessible(page)
    page.keyboard.press("r")
    page.wait_for_url("**/review")
    expect(page.locator("#luck")).to_be_visible()
    page.keyboard.press("Space")
    expect_accessible(page)
    page.click("#learn")
    expect_accessible(page)
    page.click("#practice-show")
    expect(page.locator("#practice-proof")).to_be_visible()
    expect_accessible(page)
    page.click("#practice-next")
    page.click("#practice-own")
    page.wait_for_url("**/learn#mistakes")
    expect(page.locator("#kept")).to_be_visible()
    expect_accessible(page)


@pytest.mark.slow
@_SCHEMES
def test_a_replay_has_no_violation(
    new_context: Callable[..., BrowserContext], server: Server, scheme: str
) -> None:
    """The pointer path, heat map, review and metrics are checked."""
    page = new_context(color_scheme=scheme).new_page()
    page.goto(f"{server.url}replay")
    page.set_input_files("#file", _REPLAY)
    expect(page.locator("#luck")).to_be_visible()
    page.keyboard.press("g")
    page.keyboard.press("h")
    expect_accessible(page)
    page.click("label:has(#show-metrics)")
    expect_accessible(page)


@pytest.mark.slow
@_SCHEMES
def test_help_on_the_board_has_no_violation(visit: Visit, scheme: str) -> None:
    """The overlay, a hint, example boards and the daily card are checked."""
    page = visit(_GUESS, color_scheme=scheme)
    page.wait_for_selector("body[data-status=playing]")
    page.click("#mode >> text=Assisted")
    expect(page.locator(".cell.heat")).to_have_count(2)
    page.keyboard.press("h")
    expect(page.locator("#card h2")).to_contain_text("best guess")
    expect_accessible(page)
    page.keyboard.press("h")
    expect_accessible(page)
    page.keyboard.press("d")
    expect_accessible(page)


@pytest.mark.slow
@_SCHEMES
def test_the_history_of_some_games_has_no_violation(
    new_context: Callable[..., BrowserContext], server: Server, scheme: str
) -> None:
    """Figures, charts, calendar, tables, a comparison and the erase prompt are checked."""
    page = new_context(color_scheme=scheme).new_page()
    page.goto(server.url)
    page.wait_for_selector("body[data-status=ready]")
    [cookie] = [one for one in page.context.cookies() if one["name"] == "sapper"]
    owner = str(cookie["value"]).partition(".")[0]
    with History(Path(server.home) / "play.sqlite3", owner) as history:
        history.add_all(made_up(number) for number in range(60))
    page.goto(server.url + "history?versus=range&versus-to=2024-01-01")
    page.wait_for_selector(".before")
    page.click("#erase")
    expect_accessible(page)
    page.set_viewport_size({"width": 390, "height": 844})
    expect_accessible(page)


@pytest.mark.slow
def test_the_phone_layout_has_no_violation(visit: Visit) -> None:
    """The play page with its settings open and the review page are checked."""
    page = visit(_LOSS, **_PHONE)
    page.tap("#sheet")
    expect_accessible(page)
    page.touchscreen.tap(195, 60)
    open_cell(page, 4, 4)
    page.goto(page.url.split("#")[0] + "review")
    page.click("#anyway")
    expect(page.locator("#luck")).to_be_visible()
    expect_accessible(page)


@pytest.mark.slow
@_SCHEMES
def test_a_big_board_has_no_violation(visit: Visit, scheme: str) -> None:
    """The canvas, its map and the cell under the cursor are checked."""
    page = visit("#level=120x120:2000&rules=classic&seed=1", color_scheme=scheme)
    page.locator("#grid[data-big]").press("Control+Home")
    page.keyboard.press("f")
    expect(page.locator("#grid [role=gridcell]")).to_have_attribute(
        "aria-label", "row 1, column 1, flag"
    )
    expect_accessible(page)


@pytest.mark.slow
def test_boards_of_hexagons_and_triangles_have_no_violation(visit: Visit) -> None:
    """The boards have open numbers, a flag and the overlay, and are checked in light and dark."""
    for shape in ("hexagon", "triangle"):
        page = visit(f"#level=9x9:12/{shape}&rules=classic&seed=1")
        expect(page.locator(".grid[data-tiling]")).to_be_visible()
        open_cell(page, 4, 4)
        page.click("#mode >> text=Assisted")
        expect(page.locator(".cell.heat").first).to_be_visible()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            expect_accessible(page)
