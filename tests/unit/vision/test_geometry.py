"""Boards whose columns and rows differ in spacing, including fractions of a pixel."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from sapper.vision.geometry import Geometry, Image, find_geometry
from support.marks import sampled

EXPERT = [
    Geometry(41, 63, 15.92, 16, 30, 16.0),
    Geometry(41, 63, 16.0, 16, 30, 15.92),
    Geometry(41, 63, 24.25, 16, 30, 22.2),
    Geometry(41, 63, 22.2, 16, 30, 24.25),
    Geometry(41, 63, 30.0, 16, 30, 20.0),
]
"""The sizes of cells in tables of web pages, on boards of 30 columns and 16 rows."""


def _edge(start: float) -> int:
    return int(start + 0.5)


def drawn(at: Geometry, seed: int = 1, opened: float = 0.0) -> Image:
    """A picture of a board with raised cells; some are open and show one of three symbols."""
    rng = random.Random(seed)
    width, height = int(at.x + at.width) + 90, int(at.y + at.height) + 50
    image = np.full((height, width, 3), 235, dtype=np.uint8)
    for row in range(at.rows):
        for col in range(at.columns):
            top, bottom = (_edge(at.y + i * at.row_pitch) for i in (row, row + 1))
            left, right = (_edge(at.x + i * at.pitch) for i in (col, col + 1))
            image[top:bottom, left:right] = 120
            if rng.random() < opened:
                image[top + 1 : bottom, left + 1 : right] = 205
                sign = rng.randrange(5)
                if sign < 3:
                    y, x = (top + bottom) // 2, (left + right) // 2
                    colour = [(0, 0, 220), (0, 120, 0), (220, 0, 0)][sign]
                    image[y - 4 : y + 4, x - 1 - sign : x + 1 + sign] = colour
            else:
                image[top : bottom - 2, left : right - 2] = 250
                image[top + 2 : bottom - 2, left + 2 : right - 2] = 185
    return image


@pytest.mark.parametrize("opened", [0.0, 0.3], ids=["fresh", "opened"])
@pytest.mark.parametrize("at", sampled(EXPERT, 2), ids=lambda at: f"{at.pitch:g}x{at.row_pitch:g}")
def test_columns_and_rows_of_different_sizes_are_found(at: Geometry, opened: float) -> None:
    """The last cell is in its place, so the spacing is accurate to hundredths of a pixel."""
    found = find_geometry(drawn(at, opened=opened))
    assert (found.rows, found.columns) == (16, 30)
    for row, col in ((0, 0), (15, 29)):
        near, true = found.corner(row, col), at.corner(row, col)
        assert max(abs(a - b) for a, b in zip(near, true, strict=True)) <= 1


@pytest.mark.parametrize("at", EXPERT, ids=lambda at: f"{at.pitch:g}x{at.row_pitch:g}")
def test_cells_do_not_drift(at: Geometry) -> None:
    """Cells are cut out where they are drawn, so all cells of a new board look alike."""
    cells = at.cut(drawn(at)).astype(np.int16)
    middle = cells[:, :, 3:-3, 3:-3]
    assert (middle == 185).all()
    assert {at.corner(r, c) for r in (0, 15) for c in (0, 29)} == {
        (
            _edge(at.x + c * at.pitch) + int((at.pitch - at.size) / 2),
            _edge(at.y + r * at.row_pitch) + int((at.row_pitch - at.size) / 2),
        )
        for r in (0, 15)
        for c in (0, 29)
    }


def painted(cell: float, ratio: float) -> tuple[Image, list[float]]:
    """Return a picture of a new 9x9 board painted on a canvas, and the edges of its cells.

    Pages round the edges to CSS pixels, so they are blurred at fractional pixel ratios.
    """
    edges = [50 + _edge(i * cell) for i in range(10)]
    parts = 4
    scale = round(parts * ratio)
    side = (edges[-1] + 52) // parts * parts * scale
    image = np.full((side, side, 3), 235, dtype=np.uint8)
    bounds = [(scale * a, scale * b) for a, b in itertools.pairwise(edges)]
    for (top, bottom), (left, right) in itertools.product(bounds, bounds):
        image[top:bottom, left:right] = (68, 68, 68)
        image[top + scale : bottom - scale, left + scale : right - scale] = (153, 187, 221)
    blocks = image.reshape(side // parts, parts, side // parts, parts, 3)
    return blocks.mean(axis=(1, 3)).astype(np.uint8), [edge * ratio for edge in edges]


@pytest.mark.parametrize(
    ("cell", "ratio"),
    [(30.56, 1.0), (35.56, 1.25), (26.3, 1.25), (32.2, 1.25), (24.6, 2.0)],
)
def test_cells_with_a_fractional_size_are_found(cell: float, ratio: float) -> None:
    """Two cells together are nearly a whole number of pixels wide, but the pitch is that of one."""
    image, edges = painted(cell, ratio)
    found = find_geometry(image)
    assert (found.rows, found.columns) == (9, 9)
    # Each edge is rounded to half a CSS pixel.
    allowed = 0.5 * ratio + 0.5
    for start, pitch in ((found.x, found.pitch), (found.y, found.row_pitch)):
        assert [start + i * pitch for i in range(10)] == pytest.approx(edges, abs=allowed)


@pytest.mark.parametrize("pitch", [16.0, 20.5, 33.4])
def test_square_cells_keep_one_pitch(pitch: float) -> None:
    """Columns and rows of equal size are not given different spacings."""
    for seed in (1, 2, 3):
        found = find_geometry(drawn(Geometry(30, 40, pitch, 9, 12), seed, opened=0.3))
        assert (found.rows, found.columns) == (9, 12)
        assert found.row_pitch == pytest.approx(found.pitch, abs=0.1)
        assert found.pitch == pytest.approx(pitch, abs=0.1)
