"""Bots on the play page, and risk classes for an assisted player."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.hand import cell, choose, name, names, open_cell, position, round_trip, status, status_line
from e2e.running import Server
from sapper.solver import analyze
from support.marks import slow

Visit = Callable[..., Page]

_OVER = "body[data-status=won], body[data-status=lost]"
_PACES = 7


def automatic(visit: Visit, bot: str = "exact", level: str = "beginner") -> Page:
    """A play page on which a bot is ready to play."""
    page = visit()
    choose(page, level)
    return choose_bot(page, bot)


def choose_bot(page: Page, bot: str) -> Page:
    """Choose a bot without starting it."""
    page.click("#mode >> text=Automatic")
    expect(page.locator("#automatic")).to_be_visible()
    page.select_option("#bot", bot)
    return page


def pace(page: Page, step: int) -> None:
    """Set the speed slider to a step; 0 is the slowest."""
    page.locator("#pace").fill(str(step))
    page.locator("#pace").blur()


def opened(page: Page) -> int:
    """Return the number of open or flagged cells."""
    return sum(shown != "unopened" for row in names(page) for shown in row)


@pytest.mark.parametrize("bot", ["exact", slow("groups"), slow("swift"), slow("kaboom-sat")])
def test_every_bot_plays_a_game_to_its_end(visit: Visit, bot: str) -> None:
    """The log gives each choice's reason and risk; no best time is recorded."""
    page = automatic(visit, bot)
    expect(page.locator("#bot-note")).not_to_be_empty()
    pace(page, _PACES)
    page.click("#play")
    page.wait_for_selector(_OVER)
    expect(page.locator("#play")).to_contain_text("Play")
    expect(page.locator("#bot-state")).to_have_text(
        re.compile(rf"^{int(status(page) == 'won')} of 1 won · thought for \d+\.\d{{3}} s$")
    )
    lines = page.locator("#bot-log li")
    assert lines.count() >= 1
    for line in lines.all():
        number, by, does, risk = line.locator("span").all_inner_texts()
        assert number.isdigit()
        assert by not in ("", "no reason given")
        assert does.startswith(("opens", "flags"))
        assert re.fullmatch(r"no risk|(guess|risk) \d+(\.\d)? %|blind guess|no estimate", risk)
    if status(page) == "won":
        assert re.search(r"won after thinking for [\d.]+ s: 3BV \d+\.", status_line(page))
    else:
        assert page.locator(".cell.hit").count() == 1
    assert page.locator("#bot-problem").is_hidden()


@pytest.mark.slow
def test_pause_step_and_resume(visit: Visit) -> None:
    """A paused board does not change; a step plays one action, and P resumes."""
    # The bot wins this game, so there are enough steps.
    page = choose_bot(visit("#level=expert&rules=classic&first_click=safe&seed=17"), "autosweeper")
    expect(page.locator("[role=gridcell]")).to_have_count(480)
    pace(page, 0)
    page.keyboard.press("p")
    page.wait_for_selector("body[data-status=playing]")
    expect(page.locator("#play")).to_contain_text("Pause")
    page.keyboard.press("p")
    expect(page.locator("#play")).to_contain_text("Play")
    before = names(page)
    round_trip(page)
    assert names(page) == before
    # The next action is ringed, then played.
    for _ in range(6):
        expect(page.locator(".cell.picked, .cell.marking")).not_to_have_count(0)
        shown = names(page)
        page.keyboard.press("s")
        page.wait_for_function(
            "before => JSON.stringify([...document.querySelectorAll('[role=row]')]"
            ".map(row => [...row.children].map(cell => cell.getAttribute('aria-label')"
            ".split(', ').slice(2).join(', ')))) !== JSON.stringify(before)",
            arg=shown,
        )
    assert status(page) == "playing"
    pace(page, _PACES)
    page.keyboard.press("p")
    page.wait_for_selector(_OVER)


def test_a_click_pauses_the_bot(visit: Visit) -> None:
    """A click while the bot plays opens nothing; afterwards, the player can move."""
    page = automatic(visit, level="expert")
    pace(page, 0)
    page.click("#play")
    page.wait_for_selector("body[data-status=playing]")
    # The bot will not reach this corner in its next moves.
    assert name(page, 15, 29) == "unopened"
    cell(page, 15, 29).click()
    expect(page.locator("#status")).to_have_text(re.compile("The bot is paused"))
    expect(page.locator("#play")).to_contain_text("Play")
    assert name(page, 15, 29) == "unopened"
    hidden = next(c for c in position(page, 99).unopened_cells())
    cell(page, *hidden).click(button="right")
    expect(page.locator(".cell.flag")).to_have_count(1)
    assert name(page, *hidden) == "flag"


@pytest.mark.slow
def test_modes_change_at_any_moment(visit: Visit) -> None:
    """The bot and the player can take turns in one game; the timer includes both."""
    page = automatic(visit, level="intermediate")
    pace(page, 0)
    page.click("#play")
    page.wait_for_selector("body[data-status=playing]")
    page.click("#mode >> text=Assisted")
    expect(page.locator("#automatic")).to_be_hidden()
    round_trip(page)
    shown = opened(page)
    expect(page.locator("#time")).not_to_have_attribute("aria-label", re.compile("^Seconds: [01]$"))
    assert opened(page) == shown
    page.click("#mode >> text=Automatic")
    # The bot thinks for milliseconds or, on a very busy machine, for a second.
    expect(page.locator("#time")).to_have_attribute("aria-label", re.compile("^Seconds: [01]$"))
    pace(page, _PACES)
    page.click("#play")
    page.wait_for_selector(_OVER)


