"""Find an arrangement of mines, and check it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

import numpy as np

from sapper._util.arguments import check_callable
from sapper._util.names import member
from sapper._util.work import Progress, Work
from sapper.board import Board
from sapper.errors import InconsistentPosition, LimitReached
from sapper.position import EXPLODED, NUMBERS, Position, check_position
from sapper.solver.arrange.areas import areas
from sapper.solver.arrange.backtracking import backtracking
from sapper.solver.arrange.exact import exact
from sapper.solver.arrange.methods import Likelihood, Method, StartRule
from sapper.solver.arrange.problem import Problem
from sapper.solver.arrange.sat import sat
from sapper.solver.limit import Limit, checked

__all__ = ["Arrangement", "arrange"]

_Name = TypeVar("_Name", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """An arrangement of mines that fits a position, or the reason why none exists.

    Attributes:
        board: The arrangement, checked against every number and the total; None if none exists.
        problem: The reason why none exists: a number, an area or the total; None if one was found.
        areas: The number of autonomous areas after all deductions from single numbers; 0 if the
            search ended before that.
        combinations: The number of combinations tried by ``backtracking``.
        elapsed_s: Duration in seconds.
    """

    board: Board | None
    problem: InconsistentPosition | None = None
    areas: int = 0
    combinations: int = 0
    elapsed_s: float = field(default=0.0, compare=False)

    @property
    def found(self) -> bool:
        """Whether an arrangement was found; if not, none exists."""
        return self.board is not None

    @property
    def reason(self) -> str | None:
        """The reason why none exists, in one line; None if one was found."""
        return None if self.problem is None else str(self.problem)

    @property
    def cause(self) -> str | None:
        """``"number"``, ``"component"`` or ``"total"``, as in `InconsistentPosition`."""
        return None if self.problem is None else self.problem.cause

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form that the command line prints."""
        if self.board is not None:
            return {"found": True, "board": self.board.rows, "mines": self.board.mines}
        return {"found": False, "reason": self.reason, "cause": self.cause}


def arrange(
    position: Position,
    method: Method | str = Method.BACKTRACKING,
    *,
    start_rule: StartRule | str = StartRule.WEIGHTED,
    likelihood: Likelihood | str = Likelihood.COMBINATIONS,
    safe: Iterable[tuple[int, int]] = (),
    mined: Iterable[tuple[int, int]] = (),
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> Arrangement:
    r"""Find an arrangement of mines that fits every number and the total, or the reason for none.

    Without a total, cells that no number touches get no mines.

    Args:
        position: The position to match; flags are ignored.
        method: ``"backtracking"`` searches area by area, ``"exact"`` draws from the exact count,
            ``"sat"`` uses a satisfiability solver.
        start_rule: Where ``backtracking`` starts in an area: ``"rows"``, ``"fewest"`` or
            ``"weighted"``.
        likelihood: The order of its combinations: ``"values"``, ``"combinations"`` or
            ``"product"``.
        safe: Unopened cells that must be clear.
        mined: Unopened cells that must hold a mine.
        limit: The budget; None for unlimited time. `Limit.states` bounds the count of ``exact``,
            which then uses a satisfiability solver.
        progress: Called about ten times a second with a short status text.

    >>> print(arrange(Position.parse("..\n11", mines=1)).board)
    mines: 1
    *1
    11
    >>> arrange(Position.parse("..\n12")).reason
    '2 numbers contradict each other: (1, 0), (1, 1)'

    Raises:
        LimitReached: If the time is up before there is an answer.
        BadSetting: If a name is unknown, or a fixed cell is open or fixed both ways.
        Cancelled: If the limit's flag is set.
    """
    how = member(Method, method, "method")
    rule = member(StartRule, start_rule, "start_rule")
    order = member(Likelihood, likelihood, "likelihood")
    check_position(position)
    limit = checked(limit)
    if progress is not None:
        check_callable(progress, "progress")
    work = Work(limit.seconds, limit.cancel, progress)
    indices = position.topology.indices
    fixed = indices(safe), indices(mined)
    try:
        problem = Problem(position, *fixed, work)
        if how is Method.EXACT:
            tally = exact(problem, fixed, limit.states, work)
        elif how is Method.SAT:
            tally = sat(problem, areas(problem, work=work), work)
        else:
            tally = backtracking(problem, work, rule, order)
    except LimitReached:
        if limit.seconds is None:
            # `progress` raised this; it may have limits of its own.
            raise
        raise LimitReached(
            f"undecided after {limit.seconds:g} s: no arrangement found, and none proved impossible"
        ) from None
    except InconsistentPosition as none:
        return Arrangement(None, none, elapsed_s=work.elapsed_s)
    board = Board(position.topology, bytes(problem.value))
    _check(position, board, fixed)
    return Arrangement(board, None, *tally, elapsed_s=work.elapsed_s)


def _check(position: Position, board: Board, fixed: tuple[list[int], list[int]]) -> None:
    """Check a board against every number, the total and the fixed cells."""
    cells = np.frombuffer(position.cells, dtype=np.uint8)
    mined = np.frombuffer(board.mined, dtype=np.uint8)
    numbers = np.frombuffer(bytes(board.numbers), dtype=np.uint8)
    fits = position.mines in (None, board.mines)
    is_number = (cells >= NUMBERS[0]) & (cells <= NUMBERS[-1])
    fits &= not (is_number & ((mined != 0) | (numbers != cells - ord("0")))).any()
    fits &= not ((cells == ord(EXPLODED)) & (mined != 1)).any()
    safe, full = fixed
    fits &= not any(mined[cell] for cell in safe) and all(mined[cell] for cell in full)
    # As a safeguard, never return a board that does not fit, whichever method found it.
    if not fits or mined.max(initial=0) > 1:
        raise AssertionError("the arrangement found does not fit the position")
