"""State that survives a reload, a second browser or a server crash."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, WebSocketRoute, expect

from e2e.hand import cell, choose, names, open_cell, play_on, status
from e2e.running import Server
from e2e.static_site import on_both, on_both_slowly
from support.waiting import until

Visit = Callable[..., Page]


@on_both
def test_reload_restores_the_running_game(visit: Visit) -> None:
    """The board, flags, settings, overlay and clock are the same after a reload."""
    page = visit()
    open_cell(page, 4, 4)
    cell(page, 0, 0).click(button="right")
    page.click("text=Assisted")
    page.wait_for_selector(".cell.heat, .cell.state")
    expect(page.locator("#time")).not_to_have_attribute("aria-label", "Seconds: 0")
    before = names(page)
    page.reload()
    page.wait_for_selector(".cell.heat, .cell.state")
    assert names(page) == before
    assert status(page) == "playing"
    seconds = page.locator("#time").get_attribute("aria-label") or ""
    assert int(seconds.removeprefix("Seconds: ")) >= 1
    assert page.locator("#card").is_hidden()


@pytest.mark.slow
@on_both
def test_a_browser_may_reload_an_earlier_address(visit: Visit) -> None:
    """The URL is updated with a slight delay, but a reload shows the same game."""
    page = visit()
    open_cell(page, 4, 4)
    expect(page).to_have_url(re.compile("position="))
    earlier = page.url
    page.locator('[role="gridcell"][aria-label$=", unopened"]').first.click(button="right")
    expect(page).not_to_have_url(earlier)
    page.evaluate("earlier => history.replaceState(null, '', earlier)", earlier)
    page.reload()
    # The URL is written after the welcome, unless the URL offers a game.
    expect(page).not_to_have_url(earlier)
    expect(page.locator(".cell.flag")).to_have_count(1)
    assert page.locator("#card").is_hidden()


def test_two_browsers_play_two_games(visit: Visit) -> None:
    """Opening a cell in one browser does not open it in the other."""
    one, other = visit(), visit()
    choose(one, "intermediate")
    open_cell(one, 8, 8)
    assert len(names(other)) == 9
    open_cell(other, 0, 0)
    assert len(names(one)) == 16
    assert status(one) in ("playing", "won")
    assert names(one) != names(other)


def test_two_windows_of_one_browser_show_one_game(visit: Visit, server: Server) -> None:
    """A click in one window shows in the other."""
    page = visit()
    second = page.context.new_page()
    second.goto(server.url)
    second.wait_for_selector('[role="gridcell"]')
    open_cell(page, 4, 4)
    second.wait_for_selector("body[data-status=playing], body[data-status=won]")
    assert names(second) == names(page)


def saved_actions(home: Path, session_id: str) -> int:
    """Return the number of saved actions of a session's game."""
    # Read directly, because the running server owns the store's folder.
    with closing(sqlite3.connect(f"file:{home / 'play.sqlite3'}?mode=ro", uri=True)) as db:
        query = "SELECT count(*) FROM actions WHERE session = ?"
        return int(db.execute(query, (session_id,)).fetchone()[0])


def test_lost_server_loses_nothing(new_context: Any, tmp_path: Path) -> None:
    """A banner appears when the server is killed; afterwards, the same game continues."""
    context = new_context()
    with Server(tmp_path) as server:
        page = context.new_page()
        page.goto(server.url)
        page.wait_for_selector('[role="gridcell"]')
        # Set the flag before the first click, whose flood might open the corner.
        cell(page, 0, 0).click(button="right")
        expect(page.locator(".cell.flag")).to_have_count(1)
        open_cell(page, 4, 4)
        [cookie] = context.cookies()
        until(
            lambda: saved_actions(tmp_path, cookie["value"].partition(".")[0]) == 2,
            "the save of both actions",
        )
        before = names(page)
        server.stop(kill=True)
        expect(page.locator("#banner")).to_contain_text("server is not responding")
        server.start()
        expect(page.locator("#banner")).to_be_hidden()
        assert names(page) == before
        cell(page, 0, 0).click(button="right")
        expect(page.locator(".cell.flag")).to_have_count(0)


@pytest.mark.slow
def test_a_lost_connection_leaves_nothing_behind(visit: Visit, server: Server) -> None:
    """No cell stays pressed, and the old window does not announce another window's win."""
    page = visit()
    second = page.context.new_page()
    lines: list[WebSocketRoute] = []
    mute = False

    def connect(line: WebSocketRoute) -> None:
        lines.append(line)
        if mute:
            return
        to = line.connect_to_server()
        line.on_message(lambda text: None if mute else to.send(text))

    page.route_web_socket("**/ws", connect)
    game = "#level=9x9:0&rules=classic&first_click=any&win=open&chord=exact"
    page.goto("about:blank")
    page.goto(server.url + game)
    page.wait_for_selector("#mines[aria-label='Mines left: 0']")
    mute = True
    cell(page, 4, 4).click()
    expect(page.locator(".cell.down")).to_have_count(1)
    lines[-1].close()
    expect(page.locator(".cell.down")).to_have_count(0)
    while len(lines) == 1:
        page.evaluate("() => null")
    mute = False
    lines[-1].close()
    page.wait_for_selector("body[data-line=open]")
    cell(page, 4, 4).click()
    expect(page.locator("#result")).to_be_visible()
    mute = True
    lines[-1].close()
    page.wait_for_selector("body[data-line=lost]")
    second.goto(server.url)
    second.wait_for_selector("body[data-status=won]")
    second.keyboard.press("n")
    second.wait_for_selector("body[data-status=ready]")
    cell(second, 4, 4).click()
    second.wait_for_selector("body[data-status=won]")
    while len(lines) == 3:
        page.evaluate("() => null")
    mute = False
    lines[-1].close()
    page.wait_for_selector("body[data-line=open]")
    # This is the result of the game in the other window.
    expect(page.locator("#result dd").last).to_have_text("1 of 2")


