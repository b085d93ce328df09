"""An independent player that opens boards with nothing but a satisfiability solver."""

from __future__ import annotations

from itertools import combinations

from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from sapper import Board
from sapper.topology import Cell


class SatPlayer:
    """Opens the cells that have no mine in any arrangement that fits."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._graph = board.topology.graph
        self._numbers = board.numbers
        self._size = board.topology.size
        self._opened: set[int] = set()
        self._sat = Solver(name="minisat22")
        self._totalled = False

    def opens(self, start: Cell, with_total: bool) -> bool:
        """Whether it opens every safe cell from the start without a guess."""
        self._open(self._board.topology.index(start))
        while len(self._opened) < self._size - self._board.mines:
            safe = [cell for cell in self._frontier() if not self._may_be_mined(cell)]
            if not safe and with_total:
                self._count()
                unknown = (c for c in range(self._size) if c not in self._opened)
                safe = [cell for cell in unknown if not self._may_be_mined(cell)]
            if not safe:
                return False
            for cell in safe:
                self._open(cell)
        return True

    def _open(self, cell: int) -> None:
        if cell in self._opened:
            return
        assert not self._board.mined[cell], "proved safe, and a mine"
        self._opened.add(cell)
        self._sat.add_clause([-cell - 1])
        around = self._graph.neighbours(cell)
        number = self._numbers[cell]
        for group in combinations(around, number + 1):
            self._sat.add_clause([-c - 1 for c in group])
        for group in combinations(around, len(around) - number + 1):
            self._sat.add_clause([c + 1 for c in group])
        if not number:
            for other in around:
                self._open(other)

    def _frontier(self) -> list[int]:
        near = {n for cell in self._opened for n in self._graph.neighbours(cell)}
        return sorted(near - self._opened)

    def _may_be_mined(self, cell: int) -> bool:
        return bool(self._sat.solve(assumptions=[cell + 1]))

    def _count(self) -> None:
        """Add the mine total only if it is needed, because it makes queries much more expensive."""
        if self._totalled:
            return
        self._totalled = True
        every = [cell + 1 for cell in range(self._size)]
        total = CardEnc.equals(
            lits=every, bound=self._board.mines, top_id=self._size, encoding=EncType.totalizer
        )
        for clause in total.clauses:
            self._sat.add_clause(clause)
