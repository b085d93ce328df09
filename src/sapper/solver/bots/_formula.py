"""Kaboom's formula: the arrangements that fit, in conjunctive normal form, and queries about it."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from sapper.solver import sat
from sapper.solver.bots.constraints import Constraint

__all__ = ["Formula"]

_CONFLICTS = 20_000
"""The most conflicts per query; beyond that it is unanswered."""
_LARGEST = 200_000
"""A totalizer of n literals and bound k has about n times k clauses."""


class Formula:
    """One variable per cell, true for a mine, with clauses for the numbers and the total.

    A number is encoded binomially: any ``size - mines + 1`` of its cells include a mine, and any
    ``mines + 1`` include a clear cell. The total is a totalizer (O. Bailleux and Y. Boufkhad, CP
    2003): one over the variables counts mines for the upper bound, and one over their negations
    counts clear cells for the lower bound. A totalizer is left out if the numbers alone keep the
    mines within its bound, or if it would have more than about 200,000 clauses; in the latter case,
    less is proved.

    Args:
        groups: The numbers.
        left: The mines on these cells and elsewhere; None if the total is unknown.
        elsewhere: Number of other cells that may contain mines.
        witnesses: Whether to skip queries already answered by an arrangement.

    Attributes:
        cells: The cells that have a variable, in order: the first has variable 1.
        auxiliary: Number of additional variables of the totalizers.
        clauses: Number of clauses.
        asked: Number of queries made.
        skipped: Number of queries answered by an arrangement found earlier.
        unanswered: Number of queries abandoned after too many conflicts.
        partial: Whether a totalizer was left out because of its size.
    """

    def __init__(
        self,
        groups: Sequence[Constraint],
        left: int | None = None,
        elsewhere: int = 0,
        *,
        witnesses: bool = True,
    ) -> None:
        self.cells = sorted(frozenset[int]().union(*(cells for cells, _ in groups)))
        self.auxiliary = self.clauses = self.asked = self.skipped = self.unanswered = 0
        self.partial = False
        self._witnesses = witnesses
        self._can_be_mined: set[int] = set()
        self._can_be_clear: set[int] = set()
        self._mines_seen: set[int] = set()
        self._most = inf if left is None else left
        self._least = -inf if left is None else left - elsewhere
        self._formula = sat.Formula()
        self._false = not all(0 <= mines <= len(cells) for cells, mines in groups)
        self._fewer: list[int] | None = []
        self._more: list[int] | None = []
        if self._false:
            return
        self._formula.variables(self.cells)
        for cells, mines in groups:
            self._formula.exactly(mines, self._formula.variables(sorted(cells)))
        if left is not None:
            self._bound(left, elsewhere, *_range(groups))
        self.auxiliary = self._formula.size - len(self.cells)
        self.clauses = self._formula.clauses

    def _bound(self, left: int, elsewhere: int, fewest: int, most: int) -> None:
        """Add the totalizers that keep the mines within a range, unless the numbers do."""
        variables = range(1, len(self.cells) + 1)
        if most >= left:
            self._fewer = self._at_most(list(variables), left)
        if fewest <= left - elsewhere:
            clear = len(self.cells) - (left - elsewhere)
            self._more = self._at_most([-variable for variable in variables], clear)

    def _at_most(self, literals: list[int], bound: int) -> list[int] | None:
        """Limit the true literals; return the assumption for fewer, None if that is impossible."""
        if bound <= 0:
            self._false |= bound < 0
            self._formula.add(*([-literal] for literal in literals))
            return None
        if len(literals) * bound > _LARGEST:
            self.partial = True
            return []
        return self._formula.at_most(literals, bound)

    def close(self) -> None:
        """Free the solver's native memory."""
        self._formula.close()

    def settle(self) -> tuple[set[int], set[int]]:
        """Return the cells that are clear in every arrangement, and those mined in every one.

        Both results are empty if no arrangement fits.
        """
        safe, mined = set(), set()
        for variable, cell in enumerate(self.cells, start=1):
            clear = self._may([-variable], cell in self._can_be_clear)
            mine = self._may([variable], cell in self._can_be_mined)
            if clear is False and mine is False:
                return set(), set()
            if mine is False:
                safe.add(cell)
            if clear is False:
                mined.add(cell)
        return safe, mined

    def elsewhere(self) -> tuple[bool, bool]:
        """Return whether all outside cells are always clear, and whether all are always mined.

        The outside cells are always clear if the cells here always need every mine, and always
        mined if the cells here never contain more mines than have no room outside. Both results
        are false if no arrangement fits.
        """
        fewer = any(mines < self._most for mines in self._mines_seen)
        more = any(mines > self._least for mines in self._mines_seen)
        clear = self._fewer is None or self._may(self._fewer, fewer) is False
        mined = self._more is None or self._may(self._more, more) is False
        return clear and not mined, mined and not clear

    def _may(self, assumptions: list[int], seen: bool) -> bool | None:
        """Return whether an arrangement satisfies the assumptions; None if undecided."""
        if seen and self._witnesses:
            self.skipped += 1
            return True
        self.asked += 1
        if self._false:
            return False
        answer = self._formula.ask(assumptions, conflicts=_CONFLICTS)
        if answer is None:
            self.unanswered += 1
        elif answer:
            self._remember(self.arrangement())
        return answer

    def _remember(self, mined: list[int]) -> None:
        self._mines_seen.add(len(mined))
        self._can_be_mined.update(mined)
        self._can_be_clear.update(set(self.cells).difference(mined))

    def arrangement(self) -> list[int]:
        """Return the mines of the arrangement found by the last query."""
        return list(self._formula.mined())


def _range(groups: Sequence[Constraint]) -> tuple[int, int]:
    """Return quick bounds on the mine count of any arrangement; not necessarily tight.

    The mines of numbers without a common cell add up to the lower bound. For the upper bound, each
    number adds at most its mines, and at most its cells that no earlier number touches.
    """
    fewest = most = 0
    apart: set[int] = set()
    covered: set[int] = set()
    for cells, mines in groups:
        if apart.isdisjoint(cells):
            apart |= cells
            fewest += mines
        most += min(mines, len(cells - covered))
        covered |= cells
    return fewest, most
