"""Matching combinations: backtracking inside one area.

Source: "Dokumentacja Minesweeper" by Mirosław Jedynak (2006), step 3. Take the unvisited island
with the fewest combinations; on a tie, the first in the area's order. Try its combinations, the
likeliest first, and keep one if it makes no number negative. If none is left, backtrack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import combinations
from math import comb

from sapper.solver.arrange.likelihood import Formula
from sapper.solver.arrange.problem import CLEAR, MINE, UNKNOWN, Problem

__all__ = ["Matching"]

_Frame = tuple[int, Iterator[tuple[int, ...]], list[int], list[int]]
"""An island, its remaining combinations, its cells, and the cells currently set."""


class Matching:
    """A resumable search through the arrangements of one area.

    Attributes:
        tried: Combinations set so far.
    """

    def __init__(
        self,
        problem: Problem,
        area: Sequence[int],
        likelihood: Formula,
        check: Callable[[], None],
    ) -> None:
        self._likelihood, self._check = likelihood, check
        self._area = area
        rank = {island: at for at, island in enumerate(area)}
        islands = [problem.unknown(island) for island in area]
        self.cells = sorted({cell for cells in islands for cell in cells})
        local = {cell: at for at, cell in enumerate(self.cells)}
        self._cells = [[local[cell] for cell in cells] for cells in islands]
        self._touching = [[rank[i] for i in problem.touching[cell]] for cell in self.cells]
        self._needs = [problem.needs[island] for island in area]
        self._room = [problem.room[island] for island in area]
        self._value = bytearray([UNKNOWN]) * len(self.cells)
        self._visited = bytearray(len(area))
        self._queue = _Fewest(self._ways(), self._visited, self._needs, self._room)
        self.tried = 0

    def _ways(self) -> list[list[int]]:
        """Return a table of combinations, by unknown cells and mines to set."""
        most = max(self._room)
        return [[comb(room, needs) for needs in range(most + 1)] for room in range(most + 1)]

    def arrangements(self) -> Iterator[bytes]:
        """Yield every arrangement of the area as one byte per cell of `cells`, 1 for a mine.

        The search is depth first with an explicit stack, because an area may have more islands than
        Python's recursion limit.
        """
        stack: list[_Frame] = []
        island = self._queue.take()
        while True:
            if island is None:
                yield bytes(self._value)
            else:
                cells = [cell for cell in self._cells[island] if self._value[cell] == UNKNOWN]
                stack.append((island, self._ordered(island, cells), cells, []))
            if not self._next(stack):
                return
            island = self._queue.take()

    def _next(self, stack: list[_Frame]) -> bool:
        """Set the next combination, backtracking if necessary; False if none is left."""
        while stack:
            self._check()
            island, left, cells, placed = stack[-1]
            self._unset(placed)
            for mines in left:
                self.tried += 1
                if self._set(cells, mines, placed):
                    return True
                self._unset(placed)
            stack.pop()
            self._visited[island] = False
            self._queue.put(island)
        return False

    def _ordered(self, island: int, cells: list[int]) -> Iterator[tuple[int, ...]]:
        """Return the combinations of an island as cells with mines, the most likely first."""
        needs = self._needs[island]
        if needs > len(cells):
            return iter(())
        if needs in (0, len(cells)):
            return iter((tuple(cells[:needs]),))
        likely = {
            cell: self._likelihood(self._touching[cell], self._needs, self._room) for cell in cells
        }
        every = list(combinations(cells, needs))
        every.sort(key=lambda mines: -sum([likely[cell] for cell in mines]))
        return iter(every)

    def _set(self, cells: list[int], mines: tuple[int, ...], placed: list[int]) -> bool:
        """Set a combination; return False if it makes a number negative."""
        needs, room = self._needs, self._room
        fits = True
        for cell in cells:
            value = MINE if cell in mines else CLEAR
            self._value[cell] = value
            placed.append(cell)
            for island in self._touching[cell]:
                room[island] -= 1
                needs[island] -= value
                if needs[island] < 0:
                    fits = False
            if not fits:
                return False
        for cell in cells:
            self._queue.put_all(self._touching[cell])
        return True

    def _unset(self, placed: list[int]) -> None:
        needs, room = self._needs, self._room
        for cell in placed:
            value = self._value[cell]
            self._value[cell] = UNKNOWN
            for island in self._touching[cell]:
                room[island] += 1
                needs[island] += value
        for cell in placed:
            self._queue.put_all(self._touching[cell])
        placed.clear()


class _Fewest:
    """Finds the unvisited island with the fewest combinations; on a tie, the first one.

    There is a heap of islands for each number of combinations. Outdated entries stay in a heap
    until they reach the top; each island is in each heap at most once.
    """

    def __init__(
        self,
        ways: list[list[int]],
        visited: bytearray,
        needs: list[int],
        room: list[int],
    ) -> None:
        self._ways, self._visited, self._needs, self._room = ways, visited, needs, room
        self._heaps: dict[int, list[int]] = {
            count: [] for count in sorted({count for row in ways for count in row})
        }
        self._held: dict[int, bytearray] = {count: bytearray(len(needs)) for count in self._heaps}
        self.put_all(range(len(needs)))

    def put(self, island: int) -> None:
        if self._visited[island]:
            return
        count = self._ways[self._room[island]][self._needs[island]]
        held = self._held[count]
        if not held[island]:
            held[island] = True
            heappush(self._heaps[count], island)

    def put_all(self, islands: Sequence[int]) -> None:
        for island in islands:
            self.put(island)

    def take(self) -> int | None:
        """Return the next island and mark it visited; None if all are visited."""
        for count, heap in self._heaps.items():
            while heap:
                island = heappop(heap)
                self._held[count][island] = False
                now = self._ways[self._room[island]][self._needs[island]]
                if now == count and not self._visited[island]:
                    self._visited[island] = True
                    return island
        return None
