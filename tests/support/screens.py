"""Stored screenshots, and checks of how they are read."""

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
    """Return a screenshot and its looks, one string per row."""
    looks = (SCREENS / f"{name}.txt").read_text("ascii").splitlines()
    return vision.load(SCREENS / f"{name}.png"), looks


@cache
def reading(name: str) -> Reading:
    """Return the cached reading of a screenshot."""
    return vision.read(screen(name)[0])


def contradictions(position: Position) -> list[int]:
    """Return the indices of numbers that do not match the mines around them.

    Every unopened cell and every opened mine must be a mine, as at the end of a won game.
    """
    near = around(position.topology)
    mines = {i for i, cell in enumerate(position.cells) if chr(cell) in ".F*"}
    return [
        i
        for i, cell in enumerate(position.cells)
        if chr(cell).isdigit() and int(chr(cell)) != sum(n in mines for n in near[i])
    ]
