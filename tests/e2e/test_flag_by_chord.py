"""*Flag by chord*, and the length of a long press."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from e2e.hand import cell, round_trip
from e2e.static_site import on_both

Visit = Callable[..., Page]

# The 2 has two unopened neighbours; the last two cells are safe.
_TWO = "#rules=classic&size=5x1:2&position=a2c"
_TOUCH = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def _expect_flags(page: Page, *cols: int) -> None:
    expect(page.locator(".cell.flag")).to_have_count(len(cols))
    for col in cols:
        expect(cell(page, 0, col)).to_have_attribute("aria-label", f"row 1, column {col + 1}, flag")


@on_both
def test_a_chord_flags_the_neighbours_of_a_number_if_all_are_mines(visit: Visit) -> None:
    """It is off by default, works by mouse and keys, and can be undone flag by flag."""
    page = visit(_TWO)
    page.wait_for_selector("body[data-status=playing]")
    number = cell(page, 0, 1)
    number.click()
    expect(page.locator("#status")).to_contain_text("To chord, first flag as many cells")
    _expect_flags(page)
    page.click("summary:has-text('Controls')")
    page.check("#flag-rest")
    number.click()
    _expect_flags(page, 0, 2)
    # Both are flagged, so another chord changes nothing.
    number.click()
    round_trip(page)
    _expect_flags(page, 0, 2)
    page.keyboard.press("u")
    _expect_flags(page, 0)
    number.focus()
    page.keyboard.press("Enter")
    _expect_flags(page, 0, 2)


def test_two_quick_clicks_do_not_remove_the_flags(visit: Visit) -> None:
    """The second click arrives before the answer to the first one."""
    page = visit(_TWO)
    page.wait_for_selector("body[data-status=playing]")
    page.click("summary:has-text('Controls')")
    page.check("#flag-rest")
    page.evaluate("""() => {
        const number = document.querySelector('[data-row="0"][data-col="1"]');
        const { x, y } = number.getBoundingClientRect();
        const at = { clientX: x + 5, clientY: y + 5, bubbles: true, pointerType: "mouse" };
        for (let i = 0; i < 2; i++) {
            number.dispatchEvent(new PointerEvent("pointerdown", { ...at, buttons: 1 }));
            number.dispatchEvent(new PointerEvent("pointerup", at));
        }
    }""")
    _expect_flags(page, 0, 2)
    round_trip(page)
    _expect_flags(page, 0, 2)


@pytest.mark.parametrize("ms", [200, 800])
def test_the_length_of_a_long_press_can_be_set(visit: Visit, ms: int) -> None:
    """The page's timer flags after the chosen time."""
    page = visit("#level=beginner", **_TOUCH)
    page.select_option("#long-press", str(ms), force=True)
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    touch = page.context.new_cdp_session(page)
    box = cell(page, 4, 4).bounding_box()
    assert box is not None
    point = {"x": box["x"] + 5, "y": box["y"] + 5}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.clock.run_for(ms - 50)
    expect(page.locator(".cell.flag")).to_have_count(0)
    page.clock.run_for(100)
    expect(page.locator(".cell.flag")).to_have_count(1)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    round_trip(page)
    expect(page.locator(".cell.flag")).to_have_count(1)
