"""Learning from mistakes, in a review and later on the Learn page."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from e2e.running import Server
from sapper.history import Record
from sapper.simulation import Match

# First a bad guess at row 5, column 1 (a blunder), then a needless guess at row 2, column 9.
_GAME = Match("autosweeper", "intermediate").game(0)
_PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

Reviewed = Callable[..., Page]


@pytest.fixture
def reviewed(new_context: Callable[..., BrowserContext], server: Server) -> Reviewed:
    """Open the review of the lost game and wait for its mistakes."""

    def make(**options: Any) -> Page:
        page = new_context(**options).new_page()
        page.on("pageerror", lambda error: pytest.fail(f"error on the page: {error}"))
        page.goto(server.url)
        line = json.dumps(Record.of_game(_GAME, 1).to_json())
        assert page.request.post(f"{server.url}api/history/import", data=line).ok
        games = page.request.get(f"{server.url}api/history/games").json()["games"]
        page.goto(f"{server.url}review?game={games[0]['id']}")
        expect(page.locator("#learn")).to_have_text("Learn from your mistakes (2)")
        return page

    return make


def cell(page: Page, stage: str, row: int, col: int) -> Locator:
    """Return a cell of the question's board."""
    return page.locator(f"{stage} .cell[data-row='{row}'][data-col='{col}']")


@pytest.mark.slow
def test_mistakes_are_answered_by_mouse_and_stored(reviewed: Reviewed) -> None:
    """Questions can be answered correctly, wrongly or not at all; Learn repeats missed ones."""
    page = reviewed()
    page.click("#learn")
    question, text = page.locator("#practice-question"), page.locator("#practice-text")
    expect(page.locator("#practice-place")).to_have_text("Mistake 1 of 2, at move 2")
    expect(question).to_have_text("Find a better cell")
    expect(text).to_contain_text("Row 5, column 1 was opened here: a blunder.")
    stage = "#question-stage"
    cell(page, stage, 4, 0).click()
    expect(text).to_contain_text("Not yet. Row 5, column 1 wins about 40.1 % of the time")
    assert page.locator(f"{stage} .cell.heat").count() == 0
    # Another cell can be clicked immediately.
    cell(page, stage, 15, 0).click()
    expect(text).to_contain_text("Right. Row 16, column 1 wins about 67.9 % of the time")
    page.click("#practice-next")
    expect(question).to_have_text("Find a safe cell")
    cell(page, stage, 1, 8).click()
    expect(text).to_have_text(
        "Not yet. Row 2, column 9 is not proved safe: its mine risk is 33.3 %."
    )
    expect(page.locator("#practice-step-text")).to_contain_text("this arrangement fits")
    page.click("#practice-again")
    expect(text).to_contain_text("was opened here: a needless guess")
    page.click("#practice-show")
    expect(text).to_have_text("Row 2, column 7 is safe.")
    expect(page.locator("#practice-step-title")).to_contain_text("step 1 of 2")
    page.click("#practice-step")
    expect(page.locator("#practice-step-title")).to_contain_text("step 2 of 2")
    page.click("#practice-next")
    expect(text).to_have_text(
        "Solved on the first try: 0 of 2. 2 are saved in Learn, under Your mistakes."
    )
    page.click("#practice-own")
    page.wait_for_url("**/learn#mistakes")
    expect(page.locator("#count")).to_have_text("2 mistakes")
    expect(page.locator("#title")).to_have_text("Find a better cell")
    cell(page, "#stage", 15, 0).click()
    expect(page.locator("#result-title")).to_have_text("Correct")
    expect(page.locator(".contents a[aria-current]")).to_contain_text("1 to answer today")
    page.click("#next")
    cell(page, "#stage", 1, 8).click()
    expect(page.locator("#result-title")).to_have_text("Not yet")
    page.click("#show-me")
    expect(page.locator("#result-title")).to_have_text("The solution")
    page.click("#kept-erase")
    page.click("#kept-erase-now")
    expect(page.locator("#prompt")).to_contain_text("No mistakes saved.")


@pytest.mark.slow
def test_mistakes_are_answered_by_keyboard_alone(reviewed: Reviewed) -> None:
    """Enter chooses and continues, Space steps, N and P change the question, and Esc leaves."""
    page = reviewed()
    page.locator("#learn").focus()
    page.keyboard.press("Enter")
    place, text = page.locator("#practice-place"), page.locator("#practice-text")
    expect(place).to_contain_text("Mistake 1 of 2")
    page.keyboard.press("n")
    expect(place).to_contain_text("Mistake 2 of 2")
    page.keyboard.press("p")
    expect(place).to_contain_text("Mistake 1 of 2")
    page.keyboard.press("n")
    # The cursor starts at the first unopened cell, row 1, column 3.
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(text).to_have_text("Right. Row 1, column 4 is safe.")
    title = page.locator("#practice-step-title")
    expect(title).to_contain_text("step 1 of 5")
    page.keyboard.press("Space")
    expect(title).to_contain_text("step 2 of 5")
    page.keyboard.press("Enter")
    expect(page.locator("#practice-question")).to_have_text("All done")
    expect(text).to_have_text("Solved on the first try: 1 of 2.")
    page.keyboard.press("Escape")
    expect(page.locator("#practice")).to_be_hidden()
    expect(page.locator("#learn")).to_be_focused()
    page.keyboard.press("Home")
    expect(page.locator("#place")).to_have_text("Move 1 of 52")


@pytest.mark.slow
def test_mistakes_are_answered_by_touch(reviewed: Reviewed) -> None:
    """On a phone, the board stays visible, with the answer directly below it."""
    page = reviewed(**_PHONE)
    page.tap("#learn")
    cell(page, "#question-stage", 4, 0).tap()
    text = page.locator("#practice-text")
    expect(text).to_contain_text("Not yet.")
    board, said = page.locator("#question-stage").bounding_box(), text.bounding_box()
    assert board
    assert said
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= said["y"]
    assert said["y"] + said["height"] <= 844
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390


@pytest.mark.slow
def test_erasing_games_in_the_history_erases_their_mistakes(reviewed: Reviewed) -> None:
    """The page offers to download mistakes as long as there are any."""
    page = reviewed()
    page.click("#learn")
    page.click("#practice-show")
    expect(page.locator("#practice-text")).to_contain_text("wins about")
    page.goto(page.url.split("/review")[0] + "/history")
    expect(page.locator("#export-mistakes")).to_be_visible()
    page.click("#erase")
    expect(page.locator("#confirm-text")).to_contain_text("with its replay and mistakes")
    page.click("#erase-now")
    expect(page.locator("#export-mistakes")).to_be_hidden()
