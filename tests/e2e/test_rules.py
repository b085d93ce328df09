"""Every rule set in a real browser: which guesses survive, and the reasons for losses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocket, expect

from e2e.hand import cell, name, names, open_cell, play_on, settle, status, status_line
from e2e.running import Server
from e2e.static_site import on_both
from support.marks import slow

Visit = Callable[..., Page]

# One of the two cells above is a mine, so it is a coin flip.
_COIN = "size=2x2:1&position=b11"

# No guess is forced: row 4, column 6 is safe, but columns 1 and 2 of that row are not.
_NEEDLESS = "size=6x4:3&position=00000001110013a200c20a"


def start(visit: Visit, rules: str, position: str, **options: Any) -> Page:
    """Open a page that plays a position under a certain rule set."""
    page = visit(f"#rules={rules}&{position}", **options)
    page.wait_for_selector("body[data-status=playing]")
    return page


@pytest.mark.parametrize("rules", ["kaboom", slow("fair"), slow("kind")])
def test_a_forced_guess_survives(visit: Visit, rules: str) -> None:
    """Either cell of a coin flip can be opened, which a fixed layout would not allow."""
    for col in (0, 1):
        page = start(visit, rules, _COIN)
        cell(page, 0, col).click()
        page.wait_for_selector("body[data-status=won]")
        expect(page.locator("#tally")).to_have_text("1 guess: 1 forced")
        page.context.close()


@pytest.mark.parametrize("rules", ["kaboom", slow("fair")])
def test_needless_guess_loses_and_can_be_undone(visit: Visit, rules: str) -> None:
    """Guessing either cell loses, the safe cell is highlighted, and U undoes the loss."""
    for col in (0, 1):
        page = start(visit, rules, _NEEDLESS)
        cell(page, 3, col).click()
        page.wait_for_selector("body[data-status=lost]")
        expect(page.locator("#status")).to_contain_text("although a cell was safe")
        expect(page.locator("#status")).to_contain_text("needless guess a mine")
        expect(page.locator("#card")).to_contain_text("The safe cell is highlighted on the board.")
        expect(page.locator(".cell.lit")).to_have_count(1)
        assert cell(page, 3, 5).evaluate("e => e.classList.contains('lit')")
        expect(page.locator("#tally")).to_have_text("1 guess: 1 needless")
        page.keyboard.press("u")
        page.wait_for_selector("body[data-status=playing]")
        assert page.locator("#card").is_hidden()
        assert page.locator(".cell.lit, .cell.mine").count() == 0
        open_cell(page, 3, 5)
        assert status(page) == "playing"
        page.context.close()


@pytest.mark.slow
def test_a_coin_flip_that_was_lost_shows_both_boards(visit: Visit) -> None:
    """Each board has a button, and Esc returns to the game."""
    page = visit()
    for _ in range(30):
        # Use a different URL each time, so that the page loads it.
        page.evaluate("at => { location.hash = at; }", f"rules=classic&{_COIN}&level=x{_}")
        page.wait_for_selector("body[data-status=playing]")
        cell(page, 0, 0).click()
        page.wait_for_selector("body[data-status=lost], body[data-status=won]")
        if status(page) == "lost":
            break
    expect(page.locator("#status")).to_have_text("No cell was safe: this was a true coin flip.")
    shown = names(page)
    for text, mine, clear in (("a mine", 0, 1), ("clear", 1, 0)):
        button = page.locator("#card button", has_text=f"where it was {text}")
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".cell.ghost")).to_have_count(1)
        assert name(page, 0, mine) == "mine in this arrangement"
        assert name(page, 0, clear) == "clear in this arrangement"
    page.keyboard.press("Escape")
    assert page.locator(".cell.ghost").count() == 0
    assert page.locator("#card").is_hidden()
    assert names(page) == shown
    page.keyboard.press("u")
    page.wait_for_selector("body[data-status=playing]")
    assert name(page, 0, 0) == "unopened"


CHECKED = [
    (_NEEDLESS, ["      ", "      ", "  !   ", "??!  ."]),
    ("size=5x5:5&position=l1l", ["     ", " ??? ", " ? ? ", " ??? ", "     "]),
    ("size=3x3:4&position=3h", [" ! ", "!! ", "   "]),
    ("size=5x3:2&position=0000012110e", ["     ", "     ", "!.!.."]),
]
"""Seed 004's check positions as URLs, with the marks of the original program."""


