"""Boards larger than their window: faded sides, the map, and rotation on phones."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.running import Server

Contexts = Callable[..., BrowserContext]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def expert(new_context: Contexts, server: Server, **options: object) -> Page:
    """A new visitor's Expert game."""
    page = new_context(**options).new_page()
    page.on("pageerror", lambda error: pytest.fail(f"error on the page: {error}"))
    page.goto(server.url + "#level=expert&rules=classic&first_click=opening")
    page.wait_for_selector("body[data-status=ready]")
    page.wait_for_selector("#mines[aria-label='Mines left: 99']")
    return page


def test_phone_shows_that_the_board_continues(new_context: Contexts, server: Server) -> None:
    """A side with hidden cells fades, and a tap on the map scrolls there."""
    page = expert(new_context, server, **PHONE)
    well = page.locator("#well")
    expect(well).to_have_attribute("data-more", re.compile("^right"))
    box = page.locator("#board-map").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.up()
    expect(well).to_have_attribute("data-more", re.compile("^left(?! right)"))


@pytest.mark.slow
def test_rotated_board_is_shown_completely(new_context: Contexts, server: Server) -> None:
    """Columns become rows, but cells, cursor and labels still refer to the same game."""
    page = expert(new_context, server, **PHONE)
    page.locator("#turn-board").tap()
    expect(page.locator("#grid")).to_have_attribute("data-turned", "")
    well = page.locator("#well")
    assert well.evaluate("(well) => well.scrollWidth <= well.clientWidth")

    def corner(row: int, col: int) -> tuple[float, float]:
        box = page.locator(f'[data-row="{row}"][data-col="{col}"]').bounding_box()
        assert box is not None
        return box["x"], box["y"]

    (left, top), (x, y) = corner(0, 0), corner(0, 1)
    assert (x, y > top) == (left, True)
    page.locator('[data-row="3"][data-col="5"]').tap()
    expect(page.locator('[data-row="3"][data-col="5"]')).to_have_class("cell open")
    page.locator('[data-row="3"][data-col="5"]').focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator('[data-row="3"][data-col="6"]')).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-row="4"][data-col="6"]')).to_be_focused()
    # The choice is remembered. Without the level in the URL, no shared game is offered.
    page.goto("about:blank")
    page.goto(server.url)
    page.wait_for_selector("body[data-status=playing]")
    expect(page.locator("#grid")).to_have_attribute("data-turned", "")
    page.locator("#turn-board").tap()
    expect(page.locator("#grid")).not_to_have_attribute("data-turned", "")


def test_rotated_path_uses_board_coordinates(new_context: Contexts, server: Server) -> None:
    """The pointer path uses the rows and columns of the game, not of the screen."""
    # This needs a mouse, because touch paths are not recorded.
    page = new_context(viewport={"width": 500, "height": 900}).new_page()
    sent: list[dict[str, object]] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framesent", lambda text: sent.append(json.loads(text))),
    )
    page.goto(server.url + "#level=expert&rules=classic&first_click=opening")
    page.wait_for_selector("#mines[aria-label='Mines left: 99']")
    page.locator("#turn-board").click()
    page.locator('[data-row="2"][data-col="7"]').click()
    page.wait_for_selector("body[data-status=playing]")
    [opened] = [message for message in sent if message["type"] == "open"]
    assert opened["cell"] == [2, 7]
    path = opened["pointer"]
    assert isinstance(path, list)
    # Three numbers per point, in sixteenths of a cell, each relative to the previous point.
    assert [sum(path[1::3]) // 16, sum(path[2::3]) // 16] == [7, 2]


def test_a_board_that_fits_has_no_map(new_context: Contexts, server: Server) -> None:
    """There is no map on a desktop, or on a phone with a Beginner board."""
    page = expert(new_context, server, viewport={"width": 1440, "height": 900})
    expect(page.locator("#map-line")).to_be_hidden()
    assert page.locator("#well").get_attribute("data-more") == ""
