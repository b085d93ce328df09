"""The Analyze page in a browser: by mouse, by keyboard and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from e2e.holding import hold_requests
from e2e.running import Server
from sapper import Board, Position, win_chance
from sapper.formats import write_mbf
from support.marks import slow

SCREENS = Path(__file__).parents[1] / "data" / "screens"

# Two mines under the wall; the corner is proved safe if the total is known.
WALL = "mines: 2\n.....\n11211\n00000"


def cell(page: Page, row: int, col: int) -> Locator:
    """Return a cell of the board."""
    return page.locator(f'[data-row="{row}"][data-col="{col}"]')


def position_text(page: Page) -> str:
    """Return the position in the text box."""
    return page.input_value("#text")


def draw(page: Page, text: str) -> None:
    """Type a position into the page's text box."""
    page.fill("#text", text)
    page.locator("#text").blur()


def test_a_position_is_drawn_by_mouse_and_analysed_at_once(visit: Callable[..., Page]) -> None:
    """Chances are updated after painting, dragging, flagging and undoing."""
    page = visit("analyze#size=5x3&position=o")
    for number in "12":
        page.locator("#tools").get_by_label(f"Number {number}", exact=True).check(force=True)
        if number == "1":
            cell(page, 1, 0).hover()
            page.mouse.down()
            cell(page, 1, 4).hover()
            page.mouse.up()
        else:
            cell(page, 1, 2).click()
    expect(page.locator("#text")).to_have_value(".....\n11211\n.....")
    page.locator("#tools").get_by_label("Number 0").check(force=True)
    cell(page, 2, 0).hover()
    page.mouse.down()
    cell(page, 2, 4).hover()
    page.mouse.up()
    expect(page.locator("#figures")).to_contain_text("Arrangements1")
    expect(cell(page, 0, 1)).to_have_attribute("aria-description", "proved mine")
    expect(cell(page, 0, 0)).to_have_attribute("aria-description", "proved safe")
    cell(page, 0, 1).click(button="right")
    expect(cell(page, 0, 1)).to_have_attribute("aria-label", "row 1, column 2, flag")
    page.click("#undo-step")
    page.click("#undo-step")
    expect(page.locator("#text")).to_have_value(".....\n11211\n.....")
    page.click("#redo-step")
    page.click("#moves-more summary")
    expect(page.locator("#moves button")).to_have_count(5)
    page.locator("#moves button").first.click()
    expect(page.locator("#text")).to_have_value(".....\n.....\n.....")


def test_board_can_be_used_by_keyboard(visit: Callable[..., Page]) -> None:
    """Keys can draw, inspect a cell, deal, open, undo and start a game."""
    page = visit("analyze#size=3x2:1&position=f")
    cell(page, 0, 0).focus()
    for key in ["ArrowDown", "1", "ArrowRight", "1", "ArrowRight", "1"]:
        page.keyboard.press(key)
    expect(page.locator("#text")).to_have_value("mines: 1\n...\n111")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("l")
    expect(page.locator("#card h2")).to_have_text("Row 1, column 3")
    page.keyboard.press("Escape")
    expect(page.locator("#card")).to_be_hidden()
    page.keyboard.press("f")
    page.keyboard.press("Backspace")
    expect(page.locator("#text")).to_have_value("mines: 1\n...\n111")
    page.keyboard.press("d")
    expect(cell(page, 0, 1)).to_have_class(re.compile("ghost"))
    page.keyboard.press("o")
    expect(page.locator("#text")).to_have_value("mines: 1\n..1\n111")
    page.keyboard.press("u")
    page.keyboard.press("Control+y")
    for name in ("risks", "none"):
        page.keyboard.press("a")
        expect(page.locator(f'[name="overlay"][value="{name}"]')).to_be_checked()
    page.keyboard.press("p")
    page.wait_for_url(re.compile("/#"))
    expect(cell(page, 0, 2)).to_have_attribute("aria-label", "row 1, column 3, 1")
    expect(cell(page, 0, 1)).to_have_attribute("aria-label", "row 1, column 2, unopened")


