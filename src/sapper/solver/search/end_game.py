"""Perfect play: the number of solutions it wins, and every best first cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import sapper._core as _core
from sapper._util.arguments import whole
from sapper._util.forking import renew_after_fork
from sapper._util.json_reading import fraction, reading
from sapper.errors import BadSetting, InconsistentPosition, LimitReached
from sapper.position import Position, check_position
from sapper.solver.limit import Limit, checked
from sapper.solver.locating import located
from sapper.topology import Cell

__all__ = ["SOLUTIONS", "STATES", "EndGame", "Optimal", "optimal"]

SOLUTIONS = 1_000_000
"""Default limit of solutions."""
STATES = 50_000_000
"""Default limit of states."""


@dataclass(frozen=True)
class Optimal:
    """The result of perfect play.

    Attributes:
        position: The starting position.
        wins: The number of solutions that perfect play wins; None with a density, which gives them
            different weights.
        win_chance: Probability of winning, from 0 to 1.
        solutions: The arrangements of mines that fit.
        best_indices: `best` as indices in row order.
        states: The number of states searched, for speed comparisons.
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

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, without the position; counts are integers of any size."""
        return {
            "wins": self.wins,
            "solutions": self.solutions,
            "win_chance": self.win_chance,
            "best": sorted(map(list, self.best)),
            "states": self.states,
        }

    @classmethod
    def from_json(cls, obj: Any, position: Position) -> Self:
        """Read the JSON form of the perfect play of a position.

        Raises:
            BadSave: If the JSON form is invalid.
        """
        check_position(position)
        with reading("a result of perfect play"):
            return cls(
                position,
                None if obj["wins"] is None else whole(obj["wins"], "'wins'"),
                whole(obj["solutions"], "'solutions'"),
                fraction(obj["win_chance"], "'win_chance'"),
                tuple(sorted(position.topology.indices(map(tuple, obj["best"])))),
                whole(obj["states"], "'states'"),
            )


class EndGame:
    """Perfect play that caches its results from move to move.

    Threads may share it; they then take turns.
    """

    def __init__(self) -> None:
        self.renew()
        renew_after_fork(self)

    def renew(self) -> None:
        """Clear the cache; for processes forked while a thread was using it."""
        self._core = _core.EndGame()

    def optimal(
        self, position: Position, *, solutions: int = SOLUTIONS, limit: Limit | None = None
    ) -> Optimal:
        """Play a position perfectly; see `optimal`."""
        return _optimal(self._core, position, limit, solutions)

    def cell(
        self, position: Position, *, solutions: int = SOLUTIONS, limit: Limit | None = None
    ) -> int | None:
        """Return the index of one best cell, faster than finding all of them; None if none is left.

        Raises:
            LimitReached: See `optimal`.
        """
        return _solve(self._core, position, limit, solutions, best=False).cell


def optimal(
    position: Position, *, solutions: int = SOLUTIONS, limit: Limit | None = None
) -> Optimal:
    r"""Play a position perfectly: count the solutions won, and list every best cell.

    Every arrangement of mines that fits is equally likely, or is weighted by the density; flags are
    ignored. No play wins more solutions.

    Args:
        position: A position with a mine total or a density.
        limit: The maximum number of states and seconds (default: 50 million states), and a cancel
            flag.
        solutions: The maximum number of solutions of the position.

    >>> found = optimal(Position.parse("...\n...\n...", mines=1))
    >>> found.wins, found.solutions, len(found.best)
    (8, 9, 8)

    Raises:
        LimitReached: If the position exceeds the limit.
        BadSetting: If the position has neither a mine total nor a density, or `solutions` is out
            of range.
        Cancelled: If the limit's flag is set.
        InconsistentPosition: If no arrangement of mines fits.
    """
    # The Python `EndGame` also registers a fork handler, which takes a microsecond.
    return _optimal(_core.EndGame(), position, limit, solutions)


def _optimal(
    core: _core.EndGame, position: Position, limit: Limit | None, solutions: int
) -> Optimal:
    found = _solve(core, position, limit, solutions, best=True)
    return Optimal(
        position, found.wins, found.solutions, found.win_chance, tuple(found.best), found.states
    )


def _solve(
    core: _core.EndGame, position: Position, limit: Limit | None, solutions: int, *, best: bool
) -> _core.PerfectPlay:
    check_position(position)
    limit = checked(limit)
    solutions = whole(solutions, "solutions", most=2**63 - 1)
    if position.mines is None and position.density is None:
        raise BadSetting(
            "perfect play needs a mine total or a density, and this position has neither"
        )
    try:
        found = core.solve(
            position.topology.graph,
            position.cells,
            position.mines,
            position.density,
            position.running,
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
