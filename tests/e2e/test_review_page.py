"""The Review page by mouse, keyboard and touch."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.hand import cell, open_cell

Visit = Callable[..., Page]

# Row 1, column 1 is a mine at a risk of 37.5 %, while ten cells are proved safe.
_GAME = "#level=beginner&rules=classic&first_click=opening&win=open&chord=exact&seed=47"
_MOVES = [(4, 4), (0, 5), (0, 0)]
_PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def _lose(page: Page) -> None:
    page.wait_for_function("() => document.querySelectorAll('[role=gridcell]').length === 81")
    for row, col in _MOVES[:-1]:
        open_cell(page, row, col)
    cell(page, *_MOVES[-1]).click()
    page.wait_for_selector("body[data-status=lost]")


def _marked(page: Page, kind: str) -> list[tuple[int, int]]:
    """Return the row and column of each cell that has a class."""
    found = page.locator(f".cell.{kind}").evaluate_all(
        "cells => cells.map(cell => [+cell.dataset.row, +cell.dataset.col])"
    )
    return [(row, col) for row, col in found]


def _expect_the_loss(page: Page) -> None:
    """Check all text on the page at the last move."""
    expect(page.locator("#headline")).to_have_text("Lost at move 3: needless guess")
    expect(page.locator("#luck")).to_have_text(
        "After the first click, best play wins 97.6 of 100 such games. The decisions cost "
        "35.7 points, leaving 61.9. This game was lost: bad luck cost 61.9 points."
    )
    expect(page.locator("#detail h3")).to_have_text("Move 3: row 1, column 1")
    expect(page.locator("#detail")).to_contain_text(
        "Ten cells were proved safe and this one was not: a needless risk of 37.5 %. It was a mine."
    )
    expect(page.locator("#detail dl")).to_contain_text("35.7 points")
    assert len(_marked(page, "lit")) == 10
    assert _marked(page, "chosen-needless_guess") == [(0, 0)]


def test_a_lost_game_is_reviewed_by_mouse(visit: Visit) -> None:
    """From the loss card, the player reaches the list, the graph, the proof and the retry."""
    page = visit(_GAME)
    _lose(page)
    page.get_by_role("region", name="Game").get_by_role("button", name="Review", exact=True).click()
    page.wait_for_url("**/review")
    _expect_the_loss(page)
    names = page.locator("#moves button").evaluate_all("all => all.map(b => b.textContent)")
    assert names == [
        "Moves 1–2, 2 proved",
        "Move 3, needless guess, row 1, col 1, risk 37.5 %, points lost 35.7, a mine",
    ]
    page.check("#every")
    page.locator("#moves button").nth(1).click()
    expect(page.locator("#place")).to_have_text("Move 2 of 3")
    assert _marked(page, "chosen-proved") == [(0, 5)]
    box = page.locator("#graph").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] - 20, box["y"] + 20)
    expect(page.locator("#place")).to_have_text("End, 3 moves")
    assert len(_marked(page, "mine")) == 10
    page.click("#back")
    page.click("#proof-next")
    expect(page.locator("#detail .proof p")).to_contain_text(re.compile(r"^1 of 2: .*row \d"))
    assert _marked(page, "proving")
    page.click("#retry")
    page.wait_for_url(re.compile(r"/(#.*)?$"))
    expect(page.locator("#status")).to_contain_text("A retry from the review")
    assert page.locator("body").get_attribute("data-status") == "playing"
    cell(page, 0, 0).click()
    page.wait_for_selector("body[data-status=lost]")


@pytest.mark.slow
def test_review_works_by_keyboard(visit: Visit) -> None:
    """R opens the review; the arrows, Home, End, M and Space work with any focus."""
    page = visit(_GAME)
    _lose(page)
    page.keyboard.press("r")
    page.wait_for_url("**/review")
    _expect_the_loss(page)
    place = page.locator("#place")
    for key, shown in (
        ("ArrowRight", "End, 3 moves"),
        ("Home", "Move 1 of 3"),
        ("ArrowRight", "Move 2 of 3"),
        ("End", "End, 3 moves"),
        ("m", "Move 3 of 3"),
        ("ArrowLeft", "Move 2 of 3"),
        ("Shift+M", "Move 3 of 3"),
    ):
        page.keyboard.press(key)
        expect(place).to_have_text(shown)
    page.keyboard.press("Space")
    expect(page.locator("#detail .proof p")).to_contain_text("1 of 2: ")
    page.keyboard.press("Space")
    expect(page.locator("#detail .proof p")).to_contain_text("2 of 2: ")
    page.keyboard.press("Space")
    expect(page.locator("#detail .proof p")).to_have_count(0)
    page.keyboard.press("x")
    assert len(_marked(page, "mine")) == 10
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", "Move 2 of 3, proved, win chance 97.6 %")
    page.locator("#detail a#analyze").focus()
    assert "size=9x9:10&position=" in (page.locator("#analyze").get_attribute("href") or "")


@pytest.mark.slow
def test_review_works_by_touch(visit: Visit) -> None:
    """On a phone, nothing is cut off, and the verdict is visible below the board."""
    page = visit(_GAME, **_PHONE)
    _lose(page)
    page.tap("#thumb-hint")
    page.get_by_role("region", name="Game").get_by_role("button", name="Review", exact=True).tap()
    page.wait_for_url("**/review")
    _expect_the_loss(page)
    page.tap("#back")
    expect(page.locator("#place")).to_have_text("Move 2 of 3")
    page.tap("#mistake")
    expect(page.locator("#place")).to_have_text("Move 3 of 3")
    verdict, bar = (page.locator(name).bounding_box() for name in ("#detail .verdict", ".walk"))
    assert verdict
    assert bar
    assert verdict["y"] + verdict["height"] <= bar["y"]
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    page.tap("#proof-next")
    expect(page.locator("#detail .proof p")).to_contain_text("1 of 2: ")


@pytest.mark.slow
def test_page_keeps_its_scroll_position(visit: Visit) -> None:
    """New lines and the mine switch redraw the board without scrolling the page."""
    page = visit(_GAME, viewport={"width": 800, "height": 400})
    _lose(page)
    page.keyboard.press("r")
    page.wait_for_url("**/review")
    _expect_the_loss(page)
    page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    before = page.evaluate("() => scrollY")
    page.evaluate("() => document.getElementById('mines-shown').click()")
    assert page.evaluate("() => scrollY") == before > 0


@pytest.mark.slow
def test_a_running_game_asks_before_it_is_reviewed(visit: Visit) -> None:
    """Reviews count as help: mines stay hidden, and the game no longer counts."""
    page = visit()
    open_cell(page, 4, 4)
    page.keyboard.press("r")
    page.wait_for_url("**/review")
    expect(page.locator("#empty-text")).to_contain_text("still running")
    page.click("#anyway")
    expect(page.locator("#headline")).to_have_text("Still running")
    expect(page.locator("#setting")).to_contain_text("reviewed during play")
    expect(page.locator("#mines-field")).to_be_hidden()


def test_review_before_a_game_is_empty(visit: Visit) -> None:
    """Without a game, both R and the page report that there is nothing to review."""
    page = visit()
    page.keyboard.press("r")
    expect(page.locator("#status")).to_contain_text("nothing to review")
    page.click("text=Review")
    expect(page.locator("#empty-text")).to_contain_text("No game to review yet")