@pytest.mark.parametrize(
    ("position", "marks"), [CHECKED[0], *(slow(*checked) for checked in CHECKED[1:])]
)
def test_kaboom_debug_view_marks_the_check_positions(
    visit: Visit, position: str, marks: list[str]
) -> None:
    """Every cell matches the check position, as do the figures and the hint; undo updates both."""
    page = start(visit, "kaboom", position)
    page.click("summary:has-text('View')")
    page.check("#debug")
    page.wait_for_selector(".cell.note")
    look = {".": ["safe", "•"], "!": ["danger", "!"], "?": ["unknown", "?"], " ": ["", ""]}
    seen = page.evaluate(
        """() => [...document.querySelectorAll('[role=row]')].map(row => [...row.children].map(
            e => [['safe', 'danger', 'unknown'].find(c => e.classList.contains(c)) ?? '',
                  e.dataset.text ?? '']))"""
    )
    assert seen == [[look[mark] for mark in row] for row in marks]
    size = sum(mark != " " for row in marks for mark in row)
    expect(page.locator("#figures dd").first).to_have_text(str(size))
    safe = any("." in row for row in marks)
    unknown = any("?" in row for row in marks)
    expect(page.locator("#advice")).to_have_text(
        "There are safe cells."
        if safe
        else "There are no safe cells, but you can guess."
        if unknown
        else "All surrounding cells are deadly. You need to play elsewhere."
    )
    row, col = next((r, c) for r, line in enumerate(marks) for c, m in enumerate(line) if m != " ")
    kind = look[marks[row][col]][0]
    cell(page, row, col).click(button="right")
    expect(cell(page, row, col)).to_have_class(re.compile(f"state {kind} marked"))
    page.keyboard.press("u")
    expect(cell(page, row, col)).to_have_class(re.compile(f"note {kind}"))


@pytest.mark.slow
def test_kaboom_reports_an_unproved_flag(visit: Visit) -> None:
    """The card includes the first of Kaboom's five hints."""
    page = start(visit, "kaboom", _NEEDLESS)
    cell(page, 3, 0).click(button="right")
    expect(page.locator(".cell.flag")).to_have_count(1)
    page.keyboard.press("h")
    expect(page.locator("#card h2")).to_have_text("You flagged a cell that could be empty.")
    expect(page.locator("#card p")).to_contain_text("Row 4, column 6 is safe")


def test_kaboom_options_change_allowed_guesses(visit: Visit) -> None:
    """Opening a cell that touches no number loses, unless guessing anywhere is allowed."""
    for switch, end in (("off", "lost"), ("on", "playing")):
        page = start(visit, "kaboom", f"size=5x5:5&position=l1l&guess_anywhere={switch}")
        cell(page, 0, 0).click()
        settle(page)
        page.wait_for_selector(f"body[data-status={end}]")
        page.context.close()


@pytest.mark.slow
def test_options_are_chosen_in_the_panel(visit: Visit) -> None:
    """Switches and lists appear with their rule set and apply to the next game."""
    page = visit()
    page.select_option("#rules", "kaboom")
    page.check("#option-guess_anywhere")
    page.select_option("#option-judge", "local")
    open_cell(page, 4, 4)
    page.wait_for_function("() => location.hash.includes('guess_anywhere=on&judge=local')")
    page.uncheck("#option-guess_anywhere")
    expect(page.locator("#pending")).to_contain_text("Changed for the next game: options")
    page.select_option("#rules", "classic")
    expect(page.locator("#options label")).to_have_count(0)


@pytest.mark.slow
def test_fair_shows_states_in_its_colours(visit: Visit) -> None:
    """Safe cells are green, certain mines red and others yellow; this can be switched off."""
    page = start(visit, "fair", _NEEDLESS)
    page.check("#show-states")
    page.wait_for_selector(".cell.state")

    def colour(row: int, col: int) -> list[int]:
        text = cell(page, row, col).evaluate("e => getComputedStyle(e).backgroundColor")
        return [int(part) for part in re.findall(r"\d+", text)]

    red, green, blue = colour(3, 5)
    assert green > red
    assert green > blue
    red, green, blue = colour(2, 2)
    assert red > green + 30
    assert red > blue + 30
    red, green, blue = colour(3, 0)
    assert min(red, green) > blue + 30
    assert abs(red - green) < 30
    page.uncheck("#show-states")
    expect(page.locator(".cell.state")).to_have_count(0)