@pytest.mark.slow
def test_a_density_weighs_the_chances_and_replaces_the_mine_total(
    visit: Callable[..., Page],
) -> None:
    """The density is a percentage kept in the URL; the page notes that there is no total."""
    page = visit("analyze#size=4x3&position=da1bb11")
    cells = cell(page, 1, 3)
    unknown = page.get_by_text("Mine total unknown: every arrangement counts equally.")
    expect(unknown).to_be_visible()
    expect(cells).to_have_attribute("aria-description", re.compile("83"))
    # No number touches this cell, so its chance is unknown.
    far = cell(page, 0, 3)
    expect(far).to_have_attribute("aria-description", "chance unknown")
    expect(far).not_to_have_attribute("data-text", re.compile("."))
    expect(page.locator("#play")).to_be_disabled()
    page.fill("#density", "5")
    expect(unknown).to_be_hidden()
    expect(page.locator("#text")).to_have_value("density: 0.05\n....\n.1..\n..11")
    expect(cells).to_have_attribute("aria-description", re.compile("21"))
    expect(far).to_have_attribute("aria-description", re.compile("5 per cent"))
    expect(page.locator("#figures")).to_contain_text("99.8 % exact")
    page.wait_for_url("**/analyze#size=4x3@0.05&*")
    page.reload()
    expect(page.locator("#density")).to_have_value("5")
    page.click("#play")
    page.wait_for_url(re.compile(r"/#.*size=4x3@0\.05|/#.*level=4x3@0\.05"))
    page.go_back()
    page.fill("#mines", "2")
    expect(page.locator("#density")).to_have_value("")
    expect(page.locator("#text")).to_have_value("mines: 2\n....\n.1..\n..11")
    page.fill("#density", "120")
    expect(page.locator("#size-error")).to_contain_text("from 0 to 100 %")


@pytest.mark.slow
def test_a_phone_draws_by_touch(visit: Callable[..., Page]) -> None:
    """A tap draws, a long press flags, and the card opens above the palette."""
    page = visit(
        "analyze#size=3x2:1&position=c111",
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
    )
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    cell(page, 0, 2).tap()
    expect(page.locator("#reason .outcomes tbody tr")).to_have_count(1)
    page.locator("#reason .close").tap()
    page.locator("#tools").get_by_label("Number 1", exact=True).check(force=True)
    cell(page, 0, 0).tap()
    expect(cell(page, 0, 0)).to_have_attribute("aria-label", "row 1, column 1, 1")
    box = cell(page, 0, 1).bounding_box()
    assert box is not None
    touch = page.context.new_cdp_session(page)
    point = {"x": box["x"] + 9, "y": box["y"] + 9}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(cell(page, 0, 1)).to_have_attribute("aria-label", "row 1, column 2, flag")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.tap("#undo-step")
    page.tap("#sheet")
    expect(page.locator("#figures")).to_contain_text("Proved1 safe, 1 mine")
    page.tap("#deal")
    expect(page.locator(".ghost")).to_have_count(1)


@pytest.mark.slow
def test_win_chances_and_the_numbers_of_a_cell_follow(visit: Callable[..., Page]) -> None:
    """Win chances and a cell's possible numbers match the library and state their method."""
    position = Position.parse("mines: 2\n....\n.22.\n....")
    page = visit("analyze")
    draw(page, str(position))
    wins = win_chance(position)
    percent = f"{100 * wins.win_chance:.1f} % exact"
    assert wins.kind == "exact"
    expect(page.locator("#figures")).to_contain_text(f"Win chance{percent}")
    page.locator("#best button").first.click()
    expect(page.locator(".outcomes thead")).to_contain_text("Win, exact")
    expect(page.locator(".cell.chosen")).to_have_count(1)
    risky = next(one.cell for one in wins.cells if one.p_mine > 0)
    cell(page, *risky).click()
    expect(page.locator(".outcomes tbody tr").last).to_contain_text("lost")
    page.fill("#mines", "")
    expect(page.locator("#figures")).to_contain_text("needs the mine total")
    expect(page.locator("#play")).to_be_disabled()


