"""The daily board on the play page, by mouse, keyboard and touch."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

import pytest
from playwright.sync_api import Page, expect

from e2e.hand import cell
from e2e.holding import Holding
from e2e.running import Server
from sapper.board import Board
from sapper.game import Game
from sapper.generation.daily import DAILY_START, DailyBoards

Visit = Callable[..., Page]

_BOARD = DailyBoards(bytes(32)).board(date(2026, 11, 22)).board
"""The board of a site whose secret is zero, such as the test server's."""
_PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def _arrive(page: Page) -> None:
    """Wait for the board of 22 November, whose start is already open."""
    expect(page.locator("[role=gridcell]")).to_have_count(256)
    expect(cell(page, 8, 8)).to_have_attribute("aria-label", "row 9, column 9, 0")


# Play in another window of the same browser.
_OPEN = """cells => new Promise(done => {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    const send = (cell, i) => socket.send(JSON.stringify({type: "open", id: `w${i}`, cell}));
    socket.onmessage = ({data}) => {
        const message = JSON.parse(data);
        if (message.type === "welcome") cells.forEach(send);
        if (message.re === `w${cells.length - 1}`) { socket.close(); done(); }
    };
})"""


def _win(page: Page, board: Board) -> None:
    """Open all safe cells, the last one by mouse."""
    clear = [board.topology.cell(i) for i, mine in enumerate(board.mined) if not mine]
    game = Game.from_board(board)
    game.open(DAILY_START)
    needed = [at for at in clear if game.position[at] == "." and game.open(at)]
    page.evaluate(_OPEN, [list(at) for at in needed[:-1]])
    cell(page, *needed[-1]).click()
    page.wait_for_selector("body[data-status=won]")


def test_the_daily_board_is_won_and_shared(visit: Visit, server: Server) -> None:
    """A win counts once and can be copied; a day later, it is shown as the previous board."""
    page = visit()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
    page.click("#daily")
    expect(page.locator("#card h2")).to_have_text("Daily board, November 22")
    expect(page.locator("#card dl")).to_contain_text("not played yet")
    page.locator("#card").get_by_role("button", name="Play", exact=True).click()
    _arrive(page)
    expect(page.locator("#status")).to_contain_text("your first attempt counts")
    _win(page, _BOARD)
    expect(page.locator("#status")).to_have_text("Daily board won.")
    page.click("#result-share")
    expect(page.locator("#status")).to_have_text("Result copied.")
    text = page.evaluate("() => navigator.clipboard.readText()")
    assert text.startswith("Sapper daily 2026-11-22\nWon in ")
    page.click("#daily")
    expect(page.locator("#card dl")).to_contain_text("1 day without help")
    page.click("#card >> text=Practise")
    expect(page.locator("#status")).to_contain_text("practice, so it does not count")
    server.set_day("2026-11-23")
    try:
        page.reload()
        page.wait_for_selector("[role=gridcell]")
        page.click("#daily")
        expect(page.locator("#card h2")).to_have_text("Daily board, November 23")
        page.click("#card >> text=Review yesterday's")
        page.wait_for_url("**/review?day=2026-11-22")
        expect(page.locator("#headline")).to_contain_text("Won in")
    finally:
        server.set_day("2026-11-22")


@pytest.mark.slow
def test_daily_board_is_marked_as_current(visit: Visit, server: Server) -> None:
    """The daily button is marked instead of a level, and no settings are pending."""
    page = visit()
    page.click("#daily")
    page.locator("#card").get_by_role("button", name="Play", exact=True).click()
    _arrive(page)
    expect(page.locator("#daily")).to_have_attribute("aria-current", "true")
    assert page.locator("#level :checked").count() == 0
    expect(page.locator("#pending")).to_be_hidden()
    page.select_option("#first_click", "any")
    expect(page.locator("#pending")).to_have_text(re.compile("next game: first click"))
    page.click("#new-game")
    page.wait_for_selector("body[data-status=ready]")
    expect(page.locator("#daily")).not_to_have_attribute("aria-current", "true")


def _lose(page: Page) -> None:
    """Start the daily board with its key, and open a mine."""
    page.keyboard.press("d")
    expect(page.locator("#card h2")).to_have_text("Daily board, November 22")
    page.locator("#card").get_by_role("button", name="Play", exact=True).focus()
    page.keyboard.press("Enter")
    _arrive(page)
    mine = _BOARD.topology.cell(_BOARD.mined.index(1))
    page.locator("#grid [tabindex='0']").focus()
    page.keyboard.press("Control+Home")
    for _ in range(mine.row):
        page.keyboard.press("ArrowDown")
    for _ in range(mine.col):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-status=lost]")


