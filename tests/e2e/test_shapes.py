"""Boards of other shapes than rectangles in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.hand import cell, name, names, open_cell, round_trip, status
from sapper import Position
from sapper._grid import DIGITS
from sapper.solver import analyze
from sapper.topology import TOPOLOGIES
from support.marks import slow

Visit = Callable[..., Page]

MINES = 8


def seen(page: Page, shape: str) -> Position:
    """The position that the page shows."""
    chars = {"unopened": ".", "flag": "F", **{str(n): char for n, char in enumerate(DIGITS)}}
    rows = ["".join(chars[shown] for shown in row) for row in names(page)]
    return Position.parse("\n".join([f"topology: {shape}", *rows]), MINES)


@pytest.mark.parametrize(
    "shape", ["hexagon", *map(slow, sorted(set(TOPOLOGIES) - {"rectangle", "hexagon"}))]
)
def test_a_game_is_played_to_its_end(visit: Visit, shape: str) -> None:
    """By clicks on the middle of cells: every one hits the cell that is meant, and all fits."""
    page = visit()
    page.select_option("#topology", shape)
    expect(page.locator("#topology-note")).to_have_text(str(TOPOLOGIES[shape].summary))
    page.check("#level [value=custom]")
    for field, value in (("width", 8), ("height", 7), ("mines", MINES)):
        page.fill(f"#custom-{field}", str(value))
    page.press("#custom-mines", "Enter")
    expect(page.locator("[role=gridcell]")).to_have_count(56)
    open_cell(page, 3, 3)
    while status(page) == "playing":
        position = seen(page, shape)
        found = analyze(position)
        hidden = position.unopened_cells()
        row, col = min(hidden, key=lambda at: found.p_mine[at])
        open_cell(page, row, col)
        round_trip(page)
    assert status(page) in ("won", "lost")
    page.goto(page.url.split("#")[0] + "review")
    expect(page.locator("[role=gridcell]")).to_have_count(56)
    square = TOPOLOGIES[shape](8, 7).tile(0, 0).is_square
    expect(page.locator(".grid[data-tiling]")).to_have_count(0 if square else 1)


def test_a_chord_sinks_the_neighbours_across_the_edge_of_a_torus(visit: Visit) -> None:
    """And the keyboard goes over the edge, where those neighbours light up."""
    page = visit("#level=8x8:4/torus")
    expect(page.locator(".grid[data-wraps='rows columns']")).to_be_visible()
    cell(page, 0, 0).focus()
    page.keyboard.press("ArrowUp")
    expect(cell(page, 7, 0)).to_be_focused()
    expect(page.locator(".cell.across")).to_have_count(5)
    assert name(page, 7, 0) == "unopened"
