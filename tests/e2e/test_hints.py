"""A hint names the numbers that prove it, and rings them."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from e2e.hand import cell, open_cell

Visit = Callable[..., Page]


def test_a_hint_rings_the_numbers_that_prove_it(visit: Visit) -> None:
    """In words on the card, in rings on the board; both go with the next move, and with Esc."""
    page = visit("#rules=classic&size=3x3:1&position=c111000")
    page.wait_for_selector("body[data-status=playing]")
    for _ in range(2):
        page.keyboard.press("h")
        expect(page.locator("#card h2")).to_have_text("Row 1, column 1 is safe")
        expect(page.locator("#card p")).to_have_text(
            "The mine around the 1 at row 2, column 3 lies in cells that the 1 at row 2, column 2 "
            "touches as well. So the 1 at row 2, column 2 has no mine left for its other cells. "
            "Two cells are proved safe."
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
