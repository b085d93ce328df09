"""Kept screenshots, and checks of what was read from them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sapper import Position, vision
from sapper.solver.bots.base import around
from sapper.vision.geometry import Image
from sapper.vision.reading import Reading

__all__ = ["SCREENS", "contradictions", "reading", "screen"]

SCREENS = Path(__file__).parents[1] / "data" / "screens"


def screen(name: str) -> tuple[Image, list[str]]:
    """A screenshot, and the looks that it shows, a string a row."""
    looks = (SCREENS / f"{name}.txt").read_text("ascii").splitlines()
    return vision.load(SCREENS / f"{name}.png"), looks


@cache
def reading(name: str) -> Reading:
    """What is read from a screenshot; several tests ask for the same."""
    return vision.read(screen(name)[0])


def contradictions(position: Position) -> list[int]:
    """The numbers, by index, that do not count the mines around them.

    For a position in which every unopened cell and every opened mine is a mine, as at the end
    of a game that was won.
    """
    near = around(position.topology)
    mines = {i for i, cell in enumerate(position.cells) if chr(cell) in ".F*"}
    return [
        i
        for i, cell in enumerate(position.cells)
        if chr(cell).isdigit() and int(chr(cell)) != sum(n in mines for n in near[i])
    ]
