"""The exact engine: the native core, in Python's types.

`sapper.solver.reference` is the same in slow, readable Python.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import perf_counter
from typing import cast

from sapper import _core
from sapper.errors import InconsistentPosition
from sapper.position import Position
from sapper.solver.analysis import Analysis, Limit
from sapper.topology import Cell, Topology

__all__ = ["Solver", "analyze"]


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
        started = perf_counter()
        shape = position.topology
        states, seconds = (None, None) if limit is None else (limit.states, limit.seconds)
        try:
            found = self._engine.analyze(
                shape.graph, position.cells, position.mines, states, seconds
            )
        except InconsistentPosition as error:
            raise _located(error, shape) from None
        return Analysis(
            position=position,
            p_mine=found.p_mine.reshape(shape.height, shape.width),
            safe=_cells(shape, found.safe),
            mined=_cells(shape, found.mined),
            exact=found.exact,
            count=found.solutions,
            elapsed_s=perf_counter() - started,
        )


def analyze(position: Position, limit: Limit | None = None) -> Analysis:
    """What can be known of a position, from scratch.

    Every arrangement of mines that fits counts as equally likely. Flags are the player's
    opinion and are ignored. For many positions of one game a `Solver` is faster.

    >>> found = analyze(Position.parse("..\\n11", mines=1))
    >>> found.solutions, found.p_mine[0].tolist()
    (2, [0.5, 0.5])

    Raises:
        InconsistentPosition: If no arrangement of mines fits.
    """
    return Solver().analyze(position, limit)


def _cells(shape: Topology, indices: Iterable[int]) -> frozenset[Cell]:
    width = shape.width
    return frozenset([Cell(*divmod(index, width)) for index in indices])


def _located(error: InconsistentPosition, shape: Topology) -> InconsistentPosition:
    """The core's error with cells in place of indices."""
    # The core knows no rows and columns: it puts indices where cells belong.
    cells = tuple(shape.cell(index) for index in cast(list[int], error.cells))
    where = ", ".join(map(str, cells[:4])) + (", …" if len(cells) > 4 else "")
    message = f"{error}: {where}" if cells else str(error)
    return InconsistentPosition(message, error.cause, cells)
