"""Clicks stay fast on boards of up to 10,000 cells, which are made of elements."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import sapper

Visit = Callable[..., Page]

_LEVEL = "100x100:500"
_SETTINGS = "&rules=classic&first_click=opening&win=open&chord=exact&seed=3"

# Runs in the page and uses the cells' classes to record the first frame of a flood.
_FIRST_FRAME = """() => {
  const grid = document.querySelector("#grid");
  const well = document.querySelector("#well").getBoundingClientRect();
  const seen = (cell) => {
    const box = cell.getBoundingClientRect();
    return box.bottom > well.top && box.top < Math.min(well.bottom, innerHeight)
      && box.right > well.left && box.left < Math.min(well.right, innerWidth);
  };
  new MutationObserver((changes, watch) => {
    if (changes.length < 400) return;
    watch.disconnect();
    window.first = [...grid.querySelectorAll("[role=gridcell]")].map((cell) => ({
      open: cell.classList.contains("open"), seen: seen(cell),
      wave: cell.classList.contains("wave") }));
  }).observe(grid, { subtree: true, attributeFilter: ["class"] });
}"""


@pytest.mark.slow
def test_a_large_flood_shows_the_cells_in_view_first(visit: Visit) -> None:
    """The first frame opens the visible cells without a wave, the next one the rest."""
    page = visit(f"#level={_LEVEL}{_SETTINGS}")
    expect(page.locator("[role=gridcell]")).to_have_count(10_000)
    twin = sapper.Game(
        _LEVEL, rules="classic", first_click="opening", win="open", chord="exact", seed=3
    )
    twin.open(sapper.Cell(10, 10))
    closed = {cell.row * 100 + cell.col for cell in twin.position.unopened_cells()}
    opened = set(range(10_000)) - closed
    page.evaluate(_FIRST_FRAME)
    page.click('[data-row="10"][data-col="10"]')
    expect(page.locator("#grid .cell.open")).to_have_count(len(opened))
    first = page.evaluate("window.first")
    assert {i for i, cell in enumerate(first) if cell["open"]} == {
        i for i in opened if first[i]["seen"]
    }
    assert any(not first[i]["seen"] for i in opened)
    assert not any(cell["wave"] for cell in first)
    names = page.evaluate(
        "[...document.querySelectorAll('#grid [role=gridcell]')].map(e => e.ariaLabel)"
    )
    assert {i for i, name in enumerate(names) if not name.endswith("unopened")} == opened


def test_only_the_cursor_cell_has_a_ring(visit: Visit) -> None:
    """Keys show the ring and the mouse hides it; only the cursor's cell has its attribute."""
    page = visit(f"#level={_LEVEL}{_SETTINGS}")
    expect(page.locator("[role=gridcell]")).to_have_count(10_000)
    page.focus("#grid [tabindex='0']")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    cursor = page.locator("#grid [data-cursor]")
    expect(cursor).to_have_count(1)
    expect(cursor).to_be_focused()
    expect(cursor).to_have_css("outline-style", "solid")
    page.locator("#grid").dispatch_event("pointerdown")
    expect(cursor).to_have_css("outline-style", "none")
    # With a class selector, changing the grid's attribute would restyle all 10,000 cells.
    rules = page.evaluate(
        """() => [...document.styleSheets].flatMap(s => [...s.cssRules]).map(r => r.selectorText)
            .filter(s => s?.includes('[data-cursor="keys"]'))"""
    )
    assert rules
    assert all("[data-cursor]:focus" in rule for rule in rules)
