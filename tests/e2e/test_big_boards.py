"""Boards of more than 10,000 cells, drawn on a canvas."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.holding import hold_requests

Visit = Callable[..., Page]

_SETTINGS = "&rules=classic&first_click=opening&win=open&chord=exact&seed=15"
_PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def spoken(page: Page) -> str:
    """Return the accessible name of the cell under the cursor."""
    name = page.evaluate(
        "() => document.getElementById(document.querySelector('#grid')"
        ".getAttribute('aria-activedescendant')).getAttribute('aria-label')"
    )
    assert isinstance(name, str)
    return name


def expect_spoken(page: Page, name: str) -> None:
    """Wait until the cell under the cursor has this accessible name."""
    expect(page.locator("#grid [role=gridcell]")).to_have_attribute("aria-label", name)
    assert spoken(page) == name


def middle(page: Page) -> tuple[float, float]:
    """Wait until the board is laid out, and return its centre."""
    page.wait_for_selector("#grid[data-big]")
    x, y = page.evaluate(
        """async () => {
            let [before, calm] = ["", 0];
            while (calm < 10) {
                const box = document.querySelector("#grid > canvas").getBoundingClientRect();
                const now = JSON.stringify(box);
                calm = now === before ? calm + 1 : 0;
                before = now;
                await new Promise(requestAnimationFrame);
            }
            const { x, y, width, height } = JSON.parse(before);
            return [x + width / 2, y + height / 2];
        }"""
    )
    return x, y


def drawn(page: Page, x: float, y: float) -> list[int]:
    """Return the pixel colours of the cell at a point, after the next frame."""
    colours = page.evaluate(
        """async ([x, y]) => {
            for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
            const canvas = document.querySelector('#grid > canvas');
            const box = canvas.getBoundingClientRect();
            const pen = canvas.getContext('2d');
            const { data } = pen.getImageData(x - box.left - 12, y - box.top - 12, 24, 24);
            return [...new Set(new Uint32Array(data.buffer))];
        }""",
        [x, y],
    )
    assert isinstance(colours, list)
    return sorted(colours)


def test_big_board_is_played_normally(visit: Visit) -> None:
    """The mouse and keyboard can open, flag, press and undo, and cells have accessible names."""
    page = visit(f"#level=300x300:13500{_SETTINGS}")
    expect(page.locator("#grid")).to_have_attribute("aria-label", "Board, rows: 300, columns: 300")
    x, y = middle(page)
    closed = drawn(page, x, y)
    page.mouse.move(x, y)
    page.mouse.down()
    assert drawn(page, x, y) != closed
    page.mouse.up()
    expect_spoken(page, "row 151, column 151, 0")
    expect(page.locator("#status")).to_contain_text("cells opened.")
    assert drawn(page, x, y) != closed

    page.locator("#grid").press("Control+Home")
    expect_spoken(page, "row 1, column 1, unopened")
    page.keyboard.press("f")
    expect_spoken(page, "row 1, column 1, flag")
    expect(page.locator("#mines")).to_have_attribute("aria-label", "Mines left: 13499")
    page.keyboard.press("u")
    expect_spoken(page, "row 1, column 1, unopened")
    for key, name in (
        ("ArrowRight", "row 1, column 2, unopened"),
        ("PageDown", "row 6, column 2, unopened"),
        ("End", "row 6, column 300, unopened"),
        ("Control+End", "row 300, column 300, unopened"),
    ):
        page.keyboard.press(key)
        expect_spoken(page, name)
    # The map does not cover the last cell.
    page.mouse.move(5, 5)
    clear = page.evaluate(
        """() => {
            const [map, canvas] = ['.minimap', '#grid > canvas'].map(
                each => document.querySelector(each).getBoundingClientRect());
            return map.top > canvas.top && map.bottom < canvas.bottom;
        }"""
    )
    assert clear
    page.reload()
    page.wait_for_selector("#grid[data-big]")
    expect_spoken(page, "row 151, column 151, 0")


@pytest.mark.slow
def test_a_drag_moves_the_board_and_opens_nothing(visit: Visit) -> None:
    """Dragging pans, the wheel zooms at the pointer, and clicking the map moves the view there."""
    page = visit(f"#level=300x300:13500{_SETTINGS}")
    x, y = middle(page)
    page.mouse.move(x + 96, y)
    page.mouse.down()
    page.mouse.move(x - 144, y - 120, steps=4)
    page.mouse.up()
    expect_spoken(page, "row 151, column 151, unopened")
    page.mouse.click(x - 240, y - 120, button="right")
    expect_spoken(page, "row 151, column 151, flag")
    page.mouse.move(x - 240, y - 120)
    page.mouse.wheel(0, -300)
    page.mouse.click(x - 240, y - 120, button="right")
    expect_spoken(page, "row 151, column 151, unopened")
    corner = page.locator(".minimap canvas").bounding_box()
    assert corner is not None
    page.mouse.click(corner["x"] + 2, corner["y"] + 2)
    page.locator("#grid").focus()
    page.keyboard.press("c")
    page.mouse.click(x, y, button="right")
    expect_spoken(page, "row 151, column 151, flag")
    page.keyboard.press("0")
    expect(page.locator(".minimap")).to_have_attribute("data-whole", "")
    assert page.locator("body").get_attribute("data-status") == "ready"


@pytest.mark.slow
def test_overlays_and_hints_are_drawn_on_the_canvas(visit: Visit) -> None:
    """Chances tint the frontier, and a hint moves the cursor to its cell."""
    page = visit(f"#level=120x120:2000{_SETTINGS}")
    x, y = middle(page)
    page.mouse.click(x, y)
    expect(page.locator("#status")).to_contain_text("cells opened.")
    page.evaluate("() => document.querySelector('#mode [value=assisted]').click()")
    page.evaluate("() => document.querySelector('#overlay [value=states]').click()")
    page.keyboard.press("h")
    expect(page.locator("#card h2")).to_contain_text("is safe")
    page.wait_for_function(
        "() => document.querySelector('#grid [role=gridcell]').dataset.cover?.includes('safe')"
    )
    row, column = spoken(page).split(", ")[:2]
    assert f"{row}, {column} is safe" in page.locator("#card h2").inner_text().lower()


@pytest.mark.slow
def test_a_million_cells(visit: Visit) -> None:
    """A phone shows, opens and names cells of a board with 1000 rows and columns."""
    page = visit(f"#level=1000x1000@0.16{_SETTINGS}", **_PHONE)
    x, y = middle(page)
    page.touchscreen.tap(x, y)
    expect_spoken(page, "row 501, column 501, 0")
    page.locator("#grid").press("Control+End")
    expect_spoken(page, "row 1000, column 1000, unopened")
    page.keyboard.press("0")
    expect(page.locator(".minimap")).to_have_attribute("data-whole", "")
    assert page.evaluate("() => location.hash").startswith("#level=1000x1000@0.16")
    # Go back to a board whose cells are elements.
    page.check("#level [value=beginner]")
    page.click("#thumb-new")
    expect(page.locator("#grid [role=gridcell]")).to_have_count(81)
    assert page.locator("#grid canvas").count() == 0


def test_the_script_of_big_boards_is_loaded_again_if_it_fails(visit: Visit) -> None:
    """Until then, clicks on the old board do nothing, and messages stay in order."""
    page = visit("#level=9x9:10&rules=classic")
    page.clock.install()
    first = hold_requests(page, "**/assets/index.big-board-*")
    page.evaluate("text => { location.hash = text; }", f"level=300x300:13500{_SETTINGS}")
    route = first()
    page.locator("[role=gridcell]").first.click()
    expect(page.locator("#grid")).not_to_have_attribute("data-big", "")
    route.abort()
    expect(page.locator("#banner")).to_contain_text("The server is not responding.")
    page.unroute("**/assets/index.big-board-*")
    page.clock.fast_forward(2_000)
    expect(page.locator("#grid")).to_have_attribute("aria-label", "Board, rows: 300, columns: 300")
    expect(page.locator("#banner")).to_be_hidden()
    # Enter acts on the cell under the mouse.
    page.mouse.move(1, 1)
    page.locator("#grid").focus()
    page.keyboard.press("Enter")
    expect_spoken(page, "row 151, column 151, 0")
    assert page.evaluate("() => document.body.dataset.status") == "playing"


def test_small_boards_load_no_script_of_big_boards(visit: Visit) -> None:
    """Most players never need it."""
    page = visit("#level=9x9:10&rules=classic")
    loaded = (
        "() => performance.getEntriesByType('resource')"
        ".filter(({ name }) => name.includes('big-board')).length"
    )
    page.click("#level >> text=Expert")
    expect(page.locator("[role=gridcell]")).to_have_count(480)
    assert page.evaluate(loaded) == 0
