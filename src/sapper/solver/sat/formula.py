"""A formula about mines, with queries under one budget."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import Any, Final, Self

from sapper._util.work import Work
from sapper.solver.sat.clauses import exactly

__all__ = ["Formula"]

_PROPAGATIONS: Final = 100_000
"""Work between clock readings: about a hundredth of a second."""


class Formula:
    """Clauses over one variable per cell, true for a mine, and over auxiliary variables.

    A query stops at the deadline of its `Work`, at its own limit of conflicts, or at Ctrl-C.
    Without a deadline, only conflicts and propagations are limited, so the same queries have the
    same answers on any machine.

    Args:
        solver: The solver's name in PySAT: ``"minisat22"``, or ``"minicard"``, which supports
            cardinality constraints natively.
        work: The deadline and cancel flag of all queries; None for no limit.

    Attributes:
        clauses: Number of clauses and cardinality constraints added.
    """

    def __init__(self, solver: str = "minisat22", work: Work | None = None) -> None:
        # Imported here, and below, because most games need no satisfiability.
        from pysat.solvers import Solver

        self._sat: Any = Solver(name=solver)
        self._work = work or Work()
        self._variables: dict[Hashable, int] = {}
        self._last = 0
        self._false = False
        self.clauses = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver's memory, which Python does not manage."""
        self._sat.delete()

    def variable(self, cell: Hashable) -> int:
        """Return the variable of a cell, creating it if necessary."""
        known = self._variables.get(cell)
        if known is None:
            known = self._variables[cell] = self.new()
        return known

    def variables(self, cells: Iterable[Hashable]) -> list[int]:
        """Return the variables of some cells."""
        known = self._variables
        # Variables are numbered from 1, so an existing one is never falsy.
        return [known.get(cell) or self.variable(cell) for cell in cells]

    def new(self) -> int:
        """Return an auxiliary variable."""
        self._last += 1
        return self._last

    @property
    def cells(self) -> Collection[Any]:
        """The cells that have a variable."""
        return self._variables.keys()

    @property
    def size(self) -> int:
        """Number of variables."""
        return self._last

    def add(self, *clauses: Sequence[int]) -> None:
        """Add clauses. An empty one makes the formula false."""
        add_clause = self._sat.add_clause
        for clause in clauses:
            if clause:
                add_clause(clause)
            else:
                self._false = True
        self.clauses += len(clauses)

    def exactly(self, mines: int, literals: Sequence[int], condition: int | None = None) -> None:
        """Require this many true literals; with a `condition`, only if it is true."""
        clauses = exactly(mines, literals)
        if condition is None:
            self.add(*clauses)
        else:
            self.add(*([*clause, -condition] for clause in clauses))

    def between(self, least: int, most: int, literals: Sequence[int]) -> None:
        """Require a number of true literals in a range, with minicard's native constraints."""
        self._sat.add_atmost(literals, most)
        self._sat.add_atmost([-literal for literal in literals], len(literals) - least)
        self.clauses += 2

    def at_most(self, literals: Sequence[int], most: int) -> list[int]:
        """Count true literals with a totalizer, and require at most this many.

        Source: O. Bailleux and Y. Boufkhad, CP 2003. `most` must be above 0.

        Returns:
            The assumptions under which there are fewer.
        """
        from pysat.card import ITotalizer

        with ITotalizer(lits=list(literals), ubound=most, top_id=self._last) as count:
            self._last = max(self._last, count.top_id)
            self.add(*count.cnf.clauses)
            if most < len(literals):
                # Output k is true if more than k inputs are.
                self.add([-count.rhs[most]])
            return [-count.rhs[most - 1]]

    def prefer(self, literals: Sequence[int]) -> None:
        """Try these values first."""
        self._sat.set_phases(literals)

    def ask(
        self,
        assumptions: Sequence[int] = (),
        *,
        conflicts: int | None = None,
        watch: Callable[[], None] | None = None,
    ) -> bool | None:
        """Return whether the formula can be true under these assumptions.

        Args:
            assumptions: Literals that hold for this query only.
            conflicts: The most conflicts.
            watch: Called between slices of the work, to report progress or raise an exception.

        Returns:
            None if the time or the number of conflicts was exceeded.

        Raises:
            Cancelled: If the cancel flag is set.
        """
        if self._false:
            return False
        left = conflicts
        end = None if conflicts is None else self._conflicts() + conflicts
        while left is None or left > 0:
            if watch is not None:
                watch()
            if self._work.is_late():
                return None
            # Both limits count from here; -1 removes the limit of an earlier query.
            self._sat.conf_budget(-1 if left is None else left)
            self._sat.prop_budget(_PROPAGATIONS)
            # Without `expect_interrupt`, PySAT jumps out of the solver on Ctrl-C and corrupts it.
            answer = self._sat.solve_limited(assumptions=list(assumptions), expect_interrupt=True)
            if answer is not None:
                return bool(answer)
            left = None if end is None else end - self._conflicts()
        return None

    def _conflicts(self) -> int:
        return int(self._sat.accum_stats()["conflicts"])

    def core(self) -> Collection[int]:
        """Return the assumptions of the last query that contradict the formula."""
        return [] if self._false else self._sat.get_core() or []

    def model(self) -> Callable[[int], bool]:
        """Return whether a literal is true in the arrangement found by the last query."""
        model = self._sat.get_model()

        def is_true(literal: int) -> bool:
            at = abs(literal)
            # A variable that occurs in no clause may have no value; treat it as false.
            return (at <= len(model) and model[at - 1] > 0) == (literal > 0)

        return is_true

    def mined(self) -> Iterator[Any]:
        """Return the mines of the arrangement found by the last query."""
        model = self._sat.get_model()
        known = len(model)
        variables = self._variables.items()
        return (cell for cell, at in variables if at <= known and model[at - 1] > 0)

    def values(self, cells: Iterable[Hashable]) -> dict[Any, int]:
        """Return 1 for a mine or 0 for each of these cells, in the last arrangement found."""
        is_true = self.model()
        return {cell: int(is_true(self._variables[cell])) for cell in cells}
