"""What satisfiability proves of a component too wide to count.

The mine total is left out of the formula, so what is proved holds for every total.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from time import perf_counter

from pysat.solvers import Solver as SatSolver

from sapper import _core
from sapper.errors import InconsistentPosition

__all__ = ["classify", "clauses"]

_CONFLICTS = 20_000
"""Conflicts a single question may take before it is given up as unanswered."""


def clauses(mines: int, cells: list[int]) -> Iterator[list[int]]:
    """The binomial encoding of "exactly so many of these cells hold mines".

    Cell ``c`` is variable ``c + 1``, true for a mine.

    >>> list(clauses(1, [0, 1]))
    [[1, 2], [-1, -2]]
    """
    variables = [cell + 1 for cell in cells]
    # Of any so many cells one holds a mine; of any `mines + 1` one does not.
    for group in combinations(variables, len(cells) - mines + 1):
        yield list(group)
    for group in combinations(variables, mines + 1):
        yield [-variable for variable in group]


def classify(component: _core.Unsolved, deadline: float | None) -> tuple[set[int], set[int]]:
    """The cells proved safe and proved mined, as indices.

    Asks, for each cell and each value not yet seen in an arrangement, whether one exists. A
    question that runs out of time or of conflicts proves nothing.

    Args:
        component: The constraints, and what was already seen.
        deadline: When to stop, by `time.perf_counter`, or None.

    Raises:
        InconsistentPosition: If no arrangement fits the component; its cells are indices.
    """
    safe: set[int] = set()
    mined: set[int] = set()
    can_be_mined, can_be_clear = set(component.seen_mined), set(component.seen_clear)
    constraints = component.constraints
    formula = [clause for mines, around in constraints for clause in clauses(mines, around)]
    if not (can_be_mined or can_be_clear):
        with SatSolver(name="cadical153", bootstrap_with=formula) as sat:
            if not sat.solve():
                raise InconsistentPosition(
                    f"{len(component.numbers)} numbers contradict each other",
                    "component",
                    tuple(component.numbers),  # type: ignore[arg-type]  # located by the caller
                )
    with SatSolver(name="minisat22", bootstrap_with=formula) as sat:
        for cell in sorted({cell for _, around in constraints for cell in around}):
            for literal, seen, proved in (
                (cell + 1, can_be_mined, safe),
                (-cell - 1, can_be_clear, mined),
            ):
                if cell in seen:
                    continue
                if deadline is not None and perf_counter() >= deadline:
                    return safe, mined
                sat.conf_budget(_CONFLICTS)
                answer = sat.solve_limited(assumptions=[literal])
                if answer is False:
                    proved.add(cell)
                    break
                if answer:
                    model = sat.get_model()
                    can_be_mined.update(v - 1 for v in model if v > 0)
                    can_be_clear.update(-v - 1 for v in model if v < 0)
    return safe, mined
