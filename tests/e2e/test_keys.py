"""The keys of the play page, used with mouse and keyboard, and the question before help."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.hand import cell, name, open_cell, position, round_trip
from e2e.static_site import on_both, on_both_slowly
from sapper.solver import analyze

Visit = Callable[..., Page]

_PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@on_both
def test_f2_restarts_and_space_flags(visit: Visit) -> None:
    """F2, Space and Enter work as in other Minesweeper programs."""
    page = visit("#level=beginner&rules=classic")
    cell(page, 0, 0).focus()
    page.keyboard.press("ArrowRight")
    for shows in ("flag", "unopened"):
        page.keyboard.press("Space")
        expect(cell(page, 0, 1)).to_have_attribute("aria-label", f"row 1, column 2, {shows}")
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-status=playing]")
    page.keyboard.press("F2")
    page.wait_for_selector("body[data-status=ready]")


@on_both_slowly
def test_keys_act_on_the_cell_under_the_mouse(visit: Visit) -> None:
    """Keys act on the cell under the mouse or, after an arrow key, on the cursor."""
    page = visit("#level=beginner&rules=classic")
    page.click("#new-game")
    cell(page, 2, 3).hover()
    page.keyboard.press("Space")
    expect(cell(page, 2, 3)).to_have_attribute("aria-label", "row 3, column 4, flag")
    cell(page, 5, 6).hover()
    page.keyboard.press("f")
    expect(cell(page, 5, 6)).to_have_attribute("aria-label", "row 6, column 7, flag")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("f")
    expect(cell(page, 5, 5)).to_have_attribute("aria-label", "row 6, column 6, flag")
    page.focus("#new-game")
    page.keyboard.press("Space")
    expect(cell(page, 5, 5)).to_have_attribute("aria-label", "row 6, column 6, unopened")


@pytest.mark.slow
@on_both
def test_space_under_the_mouse_flags_and_chords(visit: Visit) -> None:
    """Space flags a proved mine next to a 1, then chords the 1, which opens a safe cell."""
    page = visit("#level=beginner&rules=classic")
    for _ in range(20):
        open_cell(page, 4, 4)
        seen = position(page, 10)
        found = analyze(seen)
        for at in seen.topology.cells():
            around = seen.topology.neighbours(at)
            safe = [c for c in around if c in found.safe]
            mined = [c for c in around if c in found.mined]
            if seen.number(at) == 1 and safe and mined:
                cell(page, *mined[0]).hover()
                page.keyboard.press("Space")
                expect(cell(page, *mined[0])).to_have_class(re.compile("flag"))
                cell(page, *at).hover()
                page.keyboard.press("Space")
                expect(cell(page, *safe[0])).to_have_class(re.compile("open"))
                return
        page.keyboard.press("F2")
        page.wait_for_selector("body[data-status=ready]")
    raise AssertionError("no board has a 1 with a proved mine and a proved safe cell")


def test_the_help_card_is_requested_again_if_it_fails(visit: Visit) -> None:
    """Without a network, the status line reports it, and the page keeps working."""
    page = visit()
    page.route("**/assets/index.help-*", lambda route: route.abort())
    page.reload()
    page.wait_for_selector("[role=gridcell]")
    page.keyboard.press("?")
    expect(page.locator("#status")).to_contain_text("A part of this page could not be loaded.")
    open_cell(page, 4, 4)
    page.unroute("**/assets/index.help-*")
    page.keyboard.press("?")
    expect(page.locator("#card h2")).to_have_text("How to play")


@on_both_slowly
def test_help_from_a_stray_key_asks_first(visit: Visit) -> None:
    """Esc declines and a second press accepts; the page asks only once per game."""
    page = visit("#level=beginner&rules=classic")
    open_cell(page, 4, 4)
    asked = {"h": "Use a hint", "u": "Undo your last move", "e": "Analyze this game"}
    for key, title in asked.items():
        page.keyboard.press(key)
        expect(page.locator("#card h2")).to_contain_text(title)
        page.keyboard.press("Escape")
        expect(page.locator("#card")).to_be_hidden()
        expect(page.locator("#status")).to_have_text("")
    round_trip(page)
    assert name(page, 4, 4) != "unopened"
    page.keyboard.press("h")
    page.keyboard.press("h")
    expect(page.locator("#card h2")).to_contain_text("row", ignore_case=True)
    page.keyboard.press("u")
    page.wait_for_selector("body[data-status=ready]")


@pytest.mark.slow
@on_both
def test_always_allow_is_remembered(visit: Visit) -> None:
    """The choice "always allow" lasts until the setting is changed back."""
    page = visit("#level=beginner&rules=classic")
    open_cell(page, 4, 4)
    page.keyboard.press("u")
    page.locator("#card").get_by_role("button", name="Always allow").press("Enter")
    page.wait_for_selector("body[data-status=ready]")
    page.reload()
    page.wait_for_selector('[role="gridcell"]')
    page.keyboard.press("F2")
    open_cell(page, 4, 4)
    page.keyboard.press("u")
    page.wait_for_selector("body[data-status=ready]")
    page.click("#controls summary")
    page.check("#ask")
    page.keyboard.press("F2")
    open_cell(page, 4, 4)
    page.keyboard.press("u")
    expect(page.locator("#card h2")).to_contain_text("Undo your last move")


@pytest.mark.slow
@on_both
def test_phone_buttons_ask_too(visit: Visit) -> None:
    """On a phone, the Hint and Undo buttons also ask first."""
    page = visit("#level=beginner&rules=classic", **_PHONE)
    cell(page, 4, 4).tap()
    page.wait_for_selector("body[data-status=playing]")
    page.tap("#thumb-undo")
    expect(page.locator("#reason h2")).to_contain_text("Undo your last move")
    page.locator("#card").get_by_role("button", name="Cancel").tap()
    expect(page.locator("#card")).to_be_hidden()
    expect(page.locator("body")).to_have_attribute("data-status", "playing")


@on_both_slowly
def test_key_after_a_click_does_not_draw(visit: Visit) -> None:
    """After a click, a key chooses the next tool; after an arrow key, it draws."""
    page = visit("analyze#size=3x2:1&position=f")
    page.keyboard.press("1")
    cell(page, 0, 0).click()
    expect(page.locator("#text")).to_have_value("mines: 1\n1..\n...")
    page.keyboard.press("2")
    cell(page, 0, 2).click()
    expect(page.locator("#text")).to_have_value("mines: 1\n1.2\n...")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("3")
    expect(page.locator("#text")).to_have_value("mines: 1\n1.2\n..3")
