"""Text on the play page: rules, losses, bots and the status line."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.hand import cell, open_cell
from e2e.static_site import on_both_slowly

Visit = Callable[..., Page]

# One cell is proved safe, so guesses in the first column are needless.
_NEEDLESS = "#rules=kaboom&size=6x4:3&position=00000001110013a200c20a"
_ALONE = "#rules=kaboom&size=5x5:5&position=l1l"


def test_kaboom_describes_fatal_guesses(visit: Visit) -> None:
    """The rule set's description mentions guesses away from the numbers."""
    page = visit()
    page.select_option("#rules", "kaboom")
    expect(page.locator("#rules-note")).to_have_text(
        "A guess next to a number is safe if no safe cell exists; any other guess loses."
    )


@pytest.mark.parametrize(
    ("fragment", "at", "rule"),
    [
        (
            _NEEDLESS,
            (3, 0),
            "although a cell was safe, and Kaboom rules make every needless",
        ),
        (
            _ALONE,
            (0, 0),
            "away from numbers only when all cells next to numbers are mines",
        ),
    ],
    ids=["needless", "off the frontier"],
)
def test_loss_names_the_fatal_rule(
    visit: Visit, fragment: str, at: tuple[int, int], rule: str
) -> None:
    """No loss is called a forced guess or blamed on the lack of a safe cell."""
    page = visit(fragment)
    page.wait_for_selector("body[data-status=playing]")
    cell(page, *at).click()
    page.wait_for_selector("body[data-status=lost]")
    expect(page.locator("#card h2")).to_contain_text("Lost at")
    expect(page.locator("#status")).to_contain_text(rule)
    for text in (page.locator(f"#{one}").inner_text() for one in ("card", "status", "tally")):
        assert "forced" not in text
        assert "no cell was" not in text


@pytest.mark.slow
def test_the_status_line_follows_pause_and_step(visit: Visit) -> None:
    """The status line shows the pause and the next action, and changes with each step."""
    page = visit("#level=expert&rules=classic&first_click=safe&seed=17")
    expect(page.locator("[role=gridcell]")).to_have_count(480)
    page.click("#mode >> text=Automatic")
    page.select_option("#bot", "autosweeper")
    status = page.locator("#status")
    changed = page.locator(".cell.open, .cell.flag")
    for _ in range(4):
        number = changed.count()
        page.keyboard.press("s")
        expect(changed).not_to_have_count(number)
        expect(status).to_contain_text("The bot is paused. Next: ")
    page.locator("#pace").fill("0")
    page.keyboard.press("p")
    expect(status).not_to_contain_text("paused")
    page.keyboard.press("p")
    expect(status).to_contain_text("The bot is paused. Next: ")


@pytest.mark.slow
def test_finished_tally_omits_so_far(visit: Visit) -> None:
    """A running game without guesses shows "no guess so far", a finished one "no guess"."""
    page = visit("#rules=classic&size=3x3:1&position=c111000")
    page.wait_for_selector("body[data-status=playing]")
    page.click("#mode >> text=Assisted")
    open_cell(page, 0, 0)
    expect(page.locator("#tally")).to_have_text("No guess so far")
    cell(page, 0, 2).click()
    page.wait_for_selector("body[data-status=won]")
    expect(page.locator("#tally")).to_have_text("No guesses")


def test_bots_and_switches_have_names_for_people(visit: Visit) -> None:
    """The identifiers of bots and switches appear only in tooltips."""
    page = visit()
    page.select_option("#rules", "kaboom")
    page.click("#mode >> text=Automatic")
    expect(page.locator("#option-guess_anywhere")).to_be_visible()
    expect(page.locator("#bot option")).not_to_have_count(0)
    shown = page.locator("#bot option").all_inner_texts()
    shown += page.locator("#options span").all_inner_texts()
    assert {"Champion", "Kaboom's solver", "Fair's solver"} <= set(shown)
    assert not [text for text in shown if "_" in text.split("\n")[0] or "-sat" in text]
    page.select_option("#bot", "kaboom-sat")
    expect(page.locator("#bot")).to_have_attribute("title", "kaboom-sat")
    expect(page.locator("#option-guess_anywhere").locator("..")).to_have_attribute(
        "title", "guess_anywhere"
    )


@on_both_slowly
def test_levels_stand_over_the_board_and_the_status_right_under_it(visit: Visit) -> None:
    """The levels take up one row, next to New game."""
    page = visit()
    boxes = {
        name: page.locator(name).bounding_box() for name in ("#level", "#new-game", "#console")
    }
    row, button, board = boxes.values()
    assert row
    assert button
    assert board
    assert abs(row["y"] - button["y"]) < row["height"] / 2
    assert row["y"] + row["height"] <= board["y"]
    for label in page.locator("#level label").all():
        assert label.evaluate("e => e.scrollWidth <= e.clientWidth")
    below = page.locator("#status").bounding_box()
    assert below
    assert 0 <= below["y"] - board["y"] - board["height"] <= 16
