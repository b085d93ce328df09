"""Sharing a game, leaderboards and profiles in a browser."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.axe import expect_accessible, needs_axe
from e2e.running import Server
from e2e.test_account import Authenticator

pytest.importorskip("webauthn", reason="the extra accounts is not installed")

_MINELESS = "#level=9x9:0&rules=classic&first_click=any&win=open&chord=exact"


@pytest.fixture
def opened(new_context: Callable[..., BrowserContext], server: Server) -> Callable[..., Page]:
    """Open a page in a new browser, under a host name that allows passkeys."""

    def make(path: str, **options: Any) -> Page:
        page = new_context(**options).new_page()
        page.on("pageerror", lambda error: pytest.fail(f"error on the page: {error}"))
        page.goto(_local(server, path))
        return page

    return make


def _local(server: Server, path: str) -> str:
    return f"http://localhost:{server.port}/{path}"


def _win(page: Page) -> None:
    page.wait_for_selector("#mines[aria-label='Mines left: 0']")
    page.locator(".cell").first.click()
    page.wait_for_selector("body[data-status=won]")


@needs_axe
def test_a_guest_shares_a_game_until_it_is_no_longer_shared(
    opened: Callable[..., Page], server: Server
) -> None:
    """The link opens the replay in another browser until the game is no longer shared."""
    page = opened(_MINELESS)
    _win(page)
    page.click("#result-link")
    page.click("#share-box .primary")
    link = page.locator("#share-box input[type=text]").input_value()
    assert link.startswith(_local(server, "g/"))
    # Guests have no profile.
    expect(page.locator("#share-box input[type=checkbox]")).to_have_count(0)
    expect_accessible(page)

    other = opened(link.removeprefix(_local(server, "")))
    expect(other.locator("#headline")).to_contain_text("Won in")
    expect(other.locator("#public")).to_have_text("A guest")
    expect_accessible(other)

    page.get_by_role("button", name="Stop sharing").click()
    expect(page.locator("#share-box [role=status]")).to_have_text("The link no longer works.")
    other.reload()
    expect(other.locator("main h2")).to_have_text("Page not found")


@pytest.mark.slow
@needs_axe
def test_a_profile_becomes_private_for_everyone_else(
    opened: Callable[..., Page], server: Server
) -> None:
    """The owner still sees the page; the listed game no longer links to the profile."""
    page = opened("account")
    Authenticator(page)
    page.fill("#name", "Rosa")
    page.keyboard.press("Enter")
    page.click("#codes-done")
    page.goto(_local(server, _MINELESS))
    _win(page)
    page.click("#result-link")
    page.click("#share-box .primary")
    page.check("#share-box input[type=checkbox]")
    page.goto(_local(server, "@Rosa"))
    expect(page.locator("#edit")).to_be_visible()
    expect_accessible(page)

    other = opened("@rosa", viewport={"width": 390, "height": 844})
    expect(other).to_have_title("Rosa - Sapper")
    expect(other.locator("#games tbody tr")).to_have_count(1)
    expect(other.locator("#games a")).to_have_text("Replay")
    expect(other.locator("#follow")).to_be_hidden()
    expect_accessible(other)

    page.goto(_local(server, "account"))
    page.check("#private")
    expect(page.locator("#said")).to_have_text("Your profile is private.")
    other.reload()
    expect(other.locator("#missing")).to_be_visible()
    page.click("#own-profile")
    expect(page.locator("#since")).to_contain_text("only you can see this page")


@needs_axe
def test_the_address_of_a_leaderboard_contains_its_filters(
    opened: Callable[..., Page], server: Server
) -> None:
    """A reload shows the same leaderboard; a guest is asked to claim a name."""
    page = opened("leaderboards?rules=classic&level=beginner&measure=speed")
    expect(page.locator("#board-title")).to_have_text("Beginner, Classic")
    page.select_option("#period", "day")
    page.wait_for_url("**period=day**")
    page.reload()
    expect(page.locator("#period")).to_have_value("day")
    expect(page.locator("#measure")).to_have_value("speed")
    page.select_option("#kind", "daily")
    expect(page.locator("#board-title")).to_contain_text("Daily board of")
    expect(page.locator("#rows a")).to_have_text("Claim a name to take part.")
    expect(page.locator("#among")).to_be_hidden()
    expect_accessible(page)


@pytest.mark.slow
@needs_axe
def test_a_long_list_is_turned_page_by_page(opened: Callable[..., Page], server: Server) -> None:
    """Rating lists have pages like the leaderboards, and players can jump to their own place."""
    page = opened("account")
    Authenticator(page)
    page.fill("#name", "Ivo")
    page.keyboard.press("Enter")
    page.click("#codes-done")
    with closing(sqlite3.connect(Path(server.home) / "play.sqlite3")) as db, db:
        [player] = db.execute("SELECT player FROM accounts WHERE name = 'Ivo'").fetchone()
        for number in range(250):
            one = player if number == 180 else f"player {number}"
            if one != player:
                row = f"account {number}", one, f"Player {number}"
                db.execute("INSERT INTO accounts VALUES (?, ?, ?, 1, NULL)", row)
            rating = 2000.0 - number
            db.execute(
                "INSERT INTO ratings VALUES (?, 'race expert', ?, 50, 0.06, 30, 5)", (one, rating)
            )
    page.goto(_local(server, "leaderboards"))
    page.select_option("#kind", "rating")
    expect(page.locator("#board-title")).to_have_text("Race, Expert")
    expect(page.locator("#rows tr.own.below")).to_contain_text("181")
    expect(page.locator("#place")).to_have_text("1 to 100 of 250")
    page.click("#next")
    expect(page.locator("#place")).to_have_text("101 to 200 of 250")
    expect(page.locator("#rows tr.own")).to_contain_text("Ivo")
    page.click("#next")
    expect(page.locator("#next")).to_be_disabled()
    page.click("#around")
    expect(page.locator("#place")).to_have_text("131 to 230 of 250")
    expect(page.locator("#rows tr.own")).to_be_in_viewport()
    page.reload()
    expect(page.locator("#place")).to_have_text("131 to 230 of 250")
    page.select_option("#among", "followed")
    expect(page.locator("#rows tbody tr")).to_have_count(1)
    expect(page.locator("#pages")).to_be_hidden()
    expect_accessible(page)


@pytest.mark.slow
@needs_axe
def test_players_of_a_tournament_are_sent_to_the_same_race(
    opened: Callable[..., Page], server: Server
) -> None:
    """The tournament page opens the race automatically, and the race links back to it."""
    pages = []
    for name in ("Ida", "Otto"):
        page = opened("account")
        Authenticator(page)
        page.fill("#name", name)
        page.keyboard.press("Enter")
        page.click("#codes-done")
        pages.append(page)
    first, second = pages
    first.goto(_local(server, "tournaments"))
    first.fill("#make #name", "Friday")
    first.select_option("#level", "beginner")
    first.select_option("#race_size", "2")
    first.select_option("#boards", "different")
    first.click("#make button[type=submit]")
    first.wait_for_url("**/t/*")
    address = first.url
    expect(first.locator("#about")).to_contain_text("different boards")
    first.click("#join")
    second.goto(address)
    second.click("#join")
    for page in pages:
        page.wait_for_url("**/r/*")
    assert first.url == second.url
    watcher = opened(address.removeprefix(_local(server, "")))
    expect(watcher.locator("#table tbody tr")).to_have_count(2)
    expect(watcher.locator("#races a")).to_have_text("Watch")
    first.goto(address)
    first.click("#pause")
    expect(first.locator("#said")).to_contain_text("paused after this race")
    expect(first.locator("#pause")).to_be_hidden()
    expect(watcher.locator("#claim")).to_be_visible()
    expect_accessible(watcher)
