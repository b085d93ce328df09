"""The History page says that it hides games with help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from e2e.running import Server
from e2e.test_history import owner_of
from sapper.history import History
from support.histories import made_up
from support.marks import slow


@pytest.mark.parametrize("alone", [0, slow(3)])
def test_games_with_help_are_one_tap_away(
    new_context: Callable[..., BrowserContext], server: Server, alone: int
) -> None:
    """The page says how many games with help it leaves out, and shows them on request."""
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = new_context(**phone).new_page()
    page.goto(server.url)
    page.wait_for_selector("body[data-status=ready]")
    games = [
        replace(made_up(number), bot="", player="", helped="" if number < alone else "hint")
        for number in range(alone + 2)
    ]
    with History(Path(server.home) / "play.sqlite3", owner_of(page)) as history:
        history.add_all(games)
    page.goto(server.url + "history")
    expect(page.locator("#hidden-text")).to_have_text("2 games with help are not shown.")
    expect(page.locator("#empty")).to_be_visible(visible=not alone)
    page.tap("#show-hidden")
    expect(page.locator("#games tbody tr")).to_have_count(2)
    expect(page.locator("#hidden-games")).to_be_hidden()
    expect(page.locator("#who")).to_have_value("helped")
    assert page.url.endswith("history?who=helped")
