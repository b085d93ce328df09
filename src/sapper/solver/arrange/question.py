"""One query to a satisfiability solver: can all these numbers be satisfied?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from sapper._util.work import Work
from sapper.solver.sat import Formula

__all__ = ["CountQuery"]


class CountQuery:
    """Mine counts of cells, as cardinality constraints.

    Attributes:
        contradicts_itself: After an answer of None, whether that answer holds for any choice of
            fixed cells.

    Raises:
        LimitReached: If the time is up before all numbers are added.
    """

    def __init__(self, constraints: Sequence[tuple[Sequence[int], int]], work: Work) -> None:
        self._formula = Formula("minicard", work)
        self._work = work
        self.contradicts_itself = False
        for around, mines in constraints:
            work.check("building a formula")
            self._formula.between(mines, mines, self._formula.variables(around))

    def bound(self, least: int, most: int) -> None:
        """Require a mine count among all cells."""
        literals = self._formula.variables(self._formula.cells)
        self._formula.between(max(0, least), min(most, len(literals)), literals)

    def ask(self, held: dict[int, int], doing: str) -> dict[int, int] | None:
        """Return an arrangement with some cells fixed; None if there is none.

        Raises:
            LimitReached: If the time is up.
        """
        formula = self._formula
        fast = [formula.variable(cell) * (1 if value else -1) for cell, value in held.items()]
        self._work.look(doing)
        answer = formula.ask(fast, watch=lambda: self._work.look(doing))
        if not answer:
            self.contradicts_itself = not formula.core()
            return None
        return formula.values(formula.cells)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._formula.close()
