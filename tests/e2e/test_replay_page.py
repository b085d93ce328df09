"""The Replay page by mouse, keyboard and touch."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.hand import cell, open_cell
from e2e.holding import hold_requests
from e2e.running import Server

Visit = Callable[..., Page]

_REPLAYS = Path(__file__).parents[1] / "data" / "replays"
_BEGINNER = _REPLAYS / "beginner_wrong_time.avf"
_PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def opened(new_context: Callable[..., BrowserContext], server: Server) -> Callable[..., Page]:
    """Open the page with a file; any error on the page fails the test."""

    def make(file: Path = _BEGINNER, **options: object) -> Page:
        page = new_context(**options).new_page()
        page.on("pageerror", lambda error: pytest.fail(f"error on the page: {error}"))
        page.goto(f"{server.url}replay")
        page.wait_for_selector("#choose")
        page.set_input_files("#file", file)
        expect(page.locator("#headline")).not_to_be_empty()
        return page

    return make


def _cell_names(page: Page) -> str:
    """Return the names of all cells, in order."""
    return page.locator("[role=gridcell]").evaluate_all(
        "all => all.map(cell => cell.getAttribute('aria-label').split(', ').at(-1)).join()"
    )


def test_a_file_is_played_by_mouse(opened: Callable[..., Page]) -> None:
    """The page shows the player and metrics, steps and seeks, and can continue the game."""
    page = opened()
    expect(page.locator("#headline")).to_have_text("Won in 14.520 s")
    expect(page.locator("#disagreement")).to_have_text(
        "The file says 2.610 s, but its clicks take 14.520 s."
    )
    expect(page.locator("#place")).to_have_text(re.compile(r"^Start, \d+ clicks$"))
    start = _cell_names(page)
    page.click("#on")
    expect(page.locator("#place")).to_contain_text("Click 1 of ")
    assert _cell_names(page) != start
    page.click("#back")
    page.click("#event-on")
    page.click("#first")
    assert _cell_names(page) == start
    box = page.locator("#timeline").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("#time")).to_have_text(re.compile(r"^[678]\.\d{3} of 14\.520 s$"))
    middle = _cell_names(page)
    page.click("#last")
    expect(page.locator("#time")).to_have_text("14.520 of 14.520 s")
    page.click("text=Metrics")
    rows = page.locator("#metrics-rows tr").evaluate_all(
        "all => all.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    found = {name: (now, end) for name, now, end in rows}
    # At the end of the replay, the running values are those of the whole game.
    names = ("Time", "3BV", "3BV/s", "Clicks", "IOE", "Corr", "ThrP", "RQP", "Path", "Flags")
    assert all(found[name][0] == found[name][1] for name in names), found
    assert set(found) > {"STNB", "ZiNi", "HZiNi", "Openings", "Islands", "Risk"}
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert _cell_names(page) == middle
    page.check("#mines-shown")
    assert "mine" in _cell_names(page)
    page.click("#show-review", force=True)
    page.click("#retry")
    page.wait_for_url(re.compile(r"/(#.*)?$"))
    expect(page.locator("#status")).to_contain_text("Taken over from a replay")
    assert page.locator("body").get_attribute("data-status") == "playing"


@pytest.mark.slow
def test_a_file_is_played_by_keyboard_alone(opened: Callable[..., Page]) -> None:
    """Space, arrows, Home and End work with any focus, and the time line follows."""
    page = opened()
    place, slider = page.locator("#place"), page.get_by_role("slider")
    start = _cell_names(page)
    page.keyboard.press("End")
    expect(page.locator("#on")).to_be_disabled()
    end = _cell_names(page)
    page.keyboard.press("Home")
    assert _cell_names(page) == start
    for key, shown in (("ArrowRight", "Click 1 of"), ("ArrowRight", "Click 2 of"),
                       ("ArrowLeft", "Click 1 of"), ("Shift+ArrowLeft", "Start"),
                       ("Shift+ArrowRight", "Click 1 of")):  # fmt: skip
        page.keyboard.press(key)
        expect(place).to_contain_text(shown)
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"^0\.000 seconds, Click 1 of"))
    page.keyboard.press("ArrowUp")
    for _ in range(4):
        page.keyboard.press("ArrowUp")
    assert page.locator("#speed").input_value() == "8"
    page.keyboard.press("Space")
    expect(page.locator("#on")).to_be_disabled()
    assert _cell_names(page) == end
    page.keyboard.press("h")
    assert page.locator(".cell[class*=dwell-]").count() > 5
    page.keyboard.press("p")
    assert not page.locator("#path").is_checked()


def test_a_replay_is_watched_by_touch(opened: Callable[..., Page]) -> None:
    """On a phone, nothing is cut off, and the buttons are within reach of the thumb."""
    page = opened(**_PHONE)
    page.tap("#on")
    expect(page.locator("#place")).to_contain_text("Click 1 of")
    bar = page.locator(".walk").bounding_box()
    assert bar
    assert bar["y"] + bar["height"] <= 844
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390


@pytest.mark.slow
def test_the_page_fits_a_window_that_becomes_narrower(opened: Callable[..., Page]) -> None:
    """The graph does not keep the game at its old width."""
    page = opened(viewport={"width": 1366, "height": 768})
    page.wait_for_selector("#timeline svg")
    page.set_viewport_size({"width": 768, "height": 1024})
    page.wait_for_function("() => document.scrollingElement.scrollWidth <= innerWidth")


def test_invalid_replay_file_is_rejected(opened: Callable[..., Page]) -> None:
    """Files can be opened one after another; the page says if a file is not a replay."""
    page = opened()
    for _ in range(4):
        page.set_input_files("#file", _REPLAYS / "expert.rmv")
    expect(page.locator("#headline")).to_have_text("Won in 36.734 s")
    page.set_input_files("#file", _BEGINNER)
    expect(page.locator("#headline")).to_have_text("Won in 14.520 s")
    expect(page.locator("#banner")).to_be_hidden()
    page.evaluate(
        "() => { const dataTransfer = new DataTransfer();"
        " dataTransfer.items.add(new File(['no replay'], 'game.avf'));"
        " document.dispatchEvent(new DragEvent('drop', { dataTransfer })); }"
    )
    expect(page.locator("#banner")).to_contain_text("Not a replay of a known format")
    expect(page.locator("#headline")).to_have_text("Won in 14.520 s")


@pytest.mark.slow
def test_file_opened_during_loading_is_kept(opened: Callable[..., Page]) -> None:
    """The game in the URL does not replace a file opened while the server is slow."""
    page = opened()
    held = hold_requests(page, "**/api/history/games/*")
    page.goto(page.url.partition("?")[0] + "?game=some")
    page.set_input_files("#file", _BEGINNER)
    expect(page.locator("#headline")).to_have_text("Won in 14.520 s")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    late = held()
    with page.expect_event("requestfinished", lambda done: done.url.endswith("/some")):
        late.fulfill(json={"replay": {}})
    page.evaluate("() => fetch('/').then(answer => answer.text())")
    assert not [url for url in asked if url.endswith("/api/replay")]


@pytest.mark.slow
def test_played_game_is_replayed_from_review_and_id(visit: Visit) -> None:
    """Clicks and mouse path are replayed; an unknown id is reported."""
    page = visit("#level=beginner&rules=classic&first_click=opening&win=open&chord=exact&seed=47")
    page.wait_for_function("() => document.querySelectorAll('[role=gridcell]').length === 81")
    open_cell(page, 4, 4)
    page.wait_for_selector("body[data-status=playing]")
    box = cell(page, 8, 8).bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 3)
    cell(page, 0, 0).click()
    page.wait_for_selector("body[data-status=lost]")
    page.keyboard.press("r")
    page.wait_for_url("**/review")
    page.click("#replay")
    page.wait_for_url("**/replay?game=last")
    expect(page.locator("#headline")).to_contain_text("Lost after")
    page.keyboard.press("End")
    expect(page.locator("#place")).to_contain_text("Click 2 of 2, row 1, column 1: a mine")
    expect(page.locator("#detail")).to_contain_text("a mine")
    expect(page.locator("#path")).to_be_enabled()
    page.click("label[for=show-metrics], label:has(#show-metrics)")
    # From the centre of the board to the top of the last cell, then to the first cell.
    length = page.locator("#metrics-rows tr", has_text="Path").locator("td").last
    expect(length).to_have_text(re.compile(r"^26\d$"))
    # The history lists the game by its id.
    key = page.evaluate(
        "async () => (await (await fetch('/api/history/games')).json()).games[0].id"
    )
    page.goto(page.url.replace("last", key))
    expect(page.locator("#headline")).to_contain_text("Lost after")
    page.goto(page.url.replace(key, "other"))
    expect(page.locator("#problem")).to_contain_text("That game is not in this browser.")


@pytest.mark.slow
def test_reviewed_replay_has_no_empty_band(opened: Callable[..., Page]) -> None:
    """The tabs come directly after the decision counts, where the progress bar was."""
    page = opened()
    expect(page.locator("#luck")).not_to_be_empty()
    expect(page.locator("#working")).to_be_hidden()
    counts, tabs = page.locator("#counts").bounding_box(), page.locator(".tabs").bounding_box()
    assert counts is not None
    assert tabs is not None
    assert 0 < tabs["y"] - counts["y"] - counts["height"] < 50