def test_the_daily_board_by_keyboard_alone(visit: Visit) -> None:
    """D opens the card and Enter starts the board; losses count as well."""
    page = visit()
    _lose(page)
    page.keyboard.press("d")
    expect(page.locator("#card dl")).to_contain_text("lost after")


@pytest.mark.slow
def test_a_card_opened_after_a_loss_is_not_replaced(visit: Visit) -> None:
    """The reason for a loss may arrive while the card is open; H then shows it."""
    page = visit()
    late = Holding(page, "review")
    _lose(page)
    page.keyboard.press("d")
    expect(page.locator("#card dl")).to_contain_text("lost after")
    late.let_go()
    expect(page.locator("#status")).to_contain_text("You took a risk of")
    expect(page.locator("#card h2")).to_have_text("Daily board, November 22")
    page.keyboard.press("h")
    expect(page.locator("#card h2")).to_contain_text("Lost at row")


def test_the_card_is_requested_again_if_it_fails(visit: Visit) -> None:
    """Without a network, the status line reports it, and the page keeps working."""
    page = visit()
    page.route("**/assets/index.daily-card-*", lambda route: route.abort())
    page.reload()
    page.wait_for_selector("[role=gridcell]")
    page.keyboard.press("d")
    expect(page.locator("#status")).to_contain_text("A part of this page could not be loaded.")
    expect(page.locator("#card")).to_be_hidden()
    page.unroute("**/assets/index.daily-card-*")
    page.keyboard.press("d")
    expect(page.locator("#card h2")).to_have_text("Daily board, November 22")


@pytest.mark.slow
def test_the_daily_board_by_touch(visit: Visit) -> None:
    """On a phone, the link to the daily board is above it, and the card is a bar below it."""
    page = visit(**_PHONE)
    page.tap("#daily")
    expect(page.locator("#card h2")).to_have_text("Daily board, November 22")
    page.locator("#card").get_by_role("button", name="Play", exact=True).tap()
    _arrive(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    page.tap("#daily")
    # The card is drawn again once the server has sent earlier days.
    page.wait_for_function(
        """() => {
          const today = document.querySelector(".daily-calendar td[aria-current]");
          today?.scrollIntoView({ block: "nearest" });
          const bar = document.querySelector("#thumb-hint").getBoundingClientRect();
          return today && today.getBoundingClientRect().bottom <= bar.top;
        }"""
    )


@pytest.mark.slow
def test_abandoned_attempt_is_shown_in_the_calendar(visit: Visit, server: Server) -> None:
    """N abandons the daily board for the next game, and the calendar shows the attempt."""
    page = visit()
    page.click("#daily")
    page.locator("#card").get_by_role("button", name="Play", exact=True).click()
    _arrive(page)
    expect(page.locator("#level input:checked")).to_have_count(0)
    expect(page.locator("#rules-note")).to_contain_text("The daily board uses No guess.")
    expect(page.locator("#pending")).to_be_hidden()
    cell(page, *_BOARD.topology.cell(_BOARD.mined.index(1))).click(button="right")
    page.keyboard.press("d")
    today = page.locator(".daily-calendar [aria-current=date]")
    expect(today).to_have_text("22…, in progress")
    page.keyboard.press("d")
    page.keyboard.press("n")
    expect(page.locator("#level input:checked")).to_have_value("beginner")
    page.keyboard.press("d")
    expect(today).to_have_text("22–, abandoned")
    expect(page.locator("#card dl")).to_contain_text("abandoned")
    page.click("#card >> text=Practise")
    expect(page.locator("#status")).to_contain_text("practice, so it does not count")
    server.set_day("2026-12-01")
    try:
        page.reload()
        page.wait_for_selector("[role=gridcell]")
        page.keyboard.press("d")
        heading = page.locator(".daily-calendar h3")
        expect(heading).to_have_text("December 2026")
        page.get_by_role("button", name="Previous month").focus()
        page.keyboard.press("Enter")
        expect(heading).to_have_text("November 2026")
        expect(page.locator(".daily-calendar td.abandoned")).to_have_text("22–, abandoned")
        page.keyboard.press("Enter")
        expect(heading).to_have_text("November 2026")
    finally:
        server.set_day("2026-11-22")
