"""Patterns in the browser: the library, practice, and the way there from a loss."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.axe import expect_accessible, needs_axe
from e2e.hand import cell
from e2e.running import Server
from sapper.coach.patterns import patterns
from sapper.coach.practice import exercises
from support.marks import slow

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
_TO_LOSE = "#rules=classic&size=4x3:2&position=d12210000"
"""The two inner cells of the first row are mines, the outer ones are safe."""


@pytest.fixture
def visit_page(new_context: Callable[..., BrowserContext], server: Server) -> Callable[..., Page]:
    """Open a page in a new browser; any error on the page fails the test."""

    def make(path: str, **options: Any) -> Page:
        page = new_context(**options).new_page()
        page.on("pageerror", lambda error: pytest.fail(f"error on the page: {error}"))
        page.goto(f"{server.url}{path}")
        page.wait_for_selector('[role="gridcell"]')
        return page

    return make


def answer(page: Page, *, right: bool = True) -> None:
    """Answer the exercise and check the answer, or give up for a wrong one."""
    with page.expect_response("**/api/learn/practice") as waiting:
        page.reload()
    served = waiting.value.json()["exercise"]
    exercise = exercises()[served["id"]]
    expect(page.locator("#title")).to_have_text("What do the ringed numbers prove?")
    if not right:
        page.click("#show-me")
    elif not exercise.proves:
        page.click("#nothing")
    else:
        for at in exercise.safe:
            cell(page, *at).click()
        for at in exercise.mined:
            cell(page, *at).click(button="right")
        page.click("#check")
    expect(page.locator("#result")).to_be_visible()


@pytest.mark.parametrize("options", [slow({}), PHONE], ids=["desktop", "phone"])
def test_three_clicks_lead_from_a_loss_to_practice(
    visit_page: Callable[..., Page], options: dict[str, Any]
) -> None:
    """A first-time visitor practises the missed pattern within three clicks."""
    page = visit_page(_TO_LOSE, **options)
    cell(page, 0, 1).click()
    expect(page.locator("body")).to_have_attribute("data-status", "lost")
    clicks = 0
    learn = page.get_by_role("button", name="Learn this pattern")
    if options:
        page.locator("#thumb-hint").click()
        clicks += 1
    learn.click()
    clicks += 1
    page.wait_for_url(re.compile(r"/learn/patterns#"))
    page.locator("#practise").click()
    clicks += 1
    page.wait_for_url(re.compile(r"/learn#practice:"))
    expect(page.locator("#title")).to_have_text("What do the ringed numbers prove?")
    assert clicks <= 3


@pytest.mark.slow
def test_review_leads_to_the_missed_pattern(visit_page: Callable[..., Page]) -> None:
    """The card of the mistake names the pattern, and three clicks lead to practice."""
    page = visit_page(_TO_LOSE)
    cell(page, 0, 1).click()
    page.get_by_role("button", name="Review").first.click()
    expect(page.locator("#detail .proof")).to_contain_text("Missed: ")
    page.click("#learn-pattern")
    page.click("#practise")
    page.wait_for_url(re.compile(r"/learn#practice:"))


def test_library_walks_through_a_proof(visit_page: Callable[..., Page]) -> None:
    """The board shows each step, and keys switch between patterns and forms."""
    page = visit_page("learn/patterns#1-2-1")
    expect(page.locator("#title")).to_have_text("1-2-1")
    assert page.locator(".contents li").count() == len(patterns())
    page.keyboard.press("Space")
    expect(page.locator("#step-title")).to_contain_text("Why row")
    assert page.locator(".cell.proving").count() > 0
    page.keyboard.press("n")
    names = list(patterns())
    after = patterns()[names[names.index("1-2-1") + 1]]
    expect(page.locator("#title")).to_have_text(after.name)
    page.go_back()
    expect(page.locator("#title")).to_have_text("1-2-1")


@pytest.mark.slow
def test_queue_of_the_day_is_practised(visit_page: Callable[..., Page]) -> None:
    """Right answers empty the queue; a miss brings the pattern back on the same day."""
    page = visit_page("learn#practice")
    answer(page)
    expect(page.locator("#result-title")).to_have_text("Correct")
    expect(page.locator("#about")).to_contain_text("Again in")
    answer(page, right=False)
    expect(page.locator("#result-title")).to_have_text("The solution")
    expect(page.locator("#about")).to_contain_text("Again today")
    answer(page)
    expect(page.locator("#today-new")).to_have_text("0")
    expect(page.locator("#today-due")).to_have_text("1")
    expect(page.locator("#today-streak")).to_have_text("1")
    answer(page)
    page.keyboard.press("n")
    expect(page.locator("#title")).to_have_text("Done for today")
    page.reload()
    expect(page.locator("#prompt")).to_be_visible()


@needs_axe
@pytest.mark.parametrize("scheme", [slow("light"), "dark"])
@pytest.mark.parametrize("path", [slow("learn/patterns"), "learn#practice"])
def test_pages_are_accessible(visit_page: Callable[..., Page], path: str, scheme: str) -> None:
    """axe-core finds nothing in either colour scheme."""
    page = visit_page(path, color_scheme=scheme)
    expect_accessible(page)
