"""``kaboom-sat``: queries a satisfiability solver about each cell.

Source: the solver of Kaboom, as described in its author's article (read in the French translation
"Kaboom : un sapeur insolite"): one variable per cell, the binomial encoding, a totalizer for the
mine total, removal of settled cells from the formula, and no queries already answered by an earlier
arrangement, which leaves "about 2 to 5 times" fewer. The article's program only judges clicks; the
playing and guessing are ours.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from random import Random

from sapper._util.arguments import switch
from sapper.position import Position
from sapper.rules import Level
from sapper.solver.bots._formula import Formula
from sapper.solver.bots.base import Choice, flags, opens
from sapper.solver.bots.constraints import Known, constraints, mines_left, unopened
from sapper.translation import t

__all__ = ["KaboomSat", "Marks", "Statistics"]


@dataclass(frozen=True, slots=True)
class Marks:
    """The status of each unopened cell, by index, as in Kaboom's debug view.

    Attributes:
        safe: Frontier cells without a mine in every arrangement.
        mined: Frontier cells with a mine in every arrangement.
        unknown: The other frontier cells.
        outside: The cells that no number touches.
        outside_clear: Whether the total proves that no cell outside has a mine.
        outside_mined: Whether the total proves that all of them have one.
    """

    safe: Set[int]
    mined: Set[int]
    unknown: Set[int]
    outside: Set[int]
    outside_clear: bool
    outside_mined: bool


@dataclass(frozen=True, slots=True)
class Statistics:
    """The formula of one position, and the queries on it.

    Attributes:
        variables: Frontier cells that were not settled before.
        auxiliary: Number of additional variables of the totalizers; 0 if none was needed.
        clauses: The clauses, including those of the totalizers.
        asked: The queries made.
        skipped: Queries answered by an arrangement found earlier.
        unanswered: Queries abandoned after 20,000 conflicts; they prove nothing.
        partial: Whether a totalizer was left out because of its size, so that less is proved.
    """

    variables: int = 0
    auxiliary: int = 0
    clauses: int = 0
    asked: int = 0
    skipped: int = 0
    unanswered: int = 0
    partial: bool = False


class KaboomSat:
    """Opens safe frontier cells, and the outside if the total proves it clear; otherwise guesses.

    A guess is a random frontier cell that may be clear or, if there is none, a random outside cell.
    These are the guesses that Kaboom allows by default.

    Everything provable about frontier cells is proved, unless `statistics` show unanswered queries
    or a partial formula, which happens only with hundreds of frontier cells.

    Args:
        witnesses: Whether to skip queries answered by an arrangement found earlier.

    Attributes:
        statistics: Statistics of the last position.
    """

    label = t("Kaboom's solver")

    def __init__(self, *, witnesses: bool = True) -> None:
        self.statistics = Statistics()
        self._witnesses = switch(witnesses, "witnesses")
        self._mined, self._safe = Known(), Known()
        self._random = Random(0)

    def begin(self, level: Level, seed: int) -> None:
        """Discard the last game."""
        self._mined.clear()
        self._safe.clear()
        self._random.seed(seed)

    def choose(self, position: Position) -> Choice:
        """Return all safe cells, or one guess."""
        marks = self.marks(position)
        mined = marks.mined | marks.outside if marks.outside_mined else marks.mined
        safe = marks.safe | marks.outside if marks.outside_clear else marks.safe
        known = flags(position, sorted(mined))
        if safe:
            by = "safe" if marks.safe else "total"
            return Choice((*known, *opens(position, sorted(safe))), by, 0.0)
        if not marks.unknown and (marks.outside_mined or not marks.outside):
            return Choice(tuple(known), "nothing left")
        cell = self._random.choice(sorted(marks.unknown or marks.outside))
        by = "guess" if marks.unknown else "guess outside"
        return Choice((*known, *opens(position, [cell])), by, guess=True)

    def marks(self, position: Position) -> Marks:
        """Return the status of each unopened cell."""
        mined, safe = self._mined.at(position), self._safe.at(position)
        groups = constraints(position, mined, safe)
        touched = frozenset[int]().union(*(cells for cells, _ in groups))
        outside = frozenset(unopened(position)) - touched - mined - safe
        left = mines_left(position, mined)
        formula = Formula(groups, left, len(outside), witnesses=self._witnesses)
        try:
            new_safe, new_mined = formula.settle()
            clear, full = formula.elsewhere() if outside else (False, False)
        finally:
            formula.close()
        self._safe.add(new_safe)
        self._mined.add(new_mined)
        self.statistics = Statistics(
            len(formula.cells),
            formula.auxiliary,
            formula.clauses,
            formula.asked,
            formula.skipped,
            formula.unanswered,
            formula.partial,
        )
        unknown = touched - new_safe - new_mined
        return Marks(frozenset(safe), frozenset(mined), unknown, outside, clear, full)
