"""Minimal sets of numbers that prove a cell clear, or a mine.

They are an unsatisfiable core, made irreducible by deletion (J. Marques-Silva, "Minimal
Unsatisfiability", ISMVL 2010).
"""

from __future__ import annotations

from typing import Final, Self

from sapper._util.work import Work
from sapper.solver.sat import Formula
from sapper.solver.witnesses import Witness

__all__ = ["ConflictQuery"]

_CONFLICTS: Final = 2_000
"""The most conflicts per query; beyond that it is unanswered."""


class ConflictQuery:
    """Tests whether a mine on a cell contradicts the numbers, and finds a minimal set of these.

    Args:
        cell: The cell, by index.
        work: The deadline.
        mined: Whether to test a clear cell instead.
    """

    def __init__(self, cell: int, work: Work | None = None, *, mined: bool = False) -> None:
        self._formula = Formula(work=work)
        self._switches: dict[int, int] = {}
        variable = self._formula.variable(cell)
        self._supposed = -variable if mined else variable

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._formula.close()

    def add(self, witnesses: dict[int, Witness]) -> None:
        """Add numbers, each of which can be left out of a query."""
        for at, witness in witnesses.items():
            literals = self._formula.variables(sorted(witness.cells))
            switch = self._switches[at] = self._formula.new()
            self._formula.exactly(witness.mines, literals, switch)

    def count(self, cells: list[int], mines: int) -> None:
        """Add the mine total."""
        literals = self._formula.variables(cells)
        for side, most in ((literals, mines), ([-v for v in literals], len(literals) - mines)):
            if most:
                self._formula.at_most(side, most)
            else:
                self._formula.add(*([-literal] for literal in side))

    def core(self, order: list[int]) -> list[int] | None:
        """Return a minimal set of numbers that contradict the tested value; None if there is none.

        Args:
            order: The numbers to use; the last ones are removed first.
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
        if self._formula.ask([self._supposed, *switches], conflicts=_CONFLICTS) is not False:
            return None
        return {switches[switch] for switch in self._formula.core() if switch in switches}
