"""Proofs by satisfiability for components too wide to count.

The mine total is not part of the formula, so proofs hold for every total.
"""

from __future__ import annotations

from typing import Final

import sapper._core as _core
from sapper._util.work import Work
from sapper.errors import InconsistentPosition
from sapper.solver.sat import Formula

__all__ = ["classify"]

_CONFLICTS: Final = 20_000
"""The most conflicts per query; beyond that it is unanswered."""


def classify(component: _core.Unsolved, work: Work) -> tuple[set[int], set[int]]:
    """Return the cells proved safe and proved mined, as indices.

    For each cell and value not yet seen in an arrangement, a query determines whether one exists. A
    query that runs out of time or conflicts proves nothing.

    Args:
        component: The constraints, and the values already seen.
        work: The deadline.

    Raises:
        InconsistentPosition: If no arrangement fits the component; the error gives cells by index.
    """
    safe: set[int] = set()
    mined: set[int] = set()
    can_be_mined, can_be_clear = set(component.seen_mined), set(component.seen_clear)
    with Formula(work=work) as formula:
        constraints = component.constraints
        for number, constraint in enumerate(constraints):
            if number % 64 == 0 and work.is_late():
                # With only part of the formula, a query could wrongly be satisfiable.
                return safe, mined
            formula.exactly(constraint.mines, formula.variables(constraint.cells))
        if not (can_be_mined or can_be_clear):
            possible = formula.ask()
            if possible is False:
                raise InconsistentPosition(
                    f"{len(component.numbers)} numbers contradict each other",
                    "component",
                    tuple(component.numbers),  # type: ignore[arg-type]  # located by the caller
                )
            if possible is None:
                return safe, mined
            can_be_mined.update(formula.mined())
        for cell in sorted({cell for constraint in constraints for cell in constraint.cells}):
            variable = formula.variable(cell)
            for literal, seen, proved in (
                (variable, can_be_mined, safe),
                (-variable, can_be_clear, mined),
            ):
                if cell in seen:
                    continue
                if work.is_late():
                    return safe, mined
                answer = formula.ask([literal], conflicts=_CONFLICTS)
                if answer is False:
                    proved.add(cell)
                    break
                if answer:
                    model = formula.values(formula.cells)
                    can_be_mined.update(cell for cell, mine in model.items() if mine)
                    can_be_clear.update(cell for cell, mine in model.items() if not mine)
    return safe, mined
