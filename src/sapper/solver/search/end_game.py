"""Perfect play: the number of solutions it wins, and every best first cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import sapper._core as _core
from sapper._util.arguments import whole
from sapper.errors import BadSetting, InconsistentPosition, LimitReached
from sapper.position import Position, check_position
from sapper.solver.limit import Limit, checked
from sapper.solver.locating import located
from sapper.topology import Cell

__all__ = ["SOLUTIONS", "STATES", "EndGame", "Optimal", "optimal"]

SOLUTIONS = 1_000_000
"""The most solutions of a position that are searched unless told otherwise."""
STATES = 50_000_000
"""The most states that are searched unless told otherwise."""


@dataclass(frozen=True)
class Optimal:
    """The result of perfect play.

    Attributes:
        position: The position played from.
        wins: How many of the solutions perfect play wins; None with a density, by which they do
            not weigh the same.
        win_chance: Probability of winning, from 0 to 1.
        solutions: The arrangements of mines that fit.
        best_indices: `best` as indices in row order.
        states: The states searched, for comparing speed.
    """

    position: Position
    wins: int | None
    solutions: int
    win_chance: float
    best_indices: tuple[int, ...] = field(repr=False)
    states: int = field(repr=False, compare=False)

    @cached_property
    def best(self) -> frozenset[Cell]:
        """Every cell that perfect play may open next; empty if only mines are left."""
        return self.position.topology.cells_at(self.best_indices)


class EndGame:
    """Perfect play that remembers its results from move to move.

    It may be shared between threads, which then take turns.
    """

    def __init__(self) -> None:
        self._core = _core.EndGame()

    def optimal(
        self, position: Position, limit: Limit | None = None, *, solutions: int = SOLUTIONS
    ) -> Optimal:
        """Play a position perfectly; see `optimal`."""
        found = self._solve(position, limit, solutions, best=True)
        wins, chance, count, states, _, best, _ = found
        return Optimal(position, wins, count, chance, tuple(best), states)

    def cell(
        self, position: Position, limit: Limit | None = None, *, solutions: int = SOLUTIONS
    ) -> int | None:
        """Return the index of one best cell, faster than all of them; None if none is left.

        Raises:
            LimitReached: See `optimal`.
        """
        return self._solve(position, limit, solutions, best=False)[4]

    def _solve(
        self, position: Position, limit: Limit | None, solutions: int, *, best: bool
    ) -> tuple[int | None, float, int, int, int | None, list[int], list[tuple[int, float]]]:
        check_position(position)
        limit = checked(limit)
        solutions = whole(solutions, "solutions", most=2**63 - 1)
        if position.mines is None and position.density is None:
            raise BadSetting(
                "perfect play needs a mine total or a density, and this position has neither"
            )
        try:
            found = self._core.solve(
                position.topology.graph,
                position.cells,
                position.mines,
                position.density,
                solutions,
                STATES if limit.states is None else limit.states,
                limit.seconds,
                best,
                cancel=limit.cancel,
            )
        except InconsistentPosition as error:
            raise located(error, position.topology) from None
        if found is None:
            raise LimitReached(
                f"perfect play is past the limit: over {solutions} solutions, or too many states"
            )
        return found


def optimal(
    position: Position, limit: Limit | None = None, *, solutions: int = SOLUTIONS
) -> Optimal:
    r"""Play a position perfectly: count the solutions won, and name every best cell.

    Every arrangement of mines that fits counts as equally likely, or as a density weighs it; flags
    are ignored. No play wins more solutions than the result, on average over them.

    Args:
        position: With its mine total, or a density.
        limit: The most states and seconds (default: 50 million states), and what cancels it.
        solutions: The most solutions that the position may have.

    >>> found = optimal(Position.parse("...\n...\n...", mines=1))
    >>> found.wins, found.solutions, len(found.best)
    (8, 9, 8)

    Raises:
        LimitReached: If the position is past the limit.
        BadSetting: If the position has neither a mine total nor a density, or `solutions` is out
            of range.
        Cancelled: If the flag of the limit is set while it plays.
        InconsistentPosition: If no arrangement of mines fits.
    """
    return EndGame().optimal(position, limit, solutions=solutions)
