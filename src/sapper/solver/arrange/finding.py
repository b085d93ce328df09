"""Finding an arrangement: the call, its answer, and the check of every answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter
from typing import Any, TypeVar

from sapper._util.names import member
from sapper.board import Board
from sapper.errors import BadSetting, InconsistentPosition
from sapper.position import Position
from sapper.solver.arrange.areas import areas
from sapper.solver.arrange.backtracking import backtracking
from sapper.solver.arrange.exact import exact
from sapper.solver.arrange.names import Likelihood, Method, StartRule
from sapper.solver.arrange.problem import Problem
from sapper.solver.arrange.sat import sat
from sapper.solver.arrange.watch import Progress, Watch

__all__ = ["Arrangement", "arrange"]

_Name = TypeVar("_Name", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """An arrangement of mines that fits a position, or why there is none.

    Attributes:
        board: The arrangement, checked against every number and the total; None if none exists.
        problem: Why none exists: which number, which area or the total; None if one was found.
        areas: The autonomous areas that the numbers fall into once single numbers have settled
            what they can; 0 if it never came to that.
        combinations: How often a combination was set, by ``backtracking``.
        elapsed_s: Wall-clock seconds that it took.
    """

    board: Board | None
    problem: InconsistentPosition | None = None
    areas: int = 0
    combinations: int = 0
    elapsed_s: float = 0.0

    @property
    def found(self) -> bool:
        """Whether there is an arrangement; if not, it is proved that there is none."""
        return self.board is not None

    @property
    def reason(self) -> str | None:
        """Why none exists, in one line; None if one was found."""
        return None if self.problem is None else str(self.problem)

    @property
    def cause(self) -> str | None:
        """``"number"``, ``"component"`` or ``"total"``, as `InconsistentPosition` has it."""
        return None if self.problem is None else self.problem.cause

    def to_json(self) -> dict[str, Any]:
        """The answer as the command line gives it."""
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
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Arrangement:
    r"""Find an arrangement of mines that fits every number and the total, or say why none does.

    Without a total, cells that no number touches stay clear.

    Args:
        position: What the arrangement must agree with; flags are ignored.
        method: ``"backtracking"`` searches area by area, ``"exact"`` draws from the exact
            count, ``"sat"`` asks a satisfiability solver.
        start_rule: Where ``backtracking`` begins an area: ``"rows"``, ``"fewest"`` or
            ``"weighted"``.
        likelihood: What orders its combinations: ``"values"``, ``"combinations"`` or
            ``"product"``.
        safe: Unopened cells to be clear.
        mined: Unopened cells to hold a mine.
        seconds: The most wall-clock time, or None for no bound.
        progress: Told about ten times a second, in a few words, what is being done.

    >>> print(arrange(Position.parse("..\n11", mines=1)).board)
    mines: 1
    *1
    11
    >>> arrange(Position.parse("..\n12")).reason
    '2 numbers contradict each other: (1, 0), (1, 1)'

    Raises:
        LimitReached: If the time is up before there is an answer.
        BadSetting: If a name is unknown, or a fixed cell is opened or fixed both ways.
    """
    how = member(Method, method, "method")
    rule = member(StartRule, start_rule, "start_rule")
    order = member(Likelihood, likelihood, "likelihood")
    if seconds is not None and not seconds > 0:
        raise BadSetting(f"the seconds must be above 0, not {seconds}")
    watch = Watch(seconds, progress)
    index = position.topology.index
    fixed = [index(cell) for cell in safe], [index(cell) for cell in mined]
    try:
        problem = Problem(position, *fixed)
        if how is Method.EXACT:
            tally = exact(problem, fixed, watch)
        elif how is Method.SAT:
            tally = sat(problem, areas(problem), watch)
        else:
            tally = backtracking(problem, watch, rule, order)
    except InconsistentPosition as none:
        return Arrangement(None, none, elapsed_s=perf_counter() - watch.started)
    board = Board(position.topology, bytes(problem.value))
    _check(position, board, fixed)
    return Arrangement(board, None, *tally, elapsed_s=perf_counter() - watch.started)


def _check(position: Position, board: Board, fixed: tuple[list[int], list[int]]) -> None:
    """Hold a board against every number, the total and the fixed cells."""
    mined, numbers = board.mined, board.numbers
    fits = position.mines in (None, board.mines)
    for cell, char in enumerate(position.cells):
        if char in b"012345678":
            fits &= not mined[cell] and numbers[cell] == char - ord("0")
        elif char == ord("*"):
            fits &= mined[cell] == 1
    safe, full = fixed
    fits &= not any(mined[cell] for cell in safe) and all(mined[cell] for cell in full)
    # No method may be trusted blindly, and a wrong board must never be given out.
    if not fits or set(mined) - {0, 1}:
        raise AssertionError("the arrangement found does not fit the position")
