"""Pictures as PNG."""

from __future__ import annotations

import io

import numpy as np
import pytest

from sapper.board import Board
from sapper.drawing import THEMES, board_svg
from sapper.drawing.raster import png
from sapper.errors import BadSetting
from sapper.topology import TOPOLOGIES

Image = pytest.importorskip("PIL.Image", reason="the extra vision is not installed")


def pixels(data: bytes) -> np.ndarray:
    """Return the pixels of a PNG, read by another program."""
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def test_cells_have_the_colours_of_the_theme() -> None:
    """Cell corners have the background colour, and a mine has its own."""
    board = Board.parse("*1\n11")
    shown = pixels(png(board_svg(board, cell_px=32), 32, 72, 72, "#102030"))
    assert shown.shape == (72, 72, 3)
    theme = THEMES["light"]

    def colour(name: str) -> list[int]:
        return [int(theme[name][at : at + 2], 16) for at in (1, 3, 5)]

    assert shown[6, 38].tolist() == colour("open-2")
    assert shown[38, 38].tolist() == colour("open")
    assert shown[22, 22].tolist() == colour("mine")
    assert (shown[:, 36:] == colour("n1")).all(-1).any()


def test_pictures_are_fitted_with_cells_of_whole_pixels() -> None:
    """The background fills the margins, and large boards are scaled down."""
    board = Board.parse("\n".join(["0" * 60] * 60))
    shown = pixels(png(board_svg(board, cell_px=32), 32, 200, 130, "#102030"))
    assert shown[0, 0].tolist() == shown[-1, -1].tolist() == [16, 32, 48]
    columns = np.flatnonzero((shown != [16, 32, 48]).any((0, 2)))
    assert 2 * 60 <= columns[-1] - columns[0] + 1 <= 124


@pytest.mark.parametrize("name", sorted(TOPOLOGIES))
def test_every_topology_can_be_drawn(name: str) -> None:
    """Every kind of number is drawn in its own colour."""
    topology = TOPOLOGIES[name](8, 8)
    board = Board.from_mines(topology, [(2, 2), (2, 3), (5, 5)])
    shown = pixels(png(board_svg(board, cell_px=32), 32, 400, 300, "#ffffff"))
    assert len(np.unique(shown.reshape(-1, 3), axis=0)) > 20


def test_size_is_limited() -> None:
    """The error includes the limit."""
    svg = board_svg(Board.parse("00\n00"), cell_px=32)
    for size in ((0, 5), (5_000, 5_000)):
        with pytest.raises(BadSetting, match="1 to 4,000,000 pixels"):
            png(svg, 32, *size, "#ffffff")