def test_loop_keeps_playing_and_counts(visit: Visit) -> None:
    """The bot plays one game after another until it is paused."""
    page = automatic(visit)
    page.check("#loop")
    pace(page, _PACES)
    page.click("#play")
    expect(page.locator("#bot-state")).to_have_text(re.compile(r"of ([2-9]|\d\d+) won"))
    page.click("#play")
    expect(page.locator("#play")).to_contain_text("Play")


def test_bots_play_without_their_panel(visit: Visit) -> None:
    """If its script cannot be loaded, the keys still work, and the next game tries again."""
    page = visit("#level=9x9:10&rules=classic")
    page.route("**/assets/index.bot-panel-*", lambda route: route.abort())
    page.click("#mode >> text=Automatic")
    expect(page.locator("#status")).to_contain_text("A part of this page could not be loaded.")
    expect(page.locator("#automatic")).to_be_hidden()
    page.keyboard.press("s")
    page.wait_for_selector("body:not([data-status=ready])")
    page.unroute("**/assets/index.bot-panel-*")
    page.keyboard.press("n")
    page.wait_for_selector("body[data-status=ready]")
    expect(page.locator("#bot-note")).not_to_be_empty()
    page.keyboard.press("s")
    expect(page.locator("#bot-log li")).not_to_have_count(0)


@pytest.mark.slow
def test_two_windows_agree_and_a_reload_pauses(visit: Visit, server: Server) -> None:
    """Two windows show the same game; a reload keeps the board, the bot and the log."""
    page = automatic(visit, "groups", "expert")
    second = page.context.new_page()
    second.goto(server.url)
    expect(second.locator("#bot")).to_have_value("groups")
    page.bring_to_front()
    pace(page, 0)
    page.click("#play")
    expect(second.locator("#play")).to_contain_text("Pause")
    second.close()
    # On a busy machine, the game may be lost before this window draws it.
    page.wait_for_selector("body:not([data-status=ready])")
    page.reload()
    expect(page.locator("#play")).to_contain_text("Play")
    expect(page.locator("#bot")).to_have_value("groups")
    assert page.locator("#bot-log li").count() >= 1
    assert page.locator(".cell.open").count() >= 1


@pytest.mark.slow
def test_phone_has_controls_below_the_board(visit: Visit) -> None:
    """The play and step buttons replace the tap controls below the board."""
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True)
    page.tap("#sheet")
    page.tap("#mode >> text=Automatic")
    expect(page.locator("#thumb-step")).to_be_visible()
    page.locator("#scrim").tap(position={"x": 200, "y": 60})
    page.tap("#thumb-step")
    page.wait_for_selector("body[data-status=playing], body[data-status=won]")
    assert page.locator("#flag-mode").is_hidden()
    # On a panning board, the view follows the bot.
    page.keyboard.press("n")
    page.wait_for_selector("body[data-status=ready]")
    choose(page, "expert")
    page.tap("#sheet")
    page.select_option("#bot", "autosweeper")
    page.locator("#scrim").tap(position={"x": 200, "y": 60})
    page.evaluate("() => document.querySelector('#well').scrollTo(9999, 0)")
    page.tap("#thumb-step")
    page.wait_for_selector("body[data-status=playing]")
    page.wait_for_function("() => document.querySelector('#well').scrollLeft < 100")
    assert "sheet-open" not in (page.locator("body").get_attribute("class") or "")


@pytest.mark.slow
def test_risks_are_shown_in_classes_and_the_overlay_is_switched_by_a_key(visit: Visit) -> None:
    """Only frontier cells have a risk class; A toggles the overlay."""
    page = visit("#level=expert&rules=classic&seed=5")
    open_cell(page, 8, 15)
    page.keyboard.press("a")
    expect(page.locator("#status")).to_contain_text("Assisted mode")
    page.click("#mode >> text=Assisted")
    page.wait_for_selector(".cell.heat")
    page.click("#overlay >> text=Risks")
    expect(page.locator("#legend")).to_contain_text("high ≥ 1/3")
    expect(page.locator(".cell.heat")).to_have_count(0)
    page.wait_for_selector(".cell.state")
    found = analyze(position(page, 99))
    shape = found.position.topology
    for at in found.position.unopened_cells():
        p = float(found.p_mine[at])
        risk = "high" if p >= 1 / 3 - 1e-4 else "medium" if p >= 1 / 5 - 1e-4 else "low"
        expected = "safe" if at in found.safe else "danger" if at in found.mined else risk
        look = (cell(page, *at).get_attribute("class") or "").split()
        if all(found.position.number(near) is None for near in shape.neighbours(at)):
            assert not {"state", "low", "medium", "high"} & set(look)
            continue
        assert expected in look
        description = {"safe": "proved safe", "danger": "proved mine"}.get(expected, f"{risk} risk")
        assert (cell(page, *at).get_attribute("aria-description") or "").startswith(description)
    page.keyboard.press("a")
    expect(page.locator("#overlay input:checked")).to_have_value("none")
    expect(page.locator(".cell.state")).to_have_count(0)
    page.keyboard.press("a")
    expect(page.locator("#overlay input:checked")).to_have_value("risks")
    expect(page.locator(".cell.state").first).to_be_visible()
