"""One layout from the narrowest phone to the widest screen: nothing is cut at any width."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.hand import cell
from e2e.languages import TIGHT
from e2e.running import Server
from support.marks import slow

Visit = Callable[..., Page]

_WIDTHS = range(320, 2561, 20)
_CUT = Path(__file__).with_name("cut_texts.js").read_text("utf-8")
_TABLETS = {"portrait": (768, 1024), "larger": (834, 1112), "landscape": (1180, 820)}
_TOUCH: dict[str, Any] = {"has_touch": True, "is_mobile": True}

# The level buttons and the board's hidden columns, after the page has fitted the board.
_FITTED = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
    const part = document.querySelector(".play").getBoundingClientRect();
    const row = document.querySelector("#level").getBoundingClientRect();
    const cut = [...document.querySelectorAll("#level label, .levels > button")].filter((each) => {
        const { left, right, width } = each.getBoundingClientRect();
        const [from, to] = each.matches("label") ? [row.left, row.right] : [part.left, part.right];
        const narrow = each.scrollWidth > each.clientWidth + 1;
        return width && (left < from - 1 || right > to + 1 || narrow);
    });
    const well = document.querySelector("#well");
    done({
        cut: cut.map((each) => each.textContent.trim()),
        levels: document.querySelectorAll("#level label").length,
        hidden: well.scrollWidth - well.clientWidth,
        cell: parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--cell")),
        page: document.scrollingElement.scrollWidth - innerWidth,
    });
})))"""


def _each_width(page: Page, script: str) -> dict[int, Any]:
    """Return what a script finds at each width."""
    found = {}
    for width in _WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        found[width] = page.evaluate(script)
    assert len(found) == 113
    return found


@pytest.mark.parametrize("language", ["en", *map(slow, TIGHT)])
def test_all_levels_and_the_board_fit_at_every_width(
    new_context: Callable[..., BrowserContext], server: Server, language: str
) -> None:
    """No level button is cut, and all of Expert is visible from 520 px with cells of 16 px."""
    context = new_context()
    context.add_cookies([{"name": "sapper-language", "value": language, "url": server.url}])
    page = context.new_page()
    page.goto(f"{server.url}#level=expert&rules=classic")
    expect(page.locator("[role=gridcell]")).to_have_count(480)
    found = _each_width(page, _FITTED)
    assert {width: each["cut"] for width, each in found.items() if each["cut"]} == {}
    assert {each["levels"] for each in found.values()} == {4}
    assert max(each["page"] for each in found.values()) <= 0
    assert {width for width, each in found.items() if each["hidden"] > 0 and width >= 520} == set()
    # A wider window has larger cells, but where the panel moves beside the board.
    assert min(each["cell"] for width, each in found.items() if width >= 760) >= 21


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", *TIGHT])
@pytest.mark.parametrize(
    "path", ["analyze", "learn", "together", "learn/patterns", "history", "nowhere"]
)
@pytest.mark.family
def test_no_page_cuts_a_text_at_any_width(
    new_context: Callable[..., BrowserContext], server: Server, path: str, language: str
) -> None:
    """Text is checked in steps of 20 px."""
    context = new_context()
    context.add_cookies([{"name": "sapper-language", "value": language, "url": server.url}])
    page = context.new_page()
    page.goto(f"{server.url}{path}")
    page.wait_for_load_state("networkidle")
    found = _each_width(page, _CUT)
    assert {width: texts for width, texts in found.items() if texts} == {}


@pytest.mark.parametrize("size", ["portrait", slow("larger"), slow("landscape")])
def test_a_tablet_is_told_how_to_tap(visit: Visit, size: str) -> None:
    """A tablet shows every cell of Expert, and the line below it speaks of taps."""
    width, height = _TABLETS[size]
    page = visit(
        "#level=expert&rules=classic", viewport={"width": width, "height": height}, **_TOUCH
    )
    expect(page.locator("[role=gridcell]")).to_have_count(480)
    expect(page.locator("#keys")).to_have_text("Tap to open · long press to flag")
    for label in page.locator("#level label").all():
        label.tap(trial=True)
    cell(page, 15, 29).tap(trial=True)
    page.goto(page.url.partition("#")[0] + "analyze")
    page.wait_for_selector("[role=gridcell]")
    expect(page.locator("#status")).to_contain_text("Long-press to flag")
    expect(page.locator("#keys")).to_have_text("")


def test_a_phone_says_that_a_long_press_flags(visit: Visit) -> None:
    """The line follows *Tap flags* and safe mode."""
    phone = {"viewport": {"width": 390, "height": 844}, **_TOUCH}
    page = visit("#level=beginner&rules=classic", **phone)
    line = page.locator("#keys")
    expect(line).to_be_in_viewport()
    expect(line).to_have_text("Tap to open · long press to flag")
    page.tap("#flag-mode")
    expect(line).to_have_text("Tap to flag · long press to open")
    page.tap("#flag-mode")
    page.evaluate("document.querySelector('#double').click()")
    expect(line).to_have_text("Double-tap to open · long press to flag")


def test_the_smallest_phone_fits_beginner(visit: Visit) -> None:
    """On 320x568 pixels, the line about taps leaves its space to the board."""
    page = visit("#level=beginner", viewport={"width": 320, "height": 568}, **_TOUCH)
    expect(page.locator("#offer")).to_be_visible()
    expect(page.locator("#map-line")).to_be_hidden()
    well = page.locator("#well")
    assert well.evaluate("well => well.scrollHeight - well.clientHeight") == 0