@pytest.mark.slow
@on_both
def test_numbers_count_down(visit: Visit) -> None:
    """Numbers show their value minus flags, even below zero; full numbers are shown at the end."""
    page = start(visit, "classic", _COIN)
    page.click("summary:has-text('View')")
    page.check("#countdown")
    expect(page.locator(".cell.n1")).to_have_count(2)
    cell(page, 0, 0).click(button="right")
    expect(page.locator(".cell.done")).to_have_count(2)
    assert name(page, 1, 0) == "1, 0 to flag"
    cell(page, 0, 1).click(button="right")
    expect(page.locator(".cell.over1")).to_have_count(2)
    assert name(page, 1, 1) == "1, 1 too many"
    page.uncheck("#countdown")
    expect(page.locator(".cell.n1")).to_have_count(2)
    page.check("#countdown")
    expect(page.locator(".cell.over1")).to_have_count(2)
    cell(page, 0, 1).click(button="right")
    cell(page, 0, 1).click()
    page.wait_for_selector("body[data-status=won], body[data-status=lost]")
    expect(page.locator(".cell.done, .cell.over1")).to_have_count(0)


@pytest.mark.slow
@on_both
def test_in_safe_mode_only_a_double_click_opens(visit: Visit) -> None:
    """Single clicks, or clicks on two cells, only show a message."""
    page = visit()
    page.click("summary:has-text('Controls')")
    page.check("#double")
    cell(page, 4, 4).click()
    expect(page.locator("#status")).to_have_text("Double-click to open.")
    cell(page, 4, 5).click()
    cell(page, 4, 4).click()
    assert status(page) == "ready"
    # Flags do not need a second click.
    cell(page, 0, 0).click(button="right")
    expect(page.locator(".cell.flag")).to_have_count(1)
    # This is true no matter how busy the page is between the two clicks.
    page.evaluate(
        """() => document.addEventListener("pointerup", () => {
            const until = performance.now() + 500;
            while (performance.now() < until);
        }, { once: true })"""
    )
    cell(page, 4, 6).dblclick()
    page.wait_for_selector("body[data-status=playing], body[data-status=won]")
    page.reload()
    page.wait_for_selector("[role=gridcell]")
    assert page.locator("#double").is_checked()


@pytest.mark.slow
@on_both
def test_the_wave_ends_and_can_be_turned_off(visit: Visit) -> None:
    """For a few frames, flooded cells look closed although they are open."""
    page = visit("#rules=classic&level=intermediate&first_click=opening")
    expect(page.locator("[role=gridcell]")).to_have_count(256)
    page.evaluate(
        """() => {
            window.waved = [];
            new MutationObserver((changes) => {
                for (const { target } of changes)
                    if (target.classList.contains("wave")) window.waved.push(target.className);
            }).observe(document.querySelector("#grid"), {
                subtree: true, attributeFilter: ["class"] });
        }"""
    )
    open_cell(page, 8, 8)
    expect(page.locator(".cell.wave")).to_have_count(0)
    waved = page.evaluate("window.waved.splice(0)")
    assert waved
    assert all("open" in classes for classes in waved)
    page.click("summary:has-text('Language and sound')")
    page.select_option("#animation", "off")
    page.keyboard.press("n")
    page.wait_for_selector("body[data-status=ready]")
    open_cell(page, 8, 8)
    assert page.evaluate("window.waved") == []


RULES = ["classic", "windows-xp", "no-guess", "fair", "kaboom", "kind"]


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_no_mine_reaches_the_browser_before_the_end_under(
    new_context: Callable[..., BrowserContext], server: Server, rules: str
) -> None:
    """In a whole game with all help on, no message before the end contains a mine or the seed."""
    page = new_context().new_page()
    frames: list[dict[str, Any]] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: frames.append(json.loads(text)))

    page.on("websocket", listen)
    page.goto(server.url)
    page.select_option("#rules", rules)
    page.click("text=Assisted")
    if rules == "kaboom":
        page.click("summary:has-text('View')")
        page.check("#debug")
    if rules == "fair":
        page.check("#show-states")
    open_cell(page, 4, 4)
    if status(page) == "playing":
        page.keyboard.press("h")
        expect(page.locator("#card")).to_be_visible()
    end = play_on(page, 10)
    if rules in ("no-guess", "fair", "kind"):
        assert end == "won", status_line(page)
    page.wait_for_function("() => document.querySelector('#tally').textContent")
    kinds = {frame["type"] for frame in frames}
    assert {"welcome", "delta"} <= kinds
    over = False
    for frame in frames:
        game = {**frame, **frame.get("game", {})}
        if "status" in game:
            over = game["status"] in ("won", "lost")
        if over:
            continue
        assert frame["type"] != "review"
        assert {"mined", "clear", "board"}.isdisjoint(frame) or frame["type"] == "overlay"
        assert game.get("seed") is None
        shown = {char for _, char in frame.get("cells", [])} | set("".join(game.get("rows", [])))
        assert shown <= set(".F?012345678")
