"""ZiNi, HZiNi and RZiNi: estimates of the fewest clicks that solve a board with flags and chords.

Source of the method: E. Zimmermann and C. Nikolaus, https://minesweepergame.com/forum, topic
"ZiNi"; in ms-toollib and rawvf2rawvf it breaks ties by columns, as here. RZiNi is `cal_rzini` of
ms-toollib, in `base/src/zini.rs` at 1d7659b.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from random import Random
from typing import Final

from sapper._util.arguments import seed_or_new, whole
from sapper.board import Board
from sapper.metrics.chording import MOST_CELLS, Plan, Solver

__all__ = ["MOST_CELLS", "hzini", "rzini", "zini"]

_MOST_PREMIUM: Final = 8
"""Largest premium with its own list; larger ones are rare."""


def zini(board: Board) -> int:
    r"""Return the ZiNi of a board: clicks, flags and chords of a greedy player.

    >>> zini(Board.parse("1221\n1**1\n1221"))
    6

    Raises:
        BadBoard: If the board has more than 100,000 cells.
    """
    return _Greedy(Plan(board), human=False).solve()


def hzini(board: Board) -> int:
    """Return the HZiNi of a board: like ZiNi, but all openings come first.

    Only open numbers are chorded, as by a human player.

    Raises:
        BadBoard: If the board has more than 100,000 cells.
    """
    return _Greedy(Plan(board), human=True).solve()


def rzini(board: Board, runs: int = 100, seed: int | None = None) -> int:
    r"""Return the RZiNi of a board: the fewest clicks among many greedy players.

    If several chords save the same number of clicks, ZiNi uses the first one; each of these players
    uses a random one. Each player takes as long as computing ZiNi.

    Args:
        board: The board.
        runs: Number of players; with more of them, the result may be lower.
        seed: From 0 to 2**64 - 1; None for a random one. Equal seeds give equal results.

    >>> rzini(Board.parse("1221\n1**1\n1221"), runs=10, seed=1)
    6

    Raises:
        BadBoard: If the board has more than 100,000 cells.
        BadSetting: If the number of runs is below 1, or the seed is out of range.
    """
    runs = whole(runs, "runs", least=1)
    rng = Random(seed_or_new(seed))
    plan = Plan(board)
    return min(_Random(plan, rng).solve() for _ in range(runs))


class _Greedy(Solver):
    """Chooses the first of equal premiums, in column order."""

    def __init__(self, plan: Plan, *, human: bool) -> None:
        super().__init__(plan)
        self._human = human
        self._rest = iter(plan.clicked)
        self._place = [0] * plan.size
        for place, cell in enumerate(plan.by_column):
            self._place[cell] = place
        self._heap: list[tuple[int, int]] = []
        if human:
            return
        self._heap = [
            (-premium, self._place[cell])
            for cell, premium in enumerate(self._premium)
            if premium >= 0 and not self._mined[cell]
        ]
        heapify(self._heap)

    def solve(self) -> int:
        """Return the number of clicks."""
        if self._human:
            for cells in self._plan.openings:
                # The first cell of an opening is a zero.
                self._click(cells[0])
        return super().solve()

    def _best(self) -> int | None:
        while self._heap:
            premium, place = heappop(self._heap)
            cell = self._plan.by_column[place]
            if self._premium[cell] == -premium:
                return cell
        return None

    def _unopened(self) -> int:
        return next(cell for cell in self._rest if not self._opened[cell])

    def _change(self, cell: int, by: int) -> None:
        self._premium[cell] += by
        if (
            self._premium[cell] >= 0
            and not self._mined[cell]
            and (self._opened[cell] or not self._human)
        ):
            heappush(self._heap, (-self._premium[cell], self._place[cell]))


class _Random(Solver):
    """Chooses randomly among equal premiums."""

    def __init__(self, plan: Plan, rng: Random) -> None:
        super().__init__(plan)
        self._rng = rng
        # Lists of the cells with each premium, starting with 0, and each cell's index in its list.
        self._cells: list[list[int]] = [[] for _ in range(_MOST_PREMIUM + 1)]
        self._at = [0] * plan.size
        for cell in range(plan.size):
            self._enter(cell)

    def _best(self) -> int | None:
        for cells in reversed(self._cells):
            if cells:
                return cells[int(self._rng.random() * len(cells))]
        return None

    def _unopened(self) -> int:
        closed = [cell for cell in self._plan.clicked if not self._opened[cell]]
        return closed[int(self._rng.random() * len(closed))]

    def _change(self, cell: int, by: int) -> None:
        premium = self._premium[cell]
        if premium >= 0 and not self._mined[cell]:
            cells, at = self._cells[premium], self._at[cell]
            last = cells.pop()
            if last != cell:
                cells[at], self._at[last] = last, at
        self._premium[cell] = premium + by
        self._enter(cell)

    def _enter(self, cell: int) -> None:
        premium = self._premium[cell]
        if premium >= 0 and not self._mined[cell]:
            while premium >= len(self._cells):
                self._cells.append([])
            cells = self._cells[premium]
            self._at[cell] = len(cells)
            cells.append(cell)
