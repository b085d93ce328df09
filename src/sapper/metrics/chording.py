"""Solve a board with flags and chords, choosing chords by their premium."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sapper.board import Board, check_board
from sapper.errors import BadBoard
from sapper.metrics.regions import joined

__all__ = ["MOST_CELLS", "Plan", "Solver"]

MOST_CELLS: Final = 100_000
"""Largest board for click estimates, in cells."""


class Plan:
    """Precomputed data of an unopened board, shared by the solvers.

    The premium of a number is the number of clicks saved by its chord: the 3BV it solves, minus one
    click for the chord, one for each missing flag, and one if the number itself is unopened.
    """

    def __init__(self, board: Board) -> None:
        check_board(board)
        shape = board.topology
        if shape.size > MOST_CELLS:
            raise BadBoard(f"ZiNi is for boards of up to {MOST_CELLS} cells, got {shape.size}")
        self.size, self.mines = shape.size, board.mines
        self.mined = board.mined
        self.near = lru_cache(maxsize=None)(shape.graph.neighbours)
        self.zero = [
            not number and not mine for number, mine in zip(board.numbers, board.mined, strict=True)
        ]
        # The cells of each opening, including its numbers, and the openings that each cell belongs
        # to.
        self.openings: list[list[int]] = []
        self.touched: list[list[int]] = [[] for _ in range(self.size)]
        for part in joined(shape, self.zero):
            cells = dict.fromkeys(part)
            for zero in part:
                cells.update(dict.fromkeys(self.near(zero)))
            for cell in cells:
                self.touched[cell].append(len(self.openings))
            self.openings.append(list(cells))
        self.alone = [not mine and not self.touched[i] for i, mine in enumerate(self.mined)]
        self.by_column = sorted(range(self.size), key=lambda cell: (cell % shape.width, cell))
        self.premium = [
            sum(self.alone[near] for near in self.near(cell))
            + self.alone[cell]
            + len(self.touched[cell])
            - board.numbers[cell]
            - 2
            for cell in range(self.size)
        ]
        # The cells that a player must click when not using chords.
        self.clicked = [c for c in self.by_column if self.zero[c] or self.alone[c]]


class Solver:
    """Solves a board by repeatedly using the chord that saves the most clicks."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._near, self._mined = plan, plan.near, plan.mined
        self._opened = bytearray(plan.size)
        self._flagged = bytearray(plan.size)
        self._left = plan.size - plan.mines
        self._clicks = 0
        self._premium = [*plan.premium]

    def solve(self) -> int:
        """Return the number of clicks."""
        while self._left:
            best = self._best()
            if best is None:
                self._click(self._unopened())
                continue
            if not self._opened[best]:
                self._click(best)
            for near in self._near(best):
                if self._mined[near]:
                    self._flag(near)
            self._clicks += 1
            for near in self._near(best):
                self._reveal(near)
        return self._clicks

    def _best(self) -> int | None:
        """Return a number with the largest premium, or None if all premiums are negative."""
        raise NotImplementedError

    def _unopened(self) -> int:
        """Return an unopened cell to click if no chord saves clicks."""
        raise NotImplementedError

    def _change(self, cell: int, by: int) -> None:
        self._premium[cell] += by

    def _click(self, cell: int) -> None:
        self._clicks += 1
        self._reveal(cell)

    def _flag(self, cell: int) -> None:
        if self._flagged[cell]:
            return
        self._flagged[cell] = 1
        self._clicks += 1
        for near in self._near(cell):
            self._change(near, 1)

    def _reveal(self, cell: int) -> None:
        if self._opened[cell] or self._mined[cell]:
            return
        if not self._plan.zero[cell]:
            self._open(cell)
            return
        for member in self._plan.openings[self._plan.touched[cell][0]]:
            if not self._opened[member]:
                self._open(member)
            self._change(member, -1)

    def _open(self, cell: int) -> None:
        self._opened[cell] = 1
        self._left -= 1
        self._change(cell, 1)
        if self._plan.alone[cell]:
            self._change(cell, -1)
            for near in self._near(cell):
                self._change(near, -1)
