"""The exact engine: the native core, with Python's types.

`sapper.solver.reference` does the same in slow, readable Python.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Protocol

import sapper._core as _core
from sapper._util.forking import renew_after_fork
from sapper._util.work import Work
from sapper.errors import InconsistentPosition
from sapper.position import Position, check_position
from sapper.solver.analysis import Analysis, exact_analysis, not_counted
from sapper.solver.limit import Limit, checked
from sapper.solver.locating import located
from sapper.solver.proof import classify

__all__ = ["Solver", "analyze"]


class Solver:
    """An analyser that caches solved components, for the positions of one game.

    Most of a board does not change between moves, so with one solver per game, the cost depends
    only on what changes. Threads may share it; their calls then run one at a time.
    """

    def __init__(self) -> None:
        self.renew()
        renew_after_fork(self)

    def renew(self) -> None:
        """Clear the cache; for processes forked while a thread was using the solver."""
        self._engine = _core.Engine()

    def __reduce__(self) -> tuple[type[Solver], tuple[()]]:
        """Pickle as a new solver, because the cache only saves time."""
        return Solver, ()

    def analyze(self, position: Position, *, limit: Limit | None = None) -> Analysis:
        """Analyse a position; the arguments, the result and the errors are those of `analyze`.

        Raises:
            InconsistentPosition: If no arrangement of mines fits.
            Cancelled: If the limit's flag is set.
        """
        return _answer(self._engine.analyze, position, limit)


def analyze(position: Position, *, limit: Limit | None = None) -> Analysis:
    r"""Analyse a position from scratch.

    Every arrangement of mines that fits is equally likely, unless a density gives them weights.
    Flags are ignored, and in a running game, some unopened cell is clear; see `Position`. A
    `Solver` is faster for many positions of one game.

    >>> found = analyze(Position.parse("..\n11", mines=1))
    >>> found.solutions, found.p_mine[0].tolist()
    (2, [0.5, 0.5])

    Args:
        position: The position. An opened mine simply counts as a known mine.
        limit: The budget (default: only a memory bound). Exceeding it raises no error: the result
            is not `exact`, and its chances are estimates.

    Raises:
        InconsistentPosition: If no arrangement of mines fits.
        Cancelled: If the limit's flag is set.
    """
    return _answer(_core.analyze, position, limit)


class _Analyze(Protocol):
    """The core's functions, with a cache and without."""

    def __call__(
        self,
        graph: _core.Graph,
        cells: bytes,
        mines: int | None = None,
        density: float | None = None,
        running: bool = True,
        states: int | None = None,
        seconds: float | None = None,
        cancel: _core.Cancel | None = None,
    ) -> _core.Analysis: ...


def _answer(ask: _Analyze, position: Position, limit: Limit | None) -> Analysis:
    # Common boards take about 25 us, so each property access or `partial` here costs one per cent.
    if not isinstance(position, Position):
        check_position(position)
    started = perf_counter()
    states, work = None, None
    if limit is not None:
        states = checked(limit).states
        if limit.seconds is not None or limit.cancel is not None:
            work = limit.work()
    shape = position.topology
    # The first use of a shape builds its graph, which takes part of the time on large boards.
    graph = shape.graph
    try:
        if work is None:
            found = ask(
                graph, position.cells, position.mines, position.density, position.running, states
            )
        else:
            known = position.mines, position.density, position.running
            found = ask(graph, position.cells, *known, states, work.left, work.cancel)
        if not found.exact:
            return _estimated(position, found, started, work or Work())
    except InconsistentPosition as error:
        raise located(error, shape) from None
    p_mine, safe, mined = found.p_mine, found.safe, found.mined
    count: Callable[[], int | None] = found.solutions
    if work is not None:
        # The rest of the limit is reserved for the count, in case it is requested.
        count = partial(found.solutions, work.left, work.cancel)
    return exact_analysis(
        position=position,
        p_mine=p_mine.reshape(shape.height, shape.width),
        safe_indices=safe,
        mined_indices=mined,
        count=count,
        log_weight=found.log_weight,
        elapsed_s=perf_counter() - started,
    )


def _estimated(position: Position, found: _core.Analysis, started: float, work: Work) -> Analysis:
    """Return the result beyond the limit: estimates, and cells proved by satisfiability."""
    shape = position.topology
    p_mine, error = found.p_mine, found.p_mine_error
    assert error is not None
    clear, mines = set[int](), set[int]()
    for number in range(found.unsolved_count):
        if work.is_late():
            break
        more_clear, more_mines = classify(found.unsolved(number), work)
        clear |= more_clear
        mines |= more_mines
    for proved, chance in ((clear, 0.0), (mines, 1.0)):
        at = list(proved)
        p_mine[at], error[at] = chance, 0.0
    return Analysis(
        position=position,
        p_mine=p_mine.reshape(shape.height, shape.width),
        safe_indices=sorted(clear.union(found.safe)) if clear else found.safe,
        mined_indices=sorted(mines.union(found.mined)) if mines else found.mined,
        _count=not_counted,
        exact=False,
        p_mine_error=error.reshape(shape.height, shape.width),
        elapsed_s=perf_counter() - started,
    )
