"""``exact``: an arrangement drawn uniformly from all that fit, using the exact count.

Positions too wide to count are left to the satisfiability solver.
"""

from __future__ import annotations

import sapper._core as _core
from sapper._util.work import Work
from sapper.errors import InconsistentPosition
from sapper.solver.arrange.areas import areas
from sapper.solver.arrange.problem import CLEAR, Problem
from sapper.solver.arrange.sat import sat
from sapper.solver.arrange.tally import WorkTally
from sapper.solver.locating import located

__all__ = ["exact"]

_STATES = 4_000_000
"""States to count before switching to the satisfiability solver."""
_WIDEST = 20_000
"""The most numbers in an area; beyond that, ordering takes longer than finding an arrangement."""


def exact(
    problem: Problem, fixed: tuple[list[int], list[int]], states: int | None, work: Work
) -> WorkTally:
    """Fill in `problem.value`, counting at most `states` states (None: a default bound).

    Raises:
        InconsistentPosition: If no arrangement fits.
        LimitReached: If the time is up.
    """
    position = problem.position
    islands = areas(problem, work=work)
    if max(map(len, islands), default=0) > _WIDEST:
        return sat(problem, islands, work)
    # The satisfiability solver handles the rest.
    seconds = None if work.left is None else work.left / 2

    work.look("counting arrangements")
    try:
        drawn = _core.Engine().sample(
            position.topology.graph,
            position.cells,
            position.mines,
            position.density,
            # An arrangement of a game that is over fits as well.
            False,
            *fixed,
            1,
            0,
            _STATES if states is None else states,
            seconds,
            work.cancel,
        )
    except InconsistentPosition as error:
        if error.cause == "total":
            # If too many mines are already settled, the core's bounds cover only part of the board,
            # so check the total here.
            problem.check_total()
        raise located(error, position.topology) from None
    if drawn is None:
        return sat(problem, islands, work)
    floating = problem.floating() if position.mines is None else []
    problem.value[:] = drawn[0]
    for cell in floating:
        problem.value[cell] = CLEAR
    return WorkTally(len(islands))
