"""Hints name and ring the numbers that prove them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.hand import cell, open_cell
from e2e.static_site import on_both_slowly

Visit = Callable[..., Page]

_THREE_STEPS = "#rules=classic&size=6x4:6&position=012c02a43202a22a01112a"
_RISKIER = "#rules=classic&size=5x5:6&position=0111002a2013a31b3be"
_COIN = "#rules=classic&size=2x2:1&position=b11"
_PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def _marked(page: Page, kind: str) -> list[tuple[int, int]]:
    """Return the row and column, from 1, of each cell that has a class."""
    found = page.locator(f"#grid .cell.{kind}").evaluate_all(
        "cells => cells.map(cell => [+cell.dataset.row + 1, +cell.dataset.col + 1])"
    )
    return [(row, col) for row, col in found]


def _expect_steps(page: Page, go_on: Callable[[], object]) -> None:
    """Walk once through the proof of `_THREE_STEPS`, from its hint and back."""
    title, text = page.locator("#card h2"), page.locator("#card p")
    expect(title).to_have_text("Row 1, column 6 is safe")
    go_on()
    expect(title).to_have_text("Step 1 of 3")
    expect(text).to_have_text(
        "The 4 at row 2, column 4 needs four mines and has only four cells left, so "
        "row 1, column 4, row 1, column 5, row 2, column 3 and row 3, column 3 are mines."
    )
    mines = [(1, 4), (1, 5), (2, 3), (3, 3)]
    assert (_marked(page, "proving"), _marked(page, "concluded")) == ([(2, 4)], mines)
    assert _marked(page, "danger") == mines
    go_on()
    expect(title).to_have_text("Step 2 of 3")
    assert _marked(page, "concluded") == [(3, 6), (4, 6)]
    assert _marked(page, "danger") == [*mines, (3, 6), (4, 6)]
    go_on()
    expect(title).to_have_text("Step 3 of 3")
    expect(text).to_have_text(
        "The 2 at row 2, column 6 already has its mines, so row 1, column 6 is clear. "
        "Open row 1, column 6."
    )
    assert (_marked(page, "safe"), _marked(page, "hinted")) == ([(1, 6)], [(1, 6)])
    go_on()
    expect(title).to_have_text("Row 1, column 6 is safe")
    assert _marked(page, "danger") == []


def test_a_hint_rings_the_numbers_that_prove_it(visit: Visit) -> None:
    """The card names the numbers, and the board rings them until the next move or Esc."""
    page = visit("#rules=classic&size=3x3:1&position=c111000")
    page.wait_for_selector("body[data-status=playing]")
    for _ in range(2):
        page.keyboard.press("h")
        expect(page.locator("#card h2")).to_have_text("Row 1, column 1 is safe")
        expect(page.locator("#card p")).to_have_text(
            "1-1 at the wall. The mine around the 1 at row 2, column 3 lies in cells that the 1 at "
            "row 2, column 2 also touches. So the 1 at row 2, column 2 has no mine left for its "
            "other cells. Two cells are proved safe."
        )
        expect(page.locator(".cell.proving")).to_have_count(2)
        for col in (1, 2):
            assert "proving" in (cell(page, 1, col).get_attribute("class") or "")
        page.keyboard.press("Escape")
        expect(page.locator(".cell.proving")).to_have_count(0)
    page.keyboard.press("h")
    expect(page.locator(".cell.proving")).to_have_count(2)
    open_cell(page, 0, 0)
    expect(page.locator(".cell.proving")).to_have_count(0)


def test_h_again_walks_through_the_proof(visit: Visit) -> None:
    """Each press of H shows a step, its numbers and its cells; opening the cell ends the hint."""
    page = visit(_THREE_STEPS)
    page.wait_for_selector("body[data-status=playing]")
    page.keyboard.press("h")
    _expect_steps(page, lambda: page.keyboard.press("h"))
    page.keyboard.press("h")
    expect(page.locator("#status")).to_contain_text("Step 1 of 3: The 4 at row 2, column 4")
    page.keyboard.press("Enter")
    page.wait_for_selector("#card", state="hidden")
    for kind in ("proving", "concluded", "danger", "hinted"):
        expect(page.locator(f"#grid .cell.{kind}")).to_have_count(0)


@pytest.mark.slow
def test_the_button_of_a_hint_walks_through_the_proof_on_a_phone(visit: Visit) -> None:
    """On a phone, the cells of each step stay visible above the bar."""
    page = visit(_THREE_STEPS, **_PHONE)
    page.wait_for_selector("body[data-status=playing]")
    page.tap("#thumb-hint")

    def go_on() -> None:
        page.tap("#card .choices button")
        bar = page.locator("#reason").bounding_box()
        assert bar
        for marked in page.locator(".hinted, .proving, .concluded").all():
            box = marked.bounding_box()
            assert box
            assert box["y"] + box["height"] <= bar["y"]

    _expect_steps(page, go_on)


@on_both_slowly
def test_a_guess_shows_two_boards_that_fit(visit: Visit) -> None:
    """One board has a mine in the cell, the other does not; Esc or another card hides them."""
    page = visit(_COIN)
    page.wait_for_selector("body[data-status=playing]")
    page.click("#mode >> text=Assisted")
    expect(page.locator(".cell.heat")).to_have_count(2)
    page.locator("#grid").get_by_role("gridcell").first.focus()
    page.keyboard.press("h")
    expect(page.locator("#card h2")).to_have_text("Row 1, column 1 is the best guess: 50.0 %")
    for ghost, what in (((1, 1), "a mine"), ((1, 2), "clear")):
        page.keyboard.press("h")
        expect(page.locator("#card p")).to_contain_text(f"Row 1, column 1 is {what} here")
        assert _marked(page, "ghost") == [ghost]
        assert _marked(page, "asked") == [(1, 1)]
        assert _marked(page, "heat") == []
    small = page.locator("#card .small-board")
    expect(small).to_have_count(2)
    assert [board.locator(".mine").count() for board in small.all()] == [1, 1]
    assert small.locator(".asked.mine").count() == 1
    page.locator(".ways button").first.click()
    assert _marked(page, "ghost") == [(1, 1)]
    page.locator(".ways button").last.click()
    assert _marked(page, "ghost") == [(1, 2)]
    page.locator("#card .choices button").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#card h2")).to_have_text("Row 1, column 1 is the best guess: 50.0 %")
    assert (_marked(page, "ghost"), len(_marked(page, "heat"))) == ([], 2)
    page.keyboard.press("Enter")
    assert _marked(page, "ghost") == [(1, 1)]
    page.keyboard.press("Escape")
    expect(page.locator("#card")).to_be_hidden()
    assert (_marked(page, "ghost"), _marked(page, "asked")) == ([], [])
    assert len(_marked(page, "heat")) == 2
    page.keyboard.press("h")
    expect(page.locator("#card h2")).to_have_text("Row 1, column 1 is the best guess: 50.0 %")
    page.keyboard.press("h")
    page.keyboard.press("?")
    expect(page.locator("#card h2")).to_have_text("How to play")
    assert (_marked(page, "ghost"), len(_marked(page, "heat"))) == ([], 2)


@on_both_slowly
def test_a_riskier_cell_that_wins_more_often_has_the_least_risky_one_beside_it(
    visit: Visit,
) -> None:
    """The card shows the risk and win chance of both cells; the less risky one is outlined."""
    page = visit(_RISKIER)
    page.wait_for_selector("body[data-status=playing]")
    page.keyboard.press("h")
    expect(page.locator("#card h2")).to_contain_text("is the best guess")
    text = page.locator("#card p")
    expect(text).to_contain_text("No cell is safe. This one wins most often:")
    expect(text).to_contain_text("is less risky (")
    expect(text).to_contain_text("but wins only")
    [rival], [hinted] = _marked(page, "rival"), _marked(page, "hinted")
    assert rival != hinted
    assert f"Row {rival[0]}, column {rival[1]} is less risky" in text.inner_text()
    page.keyboard.press("Escape")
    assert _marked(page, "rival") == []
