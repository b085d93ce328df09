"""Finding boards in the layout of a page, from the boxes of its elements."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from sapper.vision.browser.grids import Element, find_grids


def laid_out(
    columns: int,
    rows: int,
    size: tuple[float, float] = (20, 20),
    pitch: tuple[float, float] = (20, 20),
    at: tuple[float, float] = (8, 8),
    kind: str = "3 DIV",
) -> list[Element]:
    """Return elements in rows and columns."""
    (width, height), (across, down), (x, y) = size, pitch, at
    return [
        Element(kind, x + col * across, y + row * down, width, height)
        for row in range(rows)
        for col in range(columns)
    ]


@pytest.mark.parametrize("pitch", [(15.92, 16.0), (24.25, 22.2)])
def test_fractions_of_a_pixel_are_kept(pitch: tuple[float, float]) -> None:
    """Columns and rows each have their own spacing, scaled by the pixel ratio."""
    [at] = find_grids(laid_out(30, 16, pitch, pitch), 2.0)
    assert (at.rows, at.columns, at.x, at.y) == (16, 30, 16, 16)
    assert (at.pitch, at.row_pitch) == pytest.approx((2 * pitch[0], 2 * pitch[1]))


def test_gap_between_cells_is_shared() -> None:
    """A cell that includes its share of the gaps has the same centre as its element."""
    [at] = find_grids(laid_out(9, 9, (26, 26), (28, 28)))
    assert (at.x, at.y, at.pitch, at.row_pitch) == (7, 7, 28, 28)
    assert at.centre(0, 0) == (21, 21)


def test_cell_contents_and_backs_are_not_boards() -> None:
    """Two sides of a card in the same place count as one board."""
    cells = laid_out(9, 9)
    inner = laid_out(9, 9, (16, 16), (20, 20), (10, 10), "4 SPAN")
    assert len(find_grids([*cells, *cells, *inner])) == 1


def test_adjacent_boards_are_separate() -> None:
    """A keypad below is a separate grid; a table of text, whose cells are wide, is not one."""
    boards = laid_out(9, 9) + laid_out(9, 9, at=(300, 8))
    keys = laid_out(4, 4, (40, 40), (40, 40), (8, 400))
    texts = laid_out(4, 9, (90, 30), (90, 30), (400, 400))
    found = find_grids([*boards, *keys, *texts])
    assert [(at.rows, at.columns, at.x) for at in found] == [(9, 9, 8), (9, 9, 300), (4, 4, 8)]


def test_incomplete_grid_is_not_a_board() -> None:
    """Grids with a hole, fewer than four rows, or shifted rows are refused."""
    whole = laid_out(9, 9)
    assert find_grids(whole[:40] + whole[41:]) == []
    assert find_grids(laid_out(9, 3)) == []
    shifted = [e._replace(x=e.x + 10 * (i // 9 % 2)) for i, e in enumerate(whole)]
    assert find_grids(shifted) == []
