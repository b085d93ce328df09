"""The content of the terminal game's board."""

from __future__ import annotations

from sapper import Position, analyze
from sapper.tui.scene import OVERLAYS, Scene

WALL = "....\n.1..\n...."


def percents(position: Position) -> list[int]:
    """Return the chances shown, row by row."""
    scene = Scene.of_position(position, analysis=analyze(position), overlay=OVERLAYS[2])
    assert scene.percents is not None
    return list(scene.percents)


def test_cells_without_a_chance_show_none() -> None:
    """With neither total nor density, 50 % would be misleading (issue 33)."""
    assert percents(Position.parse(WALL))[3::4] == [-1, -1, -1]
    assert percents(Position.parse(WALL, mines=2))[3::4] == [33, 33, 33]
    assert percents(Position.parse(WALL))[:3] == [12, 12, 12]
