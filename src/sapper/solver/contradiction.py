"""Numbers that leave no room for a mine, and none of them needless.

They are an unsatisfiable core, made irreducible by deletion (J. Marques-Silva, "Minimal
Unsatisfiability", ISMVL 2010).
"""

from __future__ import annotations

from typing import Final, Self

from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from sapper.solver.proof import clauses
from sapper.solver.witnesses import Witness

__all__ = ["Question"]

_CONFLICTS: Final = 2_000
"""Conflicts a question may take before it counts as unanswered."""


class Question:
    """Whether a mine on a cell contradicts numbers, and which of them it takes for that."""

    def __init__(self, cell: int) -> None:
        self._sat = Solver(name="minisat22")
        self._variables: dict[int, int] = {}
        self._switches: dict[int, int] = {}
        self._last = 0
        self._mine = self._variable(cell)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._sat.delete()

    def _new(self) -> int:
        self._last += 1
        return self._last

    def _variable(self, cell: int) -> int:
        if cell not in self._variables:
            self._variables[cell] = self._new()
        return self._variables[cell]

    def add(self, witnesses: dict[int, Witness]) -> None:
        """Make numbers known; each can be left out of a question."""
        for at, witness in witnesses.items():
            named = {self._variable(cell): cell for cell in sorted(witness.cells)}
            switch = self._switches[at] = self._new()
            for clause in clauses(witness.mines, [variable - 1 for variable in named]):
                self._sat.add_clause([*clause, -switch])

    def count(self, cells: list[int], mines: int) -> None:
        """Make the mine total known."""
        variables = [self._variable(cell) for cell in cells]
        encoded = CardEnc.equals(variables, mines, self._last, encoding=EncType.totalizer)
        self._sat.append_formula(encoded.clauses)

    def core(self, order: list[int]) -> list[int] | None:
        """Numbers that contradict a mine, none of them needless; None if these do not.

        Args:
            order: The numbers to use; the last are the first to be left out.
        """
        needed = self._core(order)
        if needed is None:
            return None
        for at in [at for at in reversed(order) if at in needed]:
            if at in needed:
                smaller = self._core([other for other in order if other in needed and other != at])
                needed = needed if smaller is None else smaller
        return [at for at in order if at in needed]

    def _core(self, numbers: list[int]) -> set[int] | None:
        switches = {self._switches[at]: at for at in numbers}
        self._sat.conf_budget(_CONFLICTS)
        if self._sat.solve_limited(assumptions=[self._mine, *switches]) is not False:
            return None
        return {switches[switch] for switch in self._sat.get_core() or () if switch in switches}
