"""Whole games in a real browser: won, lost, or by keyboard."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, expect

from e2e.hand import (
    cell,
    choose,
    double_click,
    name,
    names,
    next_cells,
    open_cell,
    play_on,
    position,
    round_trip,
    settle,
    status,
    status_line,
    win,
)
from e2e.static_site import on_both
from sapper.solver import analyze

Visit = Callable[..., Page]


@on_both
def test_a_beginner_game_is_won_by_clicks(visit: Visit) -> None:
    """Every mine is flagged, the smiley cheers, and the status line shows the time and 3BV/s."""
    page = visit()
    win(page, 10)
    shown = [name for row in names(page) for name in row]
    assert shown.count("flag") == 10
    assert "unopened" not in shown
    assert page.locator("smiley-face").get_attribute("data-mood") == "won"
    assert page.locator("#mines").get_attribute("aria-label") == "Mines left: 0"
    assert status_line(page) == "Won: your first win here."
    terms, values = (page.locator(f"#result {tag}").all_inner_texts() for tag in ("dt", "dd"))
    figures = dict(zip(terms, values, strict=True))
    assert re.fullmatch(r"[\d.]+ s", figures["Time"])
    assert re.fullmatch(r"[\d.]+", figures["3BV/s"])
    assert re.fullmatch(r"\d+ %", figures["Efficiency"])
    assert figures["Rank"] == "1 of 1"
    page.keyboard.press("n")
    page.wait_for_selector("body[data-status=ready]")
    expect(page.locator("#result")).to_be_hidden()


def test_a_win_leads_to_its_review_and_back(visit: Visit) -> None:
    """The button below the board opens the review, and Back returns to the finished game."""
    page = visit("#rules=classic&size=3x1:1&position=a1a")
    page.wait_for_selector("body[data-status=playing]")
    cell(page, 0, 0).click()
    page.wait_for_selector("body:is([data-status=won], [data-status=lost])")
    page.click("#result-review")
    page.wait_for_url("**/review")
    expect(page.locator("#headline")).to_contain_text(re.compile("Won|Lost"))
    page.go_back()
    page.wait_for_selector("body:is([data-status=won], [data-status=lost])")


@pytest.mark.slow
@on_both
def test_a_second_win_is_compared_with_the_best(visit: Visit) -> None:
    """The second win shows the best time so far, or reports a new one."""
    page = visit()
    win(page, 10)
    page.click("#new")
    page.wait_for_selector("body[data-status=ready]")
    win(page, 10)
    compared = r"a new best, [\d.]+ s faster|your best [\w/ ]+ so far|Your best time is [\d.]+ s"
    assert re.search(compared, status_line(page))


@on_both
def test_lost_game_shows_all_mines_and_a_reason(visit: Visit) -> None:
    """All mines are shown, the opened one in red, and one sentence gives the reason."""
    page = visit()
    open_cell(page, 4, 4)
    while status(page) == "playing":
        found = analyze(position(page, 10))
        hidden = [c for c in position(page, 10).unopened_cells() if c not in found.safe]
        worst = max(hidden, key=lambda c: found.p_mine[c])
        open_cell(page, worst.row, worst.col)
        settle(page)
    shown = [name for row in names(page) for name in row]
    assert status(page) == "lost"
    assert shown.count("mine, exploded") == 1
    assert sum(name.startswith("mine") for name in shown) == 10
    assert page.locator("smiley-face").get_attribute("data-mood") == "lost"
    reasons = re.compile(r"This cell was|took a risk|true coin flip|less risky")
    expect(page.locator("#status")).to_have_text(reasons)
    assert page.locator("#card").is_visible()
    sentence = status_line(page)
    assert page.locator("body").inner_text().count(sentence) == 1
    terms, values = (page.locator(f"#result {tag}").all_inner_texts() for tag in ("dt", "dd"))
    figures = dict(zip(terms, values, strict=True))
    assert re.fullmatch(r"[\d.]+ s", figures["Time"])
    solved, total = map(int, figures["3BV"].split(" of "))
    assert 0 < solved < total
    assert figures["Solved"] == f"{100 * solved / total:.0f} %"
    red = page.locator(".cell.hit").evaluate("e => getComputedStyle(e).backgroundColor")
    assert red == "rgb(255, 0, 0)"
    page.reload()
    expect(page.locator("#result dd").first).to_have_text(figures["Time"])
    page.click("#result-new")
    page.wait_for_selector("body[data-status=ready]")
    expect(page.locator("#result")).to_be_hidden()


@on_both
def test_a_wrong_flag_is_crossed_out_and_blamed_for_the_chord(visit: Visit) -> None:
    """After a fatal chord with a wrong flag, the reason names the flag."""
    page = visit()
    for _ in range(20):
        open_cell(page, 4, 4)
        seen = position(page, 10)
        found = analyze(seen)
        # A 1 next to one cell proved to be a mine and one proved safe.
        for at in seen.topology.cells():
            around = seen.topology.neighbours(at)
            safe = [c for c in around if c in found.safe]
            mined = [c for c in around if c in found.mined]
            if seen.number(at) == 1 and safe and mined:
                cell(page, *safe[0]).click(button="right")
                cell(page, *at).click()
                page.wait_for_selector("body[data-status=lost]")
                assert name(page, *safe[0]) == "flag, wrong"
                expect(page.locator("#status")).to_contain_text("wrong flag at row")
                return
        page.keyboard.press("n")
        page.wait_for_selector("body[data-status=ready]")
    raise AssertionError("no position to chord wrongly on")


@on_both
@pytest.mark.parametrize(
    ("col", "result"), [(2, "Won"), (1, "This cell was certainly a mine")], ids=["won", "lost"]
)
def test_a_late_click_leaves_the_result_on_the_status_line(
    visit: Visit, col: int, result: str
) -> None:
    """Refusals that arrive after the end write nothing, and neither do later clicks and keys."""
    page = visit("#rules=classic&size=3x3:1&position=c111000")
    page.wait_for_selector("body[data-status=playing]")
    open_cell(page, 0, 0)
    double_click(page, 0, col)
    expect(page.locator("#status")).to_contain_text(result)
    settle(page)
    page.keyboard.press("h")
    round_trip(page)
    for late in (1, 2):
        cell(page, 0, late).click()
        cell(page, 0, late).click(button="right")
    round_trip(page)
    expect(page.locator("#status")).to_contain_text(result)


@pytest.mark.slow
@on_both
def test_a_game_by_keyboard_alone(visit: Visit) -> None:
    """Arrows, Space, F and Enter are enough to play, and the focus is never lost."""
    page = visit()
    # Tab moves through the header to the board, which is a single tab stop.
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.role") == "gridcell":
            break

    def go(row: int, col: int) -> None:
        at = page.evaluate(
            "() => [Number(document.activeElement.dataset.row),"
            " Number(document.activeElement.dataset.col)]"
        )
        for key, steps in (
            ("ArrowDown", row - at[0]),
            ("ArrowUp", at[0] - row),
            ("ArrowRight", col - at[1]),
            ("ArrowLeft", at[1] - col),
        ):
            for _ in range(steps):
                page.keyboard.press(key)

    go(4, 4)
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-status=playing]")
    assert page.evaluate("() => document.activeElement.matches(':focus-visible')")
    while status(page) == "playing":
        for row, col in next_cells(page, 10):
            if name(page, row, col) == "unopened" and status(page) == "playing":
                go(row, col)
                page.keyboard.press("Enter")
                settle(page)
    assert page.evaluate("() => document.activeElement.role") == "gridcell"
    page.keyboard.press("n")
    page.wait_for_selector("body[data-status=ready]")
    assert page.evaluate("() => document.activeElement.role") == "gridcell"
    page.keyboard.press("f")
    expect(page.locator(".cell.flag")).to_have_count(1)
    # The page asks first, because the game will no longer count.
    page.keyboard.press("u")
    page.keyboard.press("u")
    expect(page.locator(".cell.flag")).to_have_count(0)


@pytest.mark.slow
def test_click_sends_one_message_each_way(visit: Visit) -> None:
    """In a whole Expert game, only clicks are sent, and each gets one answer."""
    page = visit()
    choose(page, "expert")
    # The page reconnects, so that every message is seen.
    sent: list[dict[str, Any]] = []
    answered: list[dict[str, Any]] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda text: sent.append(json.loads(text)))
        socket.on("framereceived", lambda text: answered.append(json.loads(text)))

    page.on("websocket", listen)
    page.reload()
    page.wait_for_selector("[role=gridcell]")
    play_on(page, 99, (8, 15))
    clicks = [message["id"] for message in sent if message["type"] == "open"]
    deltas = [message["re"] for message in answered if message["type"] == "delta"]
    assert len(clicks) > 20
    assert deltas == clicks
    kinds = Counter(message["type"] for message in sent)
    assert set(kinds) - {"open"} <= {"drawn"}, kinds
