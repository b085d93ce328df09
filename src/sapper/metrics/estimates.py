"""ZiNi and HZiNi: estimates of the fewest clicks that solve a board with flags and chords.

Source of the method: E. Zimmermann and C. Nikolaus, https://minesweepergame.com/forum, topic
"ZiNi"; in ms-toollib and rawvf2rawvf it breaks ties by columns, as here.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heapify, heappop, heappush
from typing import Final

from sapper.board import Board, check_board
from sapper.errors import BadBoard
from sapper.metrics.regions import joined

__all__ = ["MOST_CELLS", "hzini", "zini"]

MOST_CELLS: Final = 100_000
"""The largest board that they are computed for."""


def zini(board: Board) -> int:
    r"""Return the ZiNi of a board: clicks, flags and chords of a greedy player.

    >>> zini(Board.parse("1221\n1**1\n1221"))
    6

    Raises:
        BadBoard: If the board has more than 100,000 cells.
    """
    return _Greedy(board, human=False).solve()


def hzini(board: Board) -> int:
    """Return the HZiNi of a board: like ZiNi, but all openings come first.

    And only numbers that are open already are chorded, as a human player would do.

    Raises:
        BadBoard: If the board has more than 100,000 cells.
    """
    return _Greedy(board, human=True).solve()


class _Greedy:
    """Solves a board by the chord that saves most clicks, again and again.

    The premium of a number is what its chord saves: the 3BV it solves, minus one click for the
    chord, one for each flag that it still needs, and one if the number itself is unopened.
    """

    def __init__(self, board: Board, *, human: bool) -> None:
        check_board(board)
        shape = board.topology
        if shape.size > MOST_CELLS:
            raise BadBoard(f"ZiNi is for boards of up to {MOST_CELLS} cells, got {shape.size}")
        size, self._human = shape.size, human
        self._mined = board.mined
        self._near = lru_cache(maxsize=None)(shape.graph.neighbours)
        self._zero = [
            not number and not mine for number, mine in zip(board.numbers, board.mined, strict=True)
        ]
        # An opening's cells, its numbers included; and the openings of each cell.
        self._openings: list[list[int]] = []
        self._touched: list[list[int]] = [[] for _ in range(size)]
        for part in joined(shape, self._zero):
            cells = dict.fromkeys(part)
            for zero in part:
                cells.update(dict.fromkeys(self._near(zero)))
            for cell in cells:
                self._touched[cell].append(len(self._openings))
            self._openings.append(list(cells))
        self._alone = [not mine and not self._touched[i] for i, mine in enumerate(self._mined)]
        # Of equal premiums the first counts, column by column.
        by_column = sorted(range(size), key=lambda cell: (cell % shape.width, cell))
        self._place = [0] * size
        for place, cell in enumerate(by_column):
            self._place[cell] = place
        self._by_column = by_column
        self._opened = bytearray(size)
        self._flagged = bytearray(size)
        self._left = size - board.mines
        self._clicks = 0
        self._premium = [
            sum(self._alone[near] for near in self._near(cell))
            + self._alone[cell]
            + len(self._touched[cell])
            - board.numbers[cell]
            - 2
            for cell in range(size)
        ]
        self._heap: list[tuple[int, int]] = []
        if not human:
            self._heap = [
                (-premium, self._place[cell])
                for cell, premium in enumerate(self._premium)
                if premium >= 0 and not self._mined[cell]
            ]
            heapify(self._heap)

    def solve(self) -> int:
        """Return the number of clicks."""
        if self._human:
            for cells in self._openings:
                # The first cell of an opening is a zero.
                self._click(cells[0])
        # Cells that a player without chords would have to click.
        rest = iter([c for c in self._by_column if self._zero[c] or self._alone[c]])
        while self._left:
            best = self._best()
            if best is None:
                self._click(next(cell for cell in rest if not self._opened[cell]))
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
        """Return the number with the largest premium, if there is one of 0 or more."""
        while self._heap:
            premium, place = heappop(self._heap)
            cell = self._by_column[place]
            if self._premium[cell] == -premium:
                return cell
        return None

    def _change(self, cell: int, by: int) -> None:
        self._premium[cell] += by
        if (
            self._premium[cell] >= 0
            and not self._mined[cell]
            and (self._opened[cell] or not self._human)
        ):
            heappush(self._heap, (-self._premium[cell], self._place[cell]))

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
        if not self._zero[cell]:
            self._open(cell)
            return
        for member in self._openings[self._touched[cell][0]]:
            if not self._opened[member]:
                self._open(member)
            self._change(member, -1)

    def _open(self, cell: int) -> None:
        self._opened[cell] = 1
        self._left -= 1
        self._change(cell, 1)
        if self._alone[cell]:
            self._change(cell, -1)
            for near in self._near(cell):
                self._change(near, -1)
