"""The effects of mouse buttons, touches and keys on a cell."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.hand import cell, choose, name, open_cell, position, round_trip, status, still
from e2e.static_site import on_both, on_both_slowly
from sapper.solver import analyze
from support.marks import slow

Visit = Callable[..., Page]


def counter(page: Page) -> str:
    """Return the text of the mine counter."""
    label = page.locator("#mines").get_attribute("aria-label")
    assert label is not None
    return label.removeprefix("Mines left: ")


@on_both
def test_right_click_flags_and_the_counter_goes_below_zero(visit: Visit) -> None:
    """With one flag more than there are mines, the counter shows -01."""
    page = visit()
    for col in range(9):
        cell(page, 0, col).click(button="right")
    cell(page, 1, 0).click(button="right")
    expect(page.locator("#mines")).to_have_attribute("aria-label", "Mines left: 0")
    cell(page, 1, 1).click(button="right")
    expect(page.locator("#mines")).to_have_attribute("aria-label", "Mines left: -1")
    assert page.evaluate("() => document.querySelector('#mines').text") == "-01"
    cell(page, 1, 1).click(button="right")
    expect(page.locator("#mines")).to_have_attribute("aria-label", "Mines left: 0")


@on_both_slowly
def test_a_flag_protects_its_cell(visit: Visit) -> None:
    """A left click on a flag opens nothing."""
    page = visit()
    cell(page, 4, 4).click(button="right")
    expect(cell(page, 4, 4)).to_have_attribute("aria-label", "row 5, column 5, flag")
    cell(page, 4, 4).click()
    round_trip(page)
    assert name(page, 4, 4) == "flag"
    assert status(page) == "ready"


@pytest.mark.parametrize("visit", [slow("server"), "site"], indirect=True)
def test_question_marks_follow_flags_if_enabled(visit: Visit) -> None:
    """With question marks on, right clicks cycle through flag, question mark and nothing."""
    page = visit()
    page.click("summary:has-text('Controls')")
    page.check("#questions")
    for shown in ("flag", "question mark", "unopened"):
        cell(page, 2, 3).click(button="right")
        expect(cell(page, 2, 3)).to_have_attribute("aria-label", f"row 3, column 4, {shown}")


@on_both
def test_a_click_on_a_number_chords(visit: Visit) -> None:
    """A left or middle click on a number with all its flags opens its other neighbours."""
    page = visit()
    for button in ("left", "middle"):
        for _ in range(20):
            open_cell(page, 4, 4)
            seen = position(page, 10)
            found = analyze(seen)
            chords = [
                at
                for at in seen.topology.cells()
                if (number := seen.number(at))
                and sum(c in found.mined for c in seen.topology.neighbours(at)) == number
                and any(c in found.safe for c in seen.topology.neighbours(at))
            ]
            if chords and status(page) == "playing":
                break
            page.keyboard.press("n")
            page.wait_for_selector("body[data-status=ready]")
        around = seen.topology.neighbours(chords[0])
        cell(page, *chords[0]).click(button=button)
        expect(page.locator("#status")).to_contain_text("To chord, first flag")
        for mine in (c for c in around if c in found.mined):
            cell(page, *mine).click(button="right")
        cell(page, *chords[0]).click(button=button)
        expect(page.locator("#status")).to_contain_text("opened.")
        assert all(name(page, *c) != "unopened" for c in around)
        page.click("#new")
        page.wait_for_selector("body[data-status=ready]")


@on_both_slowly
def test_cells_sink_while_pressed_and_release_elsewhere_does_nothing(visit: Visit) -> None:
    """Pressing sinks a cell and changes the smiley; releasing off the board opens nothing."""
    page = visit()
    cell(page, 4, 4).hover()
    page.mouse.down()
    assert page.locator(".cell.down").count() == 1
    assert page.locator("smiley-face").get_attribute("data-mood") == "pressing"
    page.mouse.move(5, 5)
    assert page.locator(".cell.down").count() == 0
    page.mouse.up()
    round_trip(page)
    assert status(page) == "ready"
    assert page.locator("smiley-face").get_attribute("data-mood") == "neutral"


@pytest.mark.slow
@on_both
def test_a_chord_press_sinks_the_neighbours(visit: Visit) -> None:
    """Pressing a number sinks its unopened neighbours, except flags."""
    page = visit()
    open_cell(page, 4, 4)
    seen = position(page, 10)
    at = next(
        at
        for at in seen.topology.cells()
        if seen.number(at) and any(seen.is_unopened(c) for c in seen.topology.neighbours(at))
    )
    closed = [c for c in seen.topology.neighbours(at) if seen.is_unopened(c)]
    cell(page, *at).hover()
    page.mouse.down()
    assert page.locator(".cell.down").count() == len(closed)
    page.mouse.up()


@on_both
def test_a_long_press_flags_and_a_tap_opens(visit: Visit) -> None:
    """A long press flags; with the large switch on, a tap flags."""
    page = visit(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    box = cell(page, 0, 0).bounding_box()
    assert box is not None
    touch = page.context.new_cdp_session(page)
    at = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at})
    expect(cell(page, 0, 0)).to_have_attribute("aria-label", "row 1, column 1, flag")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    round_trip(page)
    assert name(page, 0, 0) == "flag"
    page.tap("#flag-mode")
    cell(page, 0, 1).tap()
    expect(cell(page, 0, 1)).to_have_attribute("aria-label", "row 1, column 2, flag")
    page.tap("#flag-mode")
    cell(page, 4, 4).tap()
    page.wait_for_selector("body[data-status=playing]")


@on_both
def test_hint_highlights_a_safe_cell(visit: Visit) -> None:
    """H works before and after the first click, and the suggested cell is safe."""
    page = visit()
    page.keyboard.press("h")
    expect(page.locator("#card")).to_contain_text("good start")
    open_cell(page, 4, 4)
    # The page asks first, because the game will no longer count.
    page.keyboard.press("h")
    page.keyboard.press("h")
    expect(page.locator(".cell.hinted")).to_have_count(1)
    hinted = page.locator(".cell.hinted")
    at = (int(hinted.get_attribute("data-row") or 0), int(hinted.get_attribute("data-col") or 0))
    found = analyze(position(page, 10))
    words = page.locator("#card h2").inner_text()
    assert words.startswith(f"Row {at[0] + 1}, column {at[1] + 1} is ")
    assert ("safe" in words) == (at in found.safe)
    page.keyboard.press("Escape")
    assert page.locator("#card").is_hidden()
    assert page.locator(".cell.hinted").count() == 0


@pytest.mark.slow
@on_both
def test_new_settings_wait_for_the_next_game(visit: Visit) -> None:
    """New settings do not change a running game; the panel lists them, and N applies them."""
    page = visit()
    open_cell(page, 4, 4)
    page.select_option("#first_click", "any")
    expect(page.locator("#pending")).to_contain_text("Changed for the next game: first click")
    assert status(page) == "playing"
    page.click("#apply")
    page.wait_for_selector("body[data-status=ready]")
    assert page.locator("#pending").is_hidden()


@on_both_slowly
def test_custom_level_is_validated(visit: Visit) -> None:
    """Errors are shown below the fields, one at a time; valid input creates the board."""
    page = visit()
    page.check("#level [value=custom]")
    expect(page.locator("#custom-width")).to_be_focused()
    page.fill("#custom-width", "0")
    page.press("#custom-width", "Tab")
    # There is no error yet, because two fields are still empty.
    assert page.locator("#custom-error").is_hidden()
    page.press("#custom-height", "Tab")
    page.fill("#custom-mines", "500")
    page.press("#custom-mines", "Enter")
    error = page.locator("#custom-error")
    expect(error).to_have_text(re.compile(r"Columns must be a whole number from 1 to [\d,]+\."))
    page.fill("#custom-width", "12")
    page.press("#custom-width", "Enter")
    expect(error).to_have_text(
        "Mines must be a whole number from 0 to 99 on 12×9: the first click needs 9 cells without "
        "mines."
    )
    expect(page.locator("#custom-mines")).to_have_attribute("aria-invalid", "true")
    page.fill("#custom-mines", "20")
    page.press("#custom-mines", "Enter")
    expect(page.locator('[role="gridcell"]')).to_have_count(12 * 9)
    assert error.is_hidden()
    assert page.locator("#custom-note").is_hidden()


@pytest.mark.slow
def test_custom_level_names_the_limit_of_a_rule_set(visit: Visit) -> None:
    """Rule sets that move mines are limited to smaller boards."""
    page = visit()
    page.check("#level [value=custom]")
    page.select_option("#rules", "kind")
    expect(page.locator("#custom-note")).to_contain_text("Up to 10,000 cells")


@pytest.mark.slow
@on_both
def test_density_level_is_played(visit: Visit) -> None:
    """Sliders and lists change the board directly, and the mine total stays hidden."""
    page = visit()
    page.check("#level [value=custom]")
    page.check("#by-density")
    expect(page.locator("#mines")).to_have_attribute("aria-label", "Mines left: not known")
    page.locator("#slide-width").fill("16")
    expect(page.locator('[role="gridcell"]')).to_have_count(16 * 9)
    page.locator("#slide-density").fill("15.5")
    expect(page.locator("#slide-density-text")).to_have_text("15.5 %")
    page.wait_for_function("() => location.hash.includes('16x9@0.155')")
    page.select_option("#dense-level", label="21 %, like Expert")
    page.select_option("#dense-size", "16x16")
    page.wait_for_function("() => location.hash.includes('16x16@0.21')")
    expect(page.locator("#slide-width-text")).to_have_text("16")
    page.select_option("#dense-level", label="12 %, like Beginner")
    page.wait_for_function("() => location.hash.includes('16x16@0.12')")
    open_cell(page, 4, 4)
    page.click("#mode >> text=Assisted")
    page.wait_for_selector(".cell.heat, .cell.state")


@pytest.mark.slow
@on_both
def test_click_on_a_half_hidden_cell_hits_that_cell(visit: Visit) -> None:
    """Scrolling a cell into view must not move another one under the pointer."""
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    choose(page, "expert")
    still(page)
    well = page.locator("#well").bounding_box()
    assert well is not None
    x, y = well["x"] + well["width"] - 8, well["y"] + 100
    at = page.evaluate(
        "([x, y]) => { const { row, col } = document.elementFromPoint(x, y).dataset;"
        " return [Number(row), Number(col)]; }",
        [x, y],
    )
    page.touchscreen.tap(x, y)
    page.wait_for_selector("body[data-status=playing]")
    assert name(page, *at) == "0"
