"""One question to a satisfiability solver: can these numbers all be met?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from pysat.solvers import Solver as SatSolver

from sapper.solver.arrange.watch import Watch

__all__ = ["Question"]

_PROPAGATIONS = 2_000_000
"""Work between two looks at the clock: some tenths of a second."""


class Question:
    """Numbers of mines among cells, as cardinality constraints.

    Attributes:
        contradicts_itself: After an answer of None, whether it holds whatever is held fast.
    """

    def __init__(self, constraints: Sequence[tuple[Sequence[int], int]]) -> None:
        cells = dict.fromkeys(cell for around, _ in constraints for cell in around)
        self._variable = {cell: at for at, cell in enumerate(cells, start=1)}
        self._solver: Any = SatSolver(name="minicard")
        self.contradicts_itself = False
        for around, mines in constraints:
            self._among([self._variable[cell] for cell in around], mines, mines)

    def _among(self, variables: list[int], least: int, most: int) -> None:
        self._solver.add_atmost(variables, most)
        self._solver.add_atmost([-variable for variable in variables], len(variables) - least)

    def bound(self, least: int, most: int) -> None:
        """Demand so many mines among all cells."""
        variables = list(self._variable.values())
        self._among(variables, max(0, least), min(most, len(variables)))

    def ask(self, held: dict[int, int], watch: Watch, doing: str) -> dict[int, int] | None:
        """An arrangement, with some cells held fast; None if there is none.

        Raises:
            LimitReached: If the time is up.
        """
        variable, solver = self._variable, self._solver
        fast = [variable[cell] if value else -variable[cell] for cell, value in held.items()]
        answer = None
        while answer is None:
            watch.look(lambda: doing)
            solver.prop_budget(_PROPAGATIONS)
            answer = solver.solve_limited(assumptions=fast, expect_interrupt=True)
        if not answer:
            self.contradicts_itself = not solver.get_core()
            return None
        model = solver.get_model()
        return {cell: int(model[at - 1] > 0) for cell, at in variable.items()}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()
