"""What the board of the terminal game shows."""

from __future__ import annotations

from sapper import Position, analyze
from sapper.tui.scene import OVERLAYS, Scene

WALL = "....\n.1..\n...."


def percents(position: Position) -> list[int]:
    """The chances shown, row by row."""
    scene = Scene.of_position(position, analysis=analyze(position), overlay=OVERLAYS[2])
    assert scene.percents is not None
    return list(scene.percents)


def test_cells_without_a_chance_show_none() -> None:
    """Where neither total nor density is known, no number is better than 50 % (issue 33)."""
    assert percents(Position.parse(WALL))[3::4] == [-1, -1, -1]
    assert percents(Position.parse(WALL, mines=2))[3::4] == [33, 33, 33]
    assert percents(Position.parse(WALL))[:3] == [12, 12, 12]
