"""The exact engine: the native core, in Python's types.

`sapper.solver.reference` is the same in slow, readable Python.
"""

from __future__ import annotations

from time import perf_counter
from typing import Protocol, cast

from sapper import _core
from sapper.errors import InconsistentPosition
from sapper.position import Position
from sapper.solver.analysis import Analysis, Limit
from sapper.solver.proof import classify
from sapper.topology import Topology

__all__ = ["Solver", "analyze", "located"]


class Solver:
    """An analyser that remembers the components it has solved.

    From move to move most of a board stays as it is, so analysing a game through one solver
    costs about what changed. It may be shared between threads, which then take turns.
    """

    def __init__(self) -> None:
        self._engine = _core.Engine()

    def analyze(self, position: Position, limit: Limit | None = None) -> Analysis:
        """What can be known of a position.

        Raises:
            InconsistentPosition: If no arrangement of mines fits.
        """
        return _answer(self._engine.analyze, position, limit)


def analyze(position: Position, limit: Limit | None = None) -> Analysis:
    r"""What can be known of a position, from scratch.

    Every arrangement of mines that fits counts as equally likely. Flags are the player's
    opinion and are ignored. For many positions of one game a `Solver` is faster.

    >>> found = analyze(Position.parse("..\n11", mines=1))
    >>> found.solutions, found.p_mine[0].tolist()
    (2, [0.5, 0.5])

    Raises:
        InconsistentPosition: If no arrangement of mines fits.
    """
    return _answer(_core.analyze, position, limit)


class _Analyze(Protocol):
    """What the core offers, with memory and without."""

    def __call__(
        self,
        graph: _core.Graph,
        cells: bytes,
        mines: int | None = None,
        states: int | None = None,
        seconds: float | None = None,
    ) -> _core.Analysis: ...


def _answer(ask: _Analyze, position: Position, limit: Limit | None) -> Analysis:
    started = perf_counter()
    shape = position.topology
    states, seconds = (None, None) if limit is None else (limit.states, limit.seconds)
    try:
        found = ask(shape.graph, position.cells, position.mines, states, seconds)
        if not found.exact:
            deadline = None if seconds is None else started + seconds
            return _estimated(position, found, started, deadline)
    except InconsistentPosition as error:
        raise located(error, shape) from None
    return Analysis(
        position=position,
        p_mine=found.p_mine.reshape(shape.height, shape.width),
        safe_indices=found.safe,
        mined_indices=found.mined,
        count=found.solutions,
        elapsed_s=perf_counter() - started,
    )


def _estimated(
    position: Position, found: _core.Analysis, started: float, deadline: float | None
) -> Analysis:
    """The answer when the limit ran out: estimates, and what satisfiability still proves."""
    shape = position.topology
    p_mine, error = found.p_mine, found.p_mine_error
    assert error is not None
    safe, mined = set(found.safe), set(found.mined)
    for component in found.unsolved:
        clear, mines = classify(component, deadline)
        safe |= clear
        mined |= mines
    for proved, chance in ((safe, 0.0), (mined, 1.0)):
        at = list(proved)
        p_mine[at], error[at] = chance, 0.0
    return Analysis(
        position=position,
        p_mine=p_mine.reshape(shape.height, shape.width),
        safe_indices=sorted(safe),
        mined_indices=sorted(mined),
        count=lambda: None,
        exact=False,
        p_mine_error=error.reshape(shape.height, shape.width),
        elapsed_s=perf_counter() - started,
    )


def located(error: InconsistentPosition, shape: Topology) -> InconsistentPosition:
    """The core's error with cells in place of indices."""
    # The core knows no rows and columns: it puts indices where cells belong.
    cells = tuple(shape.cell(index) for index in cast(list[int], error.cells))
    where = ", ".join(map(str, cells[:4])) + (", …" if len(cells) > 4 else "")
    message = f"{error}: {where}" if cells else str(error)
    return InconsistentPosition(message, error.cause, cells)