def test_no_mine_reaches_the_browser_before_the_end(new_context: Any, server: Server) -> None:
    """In whole games with the overlay on, no message before the end contains a mine or a seed."""
    page = new_context().new_page()
    frames: list[dict[str, Any]] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: frames.append(json.loads(text)))

    page.on("websocket", listen)
    page.goto(server.url)
    page.wait_for_selector('[role="gridcell"]')
    page.click("text=Assisted")
    for _ in range(2):
        play_on(page, 10)
        page.keyboard.press("n")
        page.wait_for_selector("body[data-status=ready]")
    assert len(frames) > 10
    turn_over = False
    for frame in frames:
        game = {**frame, **frame.get("game", {})}
        assert set(frame) <= {
            *("type", "re", "game", "settings", "questions", "assist", "menu", "cells", "event"),
            *("automatic", "daily"),
            *("turn", "status", "mines_left", "clock", "can_undo", "actions", "helped", "seed"),
            *("p", "safe", "mined", "solutions", "exact", "whole", "chances", "outside"),
            "weighted",
            *("cell", "least", "wrong_flags", "sentence", "clear", "pattern"),
            *("made", "forced", "needless", "each"),
        }
        if "status" in game:
            turn_over = game["status"] in ("won", "lost")
            shown = {char for _, char in frame.get("cells", [])} | set(
                "".join(game.get("rows", []))
            )
            if not turn_over:
                assert shown <= set(".F?012345678")
                assert game["seed"] is None
        if frame["type"] == "review":
            assert turn_over


@pytest.mark.slow
@on_both
def test_an_address_shares_a_position(visit: Visit) -> None:
    """Another browser opens the position and can continue it."""
    page = visit()
    choose(page, "intermediate")
    open_cell(page, 8, 8)
    page.wait_for_function("() => location.hash.includes('position=')")
    unflagged = page.url
    cell(page, 0, 0).click(button="right")
    page.wait_for_function("before => location.href !== before", arg=unflagged)
    fragment = page.url[page.url.index("#") :]
    other = visit(fragment)
    expect(other.locator('[role="gridcell"]')).to_have_count(256)
    assert names(other) == names(page)
    assert status(other) == "playing"


@pytest.mark.slow
@on_both
def test_overwritten_address_is_used(visit: Visit) -> None:
    """A URL typed before the page updates its own is used."""
    page = visit()
    page.evaluate(
        """typed => {
            const own = location.href;
            location.hash = typed;
            history.replaceState(null, "", own);
        }""",
        "level=expert&rules=classic&first_click=safe",
    )
    expect(page.locator('[role="gridcell"]')).to_have_count(480)


@on_both_slowly
def test_shared_address_asks_before_ending_a_game(visit: Visit) -> None:
    """If a game is running, the page asks before it replaces the game."""
    page = visit()
    open_cell(page, 4, 4)
    before = names(page)
    page.goto(page.url.split("#")[0] + "#level=expert&rules=classic&first_click=safe")
    expect(page.locator("#card h2")).to_have_text("This link starts a new game")
    assert names(page) == before
    page.click("text=Play it")
    expect(page.locator('[role="gridcell"]')).to_have_count(480)


@pytest.mark.slow
@on_both
@pytest.mark.parametrize(
    ("fields", "title"),
    [("level=beginner&seed=5", "shared game"), ("size=3x1:1&position=a1a", "shared position")],
    ids=["seed", "position"],
)
def test_only_a_seed_or_a_position_is_called_shared(visit: Visit, fields: str, title: str) -> None:
    """A link with nothing but settings starts any game; one with a seed starts a certain game."""
    page = visit("#rules=classic&size=3x3:1&position=c111000")
    page.wait_for_selector("body[data-status=playing]")
    page.goto(f"{page.url.split('#')[0]}#rules=classic&{fields}")
    expect(page.locator("#card h2")).to_have_text(f"This link contains a {title}")


@pytest.mark.slow
def test_moved_folder_is_reported_and_games_are_saved_later(
    visit: Callable[..., Page], tmp_path: Path
) -> None:
    """A line reports that the folder has moved; moves made while it is missing are not lost."""
    home = tmp_path / "games"
    with Server(tmp_path / "server") as server:
        server.stop()
        server.start(SAPPER_HOME=str(home))
        page = visit()
        page.goto(server.url)
        page.wait_for_selector('[role="gridcell"]')
        cell(page, 0, 0).click(button="right")
        expect(cell(page, 0, 0)).to_have_attribute("aria-label", "row 1, column 1, flag")
        home.rename(tmp_path / "elsewhere")
        cell(page, 0, 1).click(button="right")
        expect(page.locator("#banner")).to_have_text(
            "Not saved: the saved games folder was moved or removed. "
            "Keep playing; Sapper will keep trying."
        )
        page.reload()
        expect(page.locator("#banner")).to_contain_text("Not saved")
        (tmp_path / "elsewhere").rename(home)
        expect(page.locator("#banner")).to_be_hidden()
        server.stop()
        server.start(SAPPER_HOME=str(home))
        page.reload()
        expect(cell(page, 0, 1)).to_have_attribute("aria-label", "row 1, column 2, flag")
