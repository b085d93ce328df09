"""The explanation of an answer in the trainer: pages of text, each with marks on the board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sapper.coach.trainer import Explanation, TrainingResult, Verdict
from sapper.position import Position
from sapper.topology import Cell
from sapper.translation import Text, sentences, t
from sapper.tui.hinting import step_text

__all__ = ["Page", "pages", "verdict_pages"]


class Page(NamedTuple):
    """Text, and the marks of cells, keyed by index."""

    text: str
    marks: Mapping[int, str]


def pages(outcome: TrainingResult) -> tuple[Page, ...]:
    """Return the verdict on a puzzle, followed by the explanations step by step."""
    head = t("Right, but too late") if outcome.late else t("Not solved")
    if outcome.solved:
        head = t("Solved")
    rated = f" ({outcome.change:+.0f})" if outcome.counted else ""
    title = Text("{head}{rated}.", {"head": head, "rated": rated})
    return verdict_pages(outcome.puzzle.position, outcome.verdict, title)


def verdict_pages(position: Position, verdict: Verdict, title: str) -> tuple[Page, ...]:
    """Return a verdict after a title, followed by the explanations step by step."""
    marks = _marks(position, verdict.safe, "safe") | _marks(position, verdict.mined, "danger")
    first = Page(sentences(title, verdict.text), marks)
    result = [first]
    for one in verdict.explanations:
        result += _explained(position, one, is_told=one.text in verdict.text)
    return tuple(result)


def _explained(position: Position, one: Explanation, *, is_told: bool) -> list[Page]:
    target = _marks(position, [one.cell], "hint")
    if one.board is not None:
        return [Page(one.text, target | _marks(position, one.board, "danger"))]
    if not one.steps:
        return [] if is_told else [Page(one.text, target)]
    return [
        Page(
            step_text(number, len(one.steps), step.text),
            _marks(position, step.numbers, "because")
            | _marks(position, step.safe, "safe")
            | _marks(position, step.mined, "danger")
            | target,
        )
        for number, step in enumerate(one.steps, start=1)
    ]


def _marks(position: Position, cells: Iterable[Cell], mark: str) -> dict[int, str]:
    return dict.fromkeys(map(position.topology.index, cells), mark)