def test_numbers_that_contradict_each_other_are_ringed(visit: Callable[..., Page]) -> None:
    """A minimal set of contradictory numbers is ringed until the position is possible again."""
    page = visit("analyze")
    draw(page, "...\n143\n...\n...")
    expect(page.locator(".cell.conflict")).to_have_count(2)
    expect(page.locator("#status")).to_have_text(
        "The 1 at row 2, column 1 and the 4 at row 2, column 2 contradict each other."
    )
    page.keyboard.press("u")
    expect(page.locator(".cell.conflict")).to_have_count(0)
    page.fill("#text", "12\n.x")
    expect(page.locator("#text-error")).to_contain_text("Row 2, column 2: “x” is not a cell")


@pytest.mark.parametrize("method", ["backtracking", slow("exact"), slow("sat")])
def test_an_arrangement_is_found_by_each_method(visit: Callable[..., Page], method: str) -> None:
    """Each method draws the mines of an arrangement, which can be hidden again."""
    page = visit("analyze")
    draw(page, WALL)
    page.select_option("#method", method)
    page.click("#arrange")
    expect(page.locator("#status")).to_contain_text("Found an arrangement")
    expect(page.locator(".ghost")).to_have_count(2)
    assert page.locator("#searching").is_hidden()
    page.click("#hide")
    expect(page.locator(".ghost")).to_have_count(0)


@pytest.mark.slow
def test_files_and_links_are_read(visit: Callable[..., Page], tmp_path: Path) -> None:
    """The page reads .mbf and .board files, screenshots, pasted text and links."""
    page = visit("analyze")
    board = Board.parse("*10\n110\n000")
    mbf = tmp_path / "a.mbf"
    mbf.write_bytes(write_mbf(board))
    page.set_input_files("#file", mbf)
    expect(page.locator("#status")).to_contain_text("a board with its mines from an .mbf file")
    expect(cell(page, 0, 0)).to_have_class(re.compile("ghost"))
    page.locator("#tools").get_by_label("Open cells, mines as shown").check(force=True)
    cell(page, 2, 2).click()
    expect(page.locator("#text")).to_have_value("mines: 1\n.10\n110\n000")
    file = tmp_path / "a.board"
    file.write_text("3x2x1\nHHF\n111\n")
    page.set_input_files("#file", file)
    expect(page.locator("#text")).to_have_value("mines: 1\n..F\n111")
    page.set_input_files("#file", SCREENS / "sgt-mines-20-lost.png")
    expect(page.locator("#status")).to_contain_text("from a screenshot")
    page.locator("#text").blur()
    page.evaluate(
        """text => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text", text);
            document.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
        }""",
        WALL,
    )
    expect(page.locator("#text")).to_have_value(WALL)
    page.wait_for_url(re.compile("position=e1121100000$"))
    link = page.url
    page.evaluate("() => localStorage.clear()")
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#text")).to_have_value(WALL)


@pytest.mark.slow
def test_overwritten_link_is_used(visit: Callable[..., Page]) -> None:
    """A URL typed before the page updates its own is used."""
    page = visit("analyze#size=5x3&position=o")
    page.evaluate(
        """() => {
            const own = location.href;
            location.hash = "size=2x2&position=d";
            history.replaceState(null, "", own);
        }"""
    )
    expect(page.locator("#text")).to_have_value("..\n..")


@pytest.mark.slow
def test_late_answer_for_an_older_text_is_dropped(visit: Callable[..., Page]) -> None:
    """Text typed while the server reads a foreign format takes precedence."""
    page = visit("analyze#size=5x3&position=o")
    held = hold_requests(page, "**/api/analyze/load")
    page.fill("#text", "3x2x1\n0 0\n")
    page.fill("#text", "..\n11")
    expect(page.locator('[role="gridcell"]')).to_have_count(4)
    answer = {"form": "mbf", "board": None, "notes": []}
    position = {"width": 3, "height": 2, "mines": 1, "rows": ["...", "..."]}
    late = held()
    with page.expect_event("requestfinished", lambda done: done.url.endswith("/load")):
        late.fulfill(json={**answer, "position": position})
    page.evaluate("() => fetch('/').then(answer => answer.text())")
    expect(page.locator('[role="gridcell"]')).to_have_count(4)


