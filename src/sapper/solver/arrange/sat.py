"""``sat``: an arrangement from a satisfiability solver, window by window.

Every number becomes two cardinality constraints, which MiniCard supports natively, so the size of
the formula is linear in the numbers. A large area is solved in windows of numbers, with the cells
around each window fixed. A window without an arrangement grows until one is found, or until it is
contradictory even with no cell around it fixed, which proves that there is none.
"""

from __future__ import annotations

from collections.abc import Sequence

from sapper._util.work import Work
from sapper.solver.arrange.areas import linked
from sapper.solver.arrange.problem import Problem
from sapper.solver.arrange.question import CountQuery
from sapper.solver.arrange.tally import WorkTally
from sapper.solver.arrange.totals import choose, extremes, settle

__all__ = ["sat"]

_WINDOW = 250
"""Numbers in a window; smaller areas are solved whole."""
_MARGIN = 2
"""The distance in links around a window within which cells may change at first."""


def sat(problem: Problem, islands: Sequence[Sequence[int]], work: Work) -> WorkTally:
    """Fill in `problem.value` for areas of islands.

    Raises:
        InconsistentPosition: If no arrangement fits.
        LimitReached: If the time is up.
    """
    floating = problem.floating()
    every = []
    for number, islands_of in enumerate(islands, start=1):
        every.append(_Area(problem, islands_of, f"area {number} of {len(islands)}", work))
        every[-1].fit()
    left = problem.left()
    if left is not None:
        _totalled(problem, every, left, len(floating))
        left -= sum(area.mines for area in every)
    for area in every:
        work.check("writing the arrangement")
        area.write()
    mined = set(settle(floating, left))
    for cell in floating:
        problem.value[cell] = cell in mined
    return WorkTally(len(every))


class _Area:
    """One area and its arrangement so far."""

    def __init__(self, problem: Problem, islands: Sequence[int], name: str, work: Work) -> None:
        self.problem, self.islands, self.work = problem, islands, work
        self.name = f"{name}, {len(islands)} numbers"
        self.cells = {}
        for island in islands:
            work.check("reading an area")
            self.cells[island] = problem.unknown(island)
        self.links: dict[int, list[int]] = {}
        self.windows = self._windows()
        self.values: dict[int, int] = {}
        """An arrangement that fits the islands added so far."""
        self.taken: set[int] = set()

    @property
    def mines(self) -> int:
        return sum(self.values.values())

    def write(self) -> None:
        for cell, value in self.values.items():
            self.problem.value[cell] = value

    def linked(self, island: int) -> list[int]:
        if island not in self.links:
            self.links[island] = linked(self.problem, island)
        return self.links[island]

    def _windows(self) -> list[list[int]]:
        """Yield connected groups of islands, each around the first remaining one."""
        if len(self.islands) <= _WINDOW:
            return [list(self.islands)]
        placed: set[int] = set()
        windows = []
        for first in self.islands:
            self.work.check("dividing an area into windows")
            if first in placed:
                continue
            placed.add(first)
            window = [first]
            for island in window:
                self.work.check("dividing an area into windows")
                for other in self.linked(island):
                    if other not in placed and len(window) < _WINDOW:
                        placed.add(other)
                        window.append(other)
            windows.append(window)
        return windows

    def fit(self) -> None:
        """Find an arrangement of the whole area.

        Raises:
            InconsistentPosition: If no arrangement fits the area.
        """
        for number, window in enumerate(self.windows, start=1):
            self.taken.update(window)
            margin = _MARGIN
            doing = f"{self.name}, window {number} of {len(self.windows)}"
            while not self._take(self._around(window, margin), doing):
                margin = 2 * margin + 1

    def _take(self, window: list[int], doing: str) -> bool:
        """Satisfy the numbers of a window, keeping the cells around it."""
        with self._question(window) as question:
            found = question.ask(self._held(window), doing)
            if found is not None:
                self.values.update(found)
                return True
            if question.contradicts_itself:
                raise self.problem.contradiction(window[0])
        return False

    def _question(self, window: list[int]) -> CountQuery:
        cells = self.cells
        return CountQuery(
            [(cells[island], self.problem.needs[island]) for island in window], self.work
        )

    def _around(self, window: Sequence[int], margin: int) -> list[int]:
        """Return the window and the solved islands within a number of links."""
        found, rim = set(window), list(window)
        for _ in range(margin):
            near = {other for island in rim for other in self.linked(island)}
            rim = sorted((near & self.taken) - found)
            found.update(rim)
        return sorted(found)

    def _held(self, window: Sequence[int]) -> dict[int, int]:
        """Return the cells of a window that other solved numbers keep fixed."""
        inside = set(window)
        outer = {other for island in window for other in self.linked(island)}
        outer = (outer & self.taken) - inside
        fast = {cell for island in outer for cell in self.cells[island]}
        mine = {cell for island in window for cell in self.cells[island]}
        return {cell: self.values[cell] for cell in fast & mine}

    def shift(self, lot: int, least: int, most: int) -> bool:
        """Change the mine count around one window by `least` to `most`; False if impossible."""
        window = self.windows[lot]
        if len(self.windows) > 1:
            window = self._around(window, _MARGIN)
        cells = sorted({cell for island in window for cell in self.cells[island]})
        now = sum(self.values[cell] for cell in cells)
        doing = f"{self.name}, another number of mines, window {lot + 1}"
        with self._question(window) as question:
            question.bound(now + least, now + most)
            found = question.ask(self._held(window), doing)
        self.values.update(found or {})
        return found is not None

    def counts(self) -> dict[int, dict[int, int]]:
        """Return an arrangement for every mine count that the area can hold."""
        found = {self.mines: dict(self.values)}
        size = len(self.values)
        gaps = [(0, self.mines - 1), (self.mines + 1, size)]
        while gaps:
            least, most = gaps.pop()
            if least > most:
                continue
            with self._question(list(self.islands)) as question:
                question.bound(least, most)
                values = question.ask({}, f"{self.name}, {least} to {most} mines")
            if values is not None:
                mines = sum(values.values())
                found[mines] = values
                gaps += [(least, mines - 1), (mines + 1, most)]
        return found


def _totalled(problem: Problem, every: Sequence[_Area], left: int, floating: int) -> None:
    """Change arrangements until the remaining mines fit on the floating cells."""
    problem.check_total()
    if _shifted(every, left - floating, left):
        return
    counts = [area.counts() for area in every]
    now = choose(counts, [area.mines for area in every], left - floating, left)
    if now is None:
        raise problem.wrong_total(*extremes(counts, floating))
    for area, found, mines in zip(every, counts, now, strict=True):
        area.values = found[mines]


def _shifted(every: Sequence[_Area], least: int, most: int) -> bool:
    """Move the sum of mines into this range, window by window; return False if that fails."""
    total = sum(area.mines for area in every)
    changed = True
    while changed:
        changed = False
        for area in every:
            before = area.mines
            for lot in range(len(area.windows)):
                while not least <= total <= most:
                    # Shift only as far as needed, to avoid overshooting.
                    up = (1, most - total) if total < least else (least - total, -1)
                    if not area.shift(lot, *up):
                        break
                    total += area.mines - before
                    before = area.mines
                    changed = True
        if least <= total <= most:
            return True
    return False
