"""``exact``: an arrangement drawn from the exact count, uniformly among all that fit.

A position too wide to be counted goes to satisfiability.
"""

from __future__ import annotations

import sapper._core as _core
from sapper._util.work import Work
from sapper.errors import InconsistentPosition
from sapper.solver.arrange.areas import areas
from sapper.solver.arrange.problem import CLEAR, Problem
from sapper.solver.arrange.sat import sat
from sapper.solver.arrange.tally import Tally
from sapper.solver.locating import located

__all__ = ["exact"]

_STATES = 4_000_000
"""States of the counting programme before it is left to satisfiability."""
_WIDEST = 20_000
"""Numbers in one area; beyond, finding an order to count in takes longer than an arrangement."""


def exact(
    problem: Problem, fixed: tuple[list[int], list[int]], states: int | None, work: Work
) -> Tally:
    """Fill in `problem.value`, counting at most so many states (None: a bound of its own).

    Raises:
        InconsistentPosition: If it is proved that no arrangement fits.
        LimitReached: If the time is up.
    """
    position = problem.position
    islands = areas(problem, work=work)
    if max(map(len, islands), default=0) > _WIDEST:
        return sat(problem, islands, work)
    # Anything left is solved by satisfiability.
    seconds = None if work.left is None else work.left / 2

    work.look("counting arrangements")
    try:
        drawn = _core.Engine().sample(
            position.topology.graph,
            position.cells,
            position.mines,
            position.density,
            *fixed,
            1,
            0,
            _STATES if states is None else states,
            seconds,
            work.cancel,
        )
    except InconsistentPosition as error:
        if error.cause == "total":
            # If too many mines are already settled, the core's bounds leave out the rest.
            problem.check_total()
        raise located(error, position.topology) from None
    if drawn is None:
        return sat(problem, islands, work)
    floating = problem.floating() if position.mines is None else []
    problem.value[:] = drawn[0]
    for cell in floating:
        problem.value[cell] = CLEAR
    return Tally(len(islands))
