"""Hints for the screen: the cells to mark and the text of each step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sapper.coach.pattern_name import pattern_name
from sapper.position import Position
from sapper.solver import Limit, hint, proof_steps
from sapper.topology import Cell, cell_name
from sapper.translation import Text, sentences, t

__all__ = ["SECONDS", "Advice", "advice", "step_text"]

SECONDS: Final = 5.0
"""Time limit for a hint."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A hint in one or more pages.

    Attributes:
        position: The position of the hint.
        cell: The cell to open.
        pages: Text of each page and its marks, keyed by cell index.
    """

    position: Position
    cell: Cell
    pages: tuple[tuple[str, Mapping[int, str]], ...]


def step_text(number: int, steps: int, text: str) -> Text:
    """Return the text of a proof step with its number."""
    return t("Step {step} of {steps}: {text}", step=number, steps=steps, text=text)


def advice(position: Position, limit: Limit) -> Advice:
    """Return the hint for a position, with its proof step by step.

    Raises:
        InconsistentPosition: If no arrangement fits.
        IllegalAction: If every unopened cell must be a mine.
    """
    index = position.topology.index
    best_hint = hint(position, limit=limit)
    because = dict.fromkeys(map(index, best_hint.because), "because")
    target = {index(best_hint.cell): "hint"}
    reason = best_hint.sentence if best_hint.proof is None else best_hint.proof.sentence(cell_name)
    first = sentences(t("Open {cell}.", cell=cell_name(best_hint.cell)), reason)
    pattern = pattern_name(position, best_hint.cell) if best_hint.proved else None
    if pattern is not None:
        first = sentences(t("{pattern}.", pattern=pattern.title), first)
    pages: list[tuple[str, Mapping[int, str]]] = [(first, {**because, **target})]
    if best_hint.proof is not None:
        steps = proof_steps(position, best_hint.proof, place=cell_name)
        for number, step in enumerate(steps, start=1):
            marks = dict.fromkeys(map(index, step.numbers), "because")
            marks |= dict.fromkeys(map(index, step.safe), "safe")
            marks |= dict.fromkeys(map(index, step.mined), "danger")
            text = step_text(number, len(steps), step.text)
            pages.append((text, {**marks, **target}))
    return Advice(position, best_hint.cell, tuple(pages))
