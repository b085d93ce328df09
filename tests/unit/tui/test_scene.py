"""The content of the board in the terminal game."""

from __future__ import annotations

import pytest

from sapper import Position, analyze
from sapper.overlays import marks_of
from sapper.tui.cell_styles import Face, cell_text
from sapper.tui.scene import Scene


def shown(overlay: str, rows: str, mines: int | None = None) -> list[str]:
    """Return the characters of the cells under an overlay, row by row."""
    position = Position.parse(rows, mines=mines)
    scene = Scene.of_position(position, cover=marks_of(overlay, position, analyze(position)))
    cells = [(row, col) for row in range(scene.height) for col in range(scene.width)]
    return [cell_text(scene.face(*cell), scene.cell_width) for cell in cells]


def test_cells_without_a_chance_show_none() -> None:
    """Without a total or a density, 50 % would be misleading (issue 33)."""
    wall = "....\n.1..\n...."
    assert shown("chances", wall)[3::4] == [" · "] * 3
    assert shown("chances", wall, mines=2)[3::4] == ["33 "] * 3
    assert shown("chances", wall)[:3] == ["13 "] * 3


def test_states_and_risks_are_characters() -> None:
    """Every state and class has its own character, so colours are not needed."""
    assert shown("states", "..1\n.21\n110")[:4] == [" ·+", " ·!", " 1 ", " ·!"]
    assert shown("risks", "..\n11", mines=1)[:2] == [" ·#", " ·#"]


@pytest.mark.parametrize(
    ("text", "mark", "drawn"),
    [("7", "", " 7 "), ("<1", "", "<1 "), (">99", "", ">99"), (">99", "danger", "99!")],
)
def test_overlay_text_fits_its_cell(text: str, mark: str, drawn: str) -> None:
    """Three characters also use the mark's column, unless the cell has a mark."""
    assert cell_text(Face(".", mark, text), 3) == drawn
