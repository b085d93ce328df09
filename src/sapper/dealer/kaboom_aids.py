"""Kaboom's debug view and hint button: marks, outcomes, hints and statistics."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import sapper._core as _core
from sapper._grid import text_of
from sapper._util.renamed import renamed_argument
from sapper.dealer.frontier import frontier
from sapper.dealer.judge import Judge
from sapper.position import EXPLODED
from sapper.rules import OptionValue
from sapper.solver import Analysis
from sapper.translation import t

__all__ = ["Figures", "Mark", "advice", "figures", "marks", "marks_text", "outcomes"]


class Mark(StrEnum):
    """The status of an unopened cell, with its character in the debug view."""

    SAFE = "."
    """A frontier cell without a mine in any board that fits."""
    MINE = "!"
    """A frontier cell with a mine in every board that fits."""
    UNKNOWN = "?"
    """Any other frontier cell."""
    OUTSIDE = "o"
    """A cell that touches no number."""


@renamed_argument("known", "analysis")
def marks(analysis: Analysis) -> tuple[Mark | None, ...]:
    r"""Return the mark of every cell in row order, None for open ones.

    >>> from sapper import Position, analyze
    >>> print(marks_text(analyze(Position.parse("3..\n...\n...", mines=4))))
    3!o
    !!o
    ooo
    """
    position, edge = analysis.position, frontier(analysis.position)
    found: list[Mark | None] = []
    for i, char in enumerate(position.cells):
        if char not in b".F":
            found.append(None)
        elif not edge[i]:
            found.append(Mark.OUTSIDE)
        elif (cell := position.topology.cell(i)) in analysis.safe:
            found.append(Mark.SAFE)
        else:
            found.append(Mark.MINE if cell in analysis.mined else Mark.UNKNOWN)
    return tuple(found)


@renamed_argument("known", "analysis")
def marks_text(analysis: Analysis) -> str:
    """Return the position with a mark on every unopened cell, one line per row."""
    cells = text_of(analysis.position.cells)
    text = "".join(mark or char for mark, char in zip(marks(analysis), cells, strict=True))
    width = analysis.position.width
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


@renamed_argument("known", "analysis")
def outcomes(analysis: Analysis, **options: OptionValue) -> tuple[bool | None, ...]:
    """Return, for every cell in row order, whether a click would open it; None for open cells.

    Args:
        analysis: The analysis of the position.
        options: Options of the rule set ``kaboom``; omitted ones take their defaults.
    """
    judge = Judge(analysis, **options)
    return tuple(
        judge.verdict(i).opens if char in b".F" else None
        for i, char in enumerate(analysis.position.cells)
    )


@renamed_argument("known", "analysis")
def advice(analysis: Analysis, **options: OptionValue) -> str | None:
    """Return the first of Kaboom's five hints that applies; None when every cell is open.

    Args:
        analysis: The analysis of the position, whose flags are considered.
        options: Options of the rule set ``kaboom``; omitted ones take their defaults.
    """
    position, judge = analysis.position, Judge(analysis, **options)
    flagged = [i for i, char in enumerate(position.cells) if char == ord("F")]
    if any(position.topology.cell(i) not in analysis.mined for i in flagged):
        return t("You flagged a cell that could be empty.")
    if not judge.frontier.any():
        return t("You can play anywhere!") if analysis.position.unopened_cells() else None
    if judge.has_safe:
        return t("There are safe cells.")
    if judge.has_unknown:
        return t("There are no safe cells, but you can guess.")
    return t("All surrounding cells are deadly. You need to play elsewhere.")


@dataclass(frozen=True, slots=True)
class Figures:
    """Statistics of the solver's work.

    Attributes:
        frontier: Number of unopened cells that touch a number.
        outside: Number of unopened cells that touch none.
        least: The fewest mines that the frontier can have, given the numbers, the mine total and
            the number of outside cells; None if the frontier is too wide to count.
        most: The most mines that the frontier can have.
        elapsed_s: Duration of the analysis in seconds.
    """

    frontier: int
    outside: int
    least: int | None
    most: int | None
    elapsed_s: float


@renamed_argument("known", "analysis")
def figures(analysis: Analysis) -> Figures:
    """Compute the statistics of an analysis; this takes about as long as the analysis."""
    position = analysis.position
    size = int(frontier(position).sum())
    outside = len(position.unopened_cells()) - size
    found = None
    if analysis.exact:
        found = _core.frontier_mines(position.topology.graph, position.cells)
    if found is None:
        return Figures(size, outside, None, None, analysis.elapsed_s)
    least, most = found.fewest, found.most
    if position.mines is not None:
        # Opened mines still count towards the total, but they are no longer in the frontier.
        left = position.mines - position.cells.count(EXPLODED.encode())
        least, most = max(least, left - outside), min(most, left)
    return Figures(size, outside, least, most, analysis.elapsed_s)
