"""A board that the page moves while its looks are being learned."""

from __future__ import annotations

from typing import Any

import pytest

from sapper.vision.geometry import Geometry
from sapper.vision.unthemed.surface import UnthemedSurface


class Layout:
    """A page whose boards move between looks."""

    def __init__(self, *grids: list[Geometry]) -> None:
        self._grids = list(grids)

    def grids(self, window: object) -> list[Geometry]:
        return self._grids.pop(0)


@pytest.fixture
def surface() -> Any:
    """The part of a surface that follows a board of 9x9 cells of 33 pixels."""
    made: Any = UnthemedSurface.__new__(UnthemedSurface)
    made._window, made._in_layout = None, True
    made._at = made._home = Geometry(491.5, 338.5, 33.0, 9, 9)
    return made


def test_a_moved_board_keeps_the_size_of_its_cells(surface: Any) -> None:
    """In a rounded layout, cells of 32.998 pixels were cut one pixel too small."""
    surface._screen = Layout([Geometry(491.5, 368.5, 32.998, 9, 9)])
    assert surface._follow()
    assert surface._at == surface._home == Geometry(491.5, 368.5, 33.0, 9, 9)


def test_the_nearest_of_two_boards_is_followed(surface: Any) -> None:
    """The other board has the same cells and may come first on the page."""
    surface._screen = Layout(
        [Geometry(20.0, 368.5, 33.0, 9, 9), Geometry(500.0, 368.5, 33.0, 9, 9)]
    )
    assert surface._follow()
    assert surface._home.x == 500


def test_a_board_with_other_cells_is_not_followed(surface: Any) -> None:
    """The old location is kept, for example if the page has replaced the board."""
    surface._screen = Layout([Geometry(491.5, 338.5, 30.0, 9, 9)], [])
    assert not surface._follow()
    assert not surface._follow()
    assert surface._home == Geometry(491.5, 338.5, 33.0, 9, 9)
