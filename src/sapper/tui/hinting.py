"""Hints for the screen: which cells to mark, and what to say, one step after the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sapper.position import Position
from sapper.solver import Limit, hint, proof_steps
from sapper.topology import Cell

__all__ = ["SECONDS", "Advice", "advice", "place"]

SECONDS: Final = 5.0
"""How long a hint may take."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A hint in one or more pages, to be read one after the other.

    Attributes:
        position: The position that it is about.
        cell: The cell to open.
        pages: The text of each page and its marks by index.
    """

    position: Position
    cell: Cell
    pages: tuple[tuple[str, Mapping[int, str]], ...]


def place(cell: Cell) -> str:
    """Name a cell as players count: from 1."""
    return f"row {cell.row + 1}, column {cell.col + 1}"


def advice(position: Position, limit: Limit) -> Advice:
    """Return the hint for a position, with its proof step by step.

    Raises:
        InconsistentPosition: If no arrangement fits.
        IllegalAction: If no unopened cell can be clear.
    """
    index = position.topology.index
    found = hint(position, limit)
    because = dict.fromkeys(map(index, found.because), "because")
    target = {index(found.cell): "hint"}
    reason = found.sentence if found.proof is None else found.proof.sentence(place)
    pages = [(f"Open {place(found.cell)}. {reason}", {**because, **target})]
    if found.proof is not None:
        steps = proof_steps(position, found.proof, place)
        for number, step in enumerate(steps, start=1):
            marks = dict.fromkeys(map(index, step.numbers), "because")
            marks |= dict.fromkeys(map(index, step.safe), "safe")
            marks |= dict.fromkeys(map(index, step.mined), "mine")
            pages.append((f"Step {number} of {len(steps)}: {step.text}", {**marks, **target}))
    return Advice(position, found.cell, tuple(pages))
