"""Levels change immediately if no game would be lost, otherwise after a question at the button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.hand import cell, choose, open_cell, round_trip, status
from e2e.static_site import PLACES, on_both
from support.marks import slow

Visit = Callable[..., Page]

_PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
_SIDE = {**_PHONE, "viewport": {"width": 844, "height": 390}}


def _in_play(page: Page) -> None:
    """Make two moves, so that leaving the game would lose it."""
    page.goto(page.url.split("#")[0] + "?#rules=classic&level=beginner&first_click=safe&seed=36")
    page.wait_for_selector("body[data-status=ready]")
    open_cell(page, 4, 4)
    cell(page, 8, 8).click(button="right")
    expect(page.locator(".cell.flag")).to_have_count(1)
    round_trip(page)


@pytest.mark.slow
@on_both
def test_level_starts_immediately_if_nothing_is_lost(visit: Visit) -> None:
    """New and finished games, and games with one click, change level without a question."""
    page = visit()
    choose(page, "intermediate")
    open_cell(page, 8, 8)
    choose(page, "expert")
    assert status(page) == "ready"
    page = visit("#rules=classic&size=3x3:1&position=c111000")
    page.wait_for_selector("body[data-status=playing]")
    cell(page, 0, 1).click()
    page.wait_for_selector("body[data-status=lost]")
    assert page.locator("#level :checked").count() == 0
    choose(page, "beginner")
    assert status(page) == "ready"
    expect(page.locator("#level-question")).to_be_hidden()


@pytest.mark.parametrize(
    ("visit", "device"),
    [
        ("server", {}),
        ("server", _PHONE),
        slow("server", _SIDE),
        ("site", {}),
        slow("site", _PHONE),
        slow("site", _SIDE),
    ],
    indirect=["visit"],
    ids=[
        f"{place}-{device}" for place in PLACES for device in ("desktop", "portrait", "landscape")
    ],
)
def test_level_asks_before_ending_a_game(visit: Visit, device: dict[str, Any]) -> None:
    """The question is visible near the button and offers two clear answers."""
    page = visit(**device)
    _in_play(page)
    chosen = page.locator("#level label:has([value=expert])")
    chosen.tap() if device else chosen.click()
    question = page.locator("#level-question")
    expect(question.locator("[role=alert]")).to_have_text(
        "Start Expert? This ends your current game."
    )
    assert page.locator('[role="gridcell"]').count() == 81
    button, box = chosen.bounding_box(), question.bounding_box()
    assert button is not None
    assert box is not None
    assert 0 <= box["y"] - button["y"] - button["height"] < 60
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= page.evaluate("innerWidth")
    page.click("#level-keep")
    expect(question).to_be_hidden()
    expect(page.locator("#level [value=beginner]")).to_be_checked()
    assert page.locator(".cell.flag").count() == 1
    chosen.click()
    page.click("#level-start")
    expect(page.locator('[role="gridcell"]')).to_have_count(480)
    expect(page.locator("#level [value=expert]")).to_be_checked()
    expect(question).to_be_hidden()


@pytest.mark.slow
@on_both
def test_level_question_is_answered_by_keys(visit: Visit) -> None:
    """Arrows select another level, Escape or a move keeps the game, Enter or N starts the level."""
    page = visit()
    _in_play(page)
    question = page.locator("#level-question")
    expert = page.locator("#level [value=expert]")
    page.locator("#level [value=beginner]").focus()
    page.keyboard.press("ArrowRight")
    expect(question).to_contain_text("Start Intermediate?")
    page.keyboard.press("ArrowRight")
    expect(question).to_contain_text("Start Expert?")
    page.keyboard.press("Tab")
    expect(page.locator("#level-start")).to_be_focused()
    page.keyboard.press("Escape")
    expect(question).to_be_hidden()
    expect(page.locator("#level [value=beginner]")).to_be_focused()
    page.check("#level [value=expert]")
    cell(page, 8, 8).click(button="right")
    expect(question).to_be_hidden()
    expect(expert).not_to_be_checked()
    cell(page, 8, 8).click(button="right")
    round_trip(page)
    page.check("#level [value=expert]")
    page.keyboard.press("n")
    expect(page.locator('[role="gridcell"]')).to_have_count(480)


@pytest.mark.slow
@on_both
def test_a_custom_level_asks_in_its_form(visit: Visit) -> None:
    """The question includes the size and mines; choosing another level removes it."""
    page = visit()
    _in_play(page)
    page.check("#level [value=custom]")
    page.fill("#custom-width", "12")
    page.press("#custom-width", "Enter")
    question = page.locator("#custom #level-question")
    expect(question).to_contain_text("Start 12×9, 10 mines?")
    page.check("#level [value=beginner]")
    expect(page.locator("#level-question")).to_be_hidden()
    page.check("#level [value=custom]")
    page.fill("#custom-width", "12")
    page.press("#custom-width", "Enter")
    page.click("#level-start")
    expect(page.locator('[role="gridcell"]')).to_have_count(12 * 9)
