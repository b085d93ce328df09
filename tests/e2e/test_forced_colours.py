"""Forced colours, such as Windows' high contrast: what a colour says stays visible."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from e2e.hand import cell, open_cell
from support.marks import slow

Visit = Callable[..., Page]

_FORCED = {"forced_colors": "active"}


def _fill(place: Locator) -> str:
    """Return the colour of an element's background."""
    return place.evaluate("element => getComputedStyle(element).backgroundColor")  # type: ignore[no-any-return]


def _expect_only_filled(page: Page, name: str, chosen: str) -> None:
    """Check that exactly the chosen one of several buttons is filled."""
    fills = {}
    for label in page.locator(f"#{name} label").all():
        fills[label.locator("input").get_attribute("value")] = _fill(label)
    highlight = fills.pop(chosen)
    assert len(set(fills.values())) == 1
    assert highlight not in fills.values()


@pytest.mark.parametrize("scheme", ["light", slow("dark")])
def test_counters_choices_and_swatches_are_visible(visit: Visit, scheme: str) -> None:
    """Unlit segments stay darker than lit ones, and what is chosen is filled."""
    page = visit("#level=beginner&rules=classic", **_FORCED, color_scheme=scheme)
    page.click("#mode >> text=Assisted")
    page.check("#overlay [value=chances]", force=True)
    open_cell(page, 4, 4)
    expect(page.locator(".cell:is(.state, .heat)").first).to_be_visible()
    _expect_only_filled(page, "level", "beginner")
    _expect_only_filled(page, "mode", "assisted")
    _expect_only_filled(page, "overlay", "chances")
    for counter in ("mines", "time"):
        assert _fill(page.locator(f"#{counter}")) == "rgb(0, 0, 0)"
    expect(page.locator("#legend .ramp")).to_be_visible()
    ramp = page.locator("#legend .ramp")
    assert "gradient" in ramp.evaluate("it => getComputedStyle(it).backgroundImage")
    assert ramp.evaluate("it => getComputedStyle(it).forcedColorAdjust") == "none"
    assert page.evaluate("document.documentElement.dataset.look") == "contrast"


def test_marks_on_the_board_keep_their_colours(visit: Visit) -> None:
    """A hint rings its cell, which forced colours would remove."""
    page = visit("#level=beginner&rules=classic", **_FORCED)
    page.keyboard.press("h")
    expect(page.locator(".cell.hinted").first).to_be_visible()
    rings = page.locator(".cell.hinted").evaluate_all(
        "cells => cells.map(it => getComputedStyle(it).boxShadow)"
    )
    assert rings
    assert "none" not in rings
    assert _fill(cell(page, 0, 0)) != _fill(page.locator("body"))


def test_other_pages_mark_the_current_page_and_tool(visit: Visit) -> None:
    """The page's link and the drawing tool are filled."""
    page = visit("analyze", **_FORCED)
    other = page.locator(".rooms a:not([aria-current])").first
    assert _fill(page.locator(".rooms a[aria-current]")) != _fill(other)
    tools = page.locator("#tools label")
    page.check("#tools [value=flag]", force=True)
    chosen = tools.filter(has=page.locator("[value=flag]"))
    assert _fill(chosen) != _fill(tools.filter(has=page.locator("[value=n3]")))
