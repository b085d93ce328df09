"""Hexagonal, triangular and torus boards in a real browser."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import pairwise

import pytest
from PIL import Image, ImageColor
from playwright.sync_api import Page, expect

from e2e.hand import cell, name, names, open_cell, round_trip, settle, status
from e2e.static_site import on_both_slowly
from sapper import Position
from sapper._grid import DIGITS
from sapper.solver import analyze
from sapper.topology import TOPOLOGIES
from support.marks import slow

Visit = Callable[..., Page]
Point = tuple[float, float]

MINES = 8


def position_of(page: Page, shape: str) -> Position:
    """Return the position that the page shows."""
    chars = {"unopened": ".", "flag": "F", **{str(n): char for n, char in enumerate(DIGITS)}}
    rows = ["".join(chars[shown] for shown in row) for row in names(page)]
    return Position.parse("\n".join([f"topology: {shape}", *rows]), MINES)


@pytest.mark.parametrize(
    "shape", ["hexagon", *map(slow, sorted(set(TOPOLOGIES) - {"rectangle", "hexagon"}))]
)
@on_both_slowly
@pytest.mark.family
def test_a_game_is_played_to_its_end(visit: Visit, shape: str) -> None:
    """A click on the centre of any cell hits it, and everything fits on the screen."""
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
        position = position_of(page, shape)
        found = analyze(position)
        hidden = position.unopened_cells()
        row, col = min(hidden, key=lambda at: found.p_mine[at])
        open_cell(page, row, col)
        round_trip(page)
    assert status(page) in ("won", "lost")
    square = TOPOLOGIES[shape](8, 7).tile(0, 0).is_square
    expect(page.locator(".grid[data-tiling]")).to_have_count(0 if square else 1)


@pytest.mark.parametrize(
    "shape", ["hexagon", *map(slow, sorted(set(TOPOLOGIES) - {"rectangle", "hexagon"}))]
)
def test_a_review_has_the_shape_of_its_game(visit: Visit, shape: str) -> None:
    """The board of the review is drawn with the same tiles."""
    page = visit(f"#rules=classic&size=3x3:1&topology={shape}&position=d1d")
    page.wait_for_selector("body[data-status=playing]")
    cells = page.locator("[role=gridcell].closed")
    while status(page) == "playing":
        cells.first.click()
        settle(page)
    page.goto(page.url.split("#")[0] + "review")
    expect(page.locator("[role=gridcell]")).to_have_count(9)
    square = TOPOLOGIES[shape](3, 3).tile(0, 0).is_square
    expect(page.locator(".grid[data-tiling]")).to_have_count(0 if square else 1)


_ZOOM = 3
_SMALL, _LARGE = (800, 480), (1440, 900)
_LENGTHS = """cell => {
    const style = getComputedStyle(cell);
    const unit = cell.getBoundingClientRect().width / style.getPropertyValue('--wide');
    return [unit, parseFloat(style.getPropertyValue('--bevel'))];
}"""


def bevels(page: Page, shape: str, row: int, col: int) -> list[tuple[bool, list[Point]]]:
    """For each side of a cell, return whether it faces the light, and three points on its bevel."""
    tile = TOPOLOGIES[shape](12, 12).tile(row, col)
    unit, bevel = cell(page, row, col).evaluate(_LENGTHS)
    inset = (max(0.5, 0.02 * unit) + bevel / 2) / unit
    box = cell(page, row, col).bounding_box()
    assert box
    left, top = (min(corner[axis] for corner in tile.outline) for axis in (0, 1))
    found = []
    for start, end in pairwise((*tile.outline, tile.outline[0])):
        # The direction across the side, away from the centre of the cell.
        normal = complex(end[1] - start[1], start[0] - end[0])
        normal /= abs(normal)
        points = []
        for share in (0.2, 0.5, 0.8):
            x, y = (a + share * (b - a) for a, b in zip(start, end, strict=True))
            x, y = x - inset * normal.real, y - inset * normal.imag
            points.append((box["x"] + (x - left) * unit, box["y"] + (y - top) * unit))
        found.append((normal.real + normal.imag < 0, points))
    return found


@pytest.mark.parametrize(
    ("shape", "size", "scheme"),
    [
        ("hexagon", _LARGE, "light"),
        slow("hexagon", _LARGE, "dark"),
        slow("hexagon", _SMALL, "light"),
        slow("hexagon", _SMALL, "dark"),
        slow("triangle", _LARGE, "light"),
        slow("triangle", _LARGE, "dark"),
        slow("triangle", _SMALL, "light"),
        slow("triangle", _SMALL, "dark"),
    ],
)
@pytest.mark.family
def test_closed_cell_sides_are_lit_by_direction(
    visit: Visit, shape: str, size: tuple[int, int], scheme: str
) -> None:
    """Light comes from the top left for every kind of cell, flagged or not."""
    page = visit(
        f"#level=12x12:20/{shape}",
        color_scheme=scheme,
        viewport=dict(zip(("width", "height"), size, strict=True)),
        device_scale_factor=_ZOOM,
    )
    page.evaluate("() => { document.documentElement.dataset.look = 'classic'; }")
    expect(page.locator("[role=gridcell]")).to_have_count(144)
    cell(page, 5, 5).click(button="right")
    page.mouse.move(0, 0)
    cells = ((5, 5), (5, 6), (6, 5), (6, 6))
    for row, col in cells:
        cell(page, row, col).scroll_into_view_if_needed()
    picture = Image.open(io.BytesIO(page.screenshot())).convert("L")
    style = "() => getComputedStyle(document.querySelector('.cell.closed')).backgroundColor"
    face = ImageColor.getcolor(page.evaluate(style), "L")
    assert isinstance(face, int)
    for row, col in cells:
        sides = bevels(page, shape, row, col)
        assert {lit for lit, _ in sides} == {True, False}
        for lit, points in sides:
            for x, y in points:
                at = row, col, x, y
                brightness = picture.getpixel((int(x * _ZOOM), int(y * _ZOOM)))
                assert isinstance(brightness, int)
                assert (brightness - face) * (1 if lit else -1) >= 8, at


@on_both_slowly
def test_a_chord_sinks_the_neighbours_across_the_edge_of_a_torus(visit: Visit) -> None:
    """Chords and the keyboard cross the edge, and neighbours are highlighted there."""
    page = visit("#level=8x8:4/torus")
    expect(page.locator(".grid[data-wraps='rows columns']")).to_be_visible()
    cell(page, 0, 0).focus()
    page.keyboard.press("ArrowUp")
    expect(cell(page, 7, 0)).to_be_focused()
    expect(page.locator(".cell.across")).to_have_count(5)
    assert name(page, 7, 0) == "unopened"