@pytest.mark.slow
def test_game_is_transferred_by_one_key(visit: Callable[..., Page]) -> None:
    """One key copies the visible position of a running or lost game, without any mines."""
    page = visit("#rules=classic&size=3x3:4&position=1h")
    expect(cell(page, 0, 0)).to_have_attribute("aria-label", re.compile("1$"))
    cell(page, 2, 2).click(button="right")
    expect(cell(page, 2, 2)).to_have_attribute("aria-label", "row 3, column 3, flag")
    page.keyboard.press("e")
    page.wait_for_url(re.compile("/analyze#"))
    expect(page.locator("#text")).to_have_value("mines: 4\n1..\n...\n..F")
    page.goto(page.url.replace("/analyze", "/").split("#")[0])
    expect(page.locator("body")).to_have_attribute("data-status", "playing")
    for row, col in [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]:
        if page.locator('body[data-status="lost"]').count():
            break
        turn = cell(page, row, col)
        if "unopened" not in (turn.get_attribute("aria-label") or ""):
            continue
        turn.click()
        expect(turn).not_to_have_attribute("aria-label", re.compile("unopened"))
    expect(page.locator("body")).to_have_attribute("data-status", "lost")
    page.keyboard.press("e")
    page.wait_for_url(re.compile("/analyze#"))
    page.wait_for_selector('[role="gridcell"]')
    assert "*" not in position_text(page)


@pytest.mark.slow
def test_drawing_continues_without_the_server(
    new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    """The page reports that the server is gone, keeps the drawing and retries."""
    page = new_context().new_page()
    page.route("**/assets/engine-*/*", lambda route: route.abort())
    with Server(tmp_path / "home") as own:
        page.goto(own.url + "analyze#size=3x2:1&position=f")
        expect(page.locator("#figures")).to_contain_text("Arrangements6")
        own.stop()
        cell(page, 0, 0).focus()
        for key in ["ArrowDown", "ArrowRight", "1"]:
            page.keyboard.press(key)
        expect(page.locator("#banner")).to_contain_text("The server is not responding")
        expect(page.locator("#text")).to_have_value("mines: 1\n...\n.1.")
        own.start()
        expect(page.locator("#banner")).to_be_hidden()
        expect(page.locator("#figures")).to_contain_text("Arrangements5")


def test_chances_and_win_chances_need_no_request(visit: Callable[..., Page]) -> None:
    """Once the engine has loaded, changing the position sends nothing to the server."""
    page = visit("analyze#size=3x2:1&position=f")
    expect(page.locator("#figures")).to_contain_text("Win chance")
    page.wait_for_load_state("networkidle")
    page.route("**/api/analyze*", lambda route: route.abort())
    page.route("**/api/analyze/wins", lambda route: route.abort())
    draw(page, "mines: 2\n....\n.11.\n....")
    found = win_chance(Position.parse("mines: 2\n....\n.11.\n...."))
    expect(page.locator("#figures")).to_contain_text("Arrangements")
    expect(page.locator("#figures")).to_contain_text(f"{100 * found.win_chance:.1f} % exact")
    expect(page.locator("#banner")).to_be_hidden()


@pytest.mark.slow
def test_ring_and_list_show_the_same_cell(visit: Callable[..., Page]) -> None:
    """The ringed best guess is the first in the list of best cells."""
    page = visit("analyze#size=9x9:10")
    first = page.locator("#best li").first
    expect(first).to_be_visible()
    place = re.search(r"row (\d+), column (\d+)", first.inner_text())
    assert place is not None
    row, col = (int(number) - 1 for number in place.groups())
    expect(cell(page, row, col)).to_have_class(re.compile(r"\bbest\b"))
    expect(page.locator(".cell.best")).to_have_count(1)


@pytest.mark.slow
def test_the_tooltip_covers_no_cell(visit: Callable[..., Page]) -> None:
    """The tooltip stays outside the board wherever the mouse is."""
    page = visit("analyze#size=9x9:10")
    expect(page.locator("#figures")).to_contain_text("Arrangements")
    for row, col in ((0, 0), (4, 4), (8, 8), (4, 0)):
        cell(page, row, col).hover()
        tip = page.locator("#tip")
        expect(tip).to_be_visible()
        [one, board] = [tip.bounding_box(), page.locator("[role=grid]").bounding_box()]
        assert one is not None
        assert board is not None
        across = one["x"] < board["x"] + board["width"] and board["x"] < one["x"] + one["width"]
        down = one["y"] < board["y"] + board["height"] and board["y"] < one["y"] + one["height"]
        assert not (across and down)
