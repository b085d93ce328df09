"""``backtracking``: the arrangement finder of 2006, in full.

Source: "Dokumentacja Minesweeper" by Mirosław Jedynak, a course on the theory of computation:
initial scan, autonomous areas, matching combinations, fill. The paper places the remaining mines on
empty cells, but does not cover the case where the first arrangement leaves too many or too few. In
that case, this search continues through other arrangements, area by area, until the mine counts
match; it reports "none exists" only after trying all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sapper._util.work import Work
from sapper.solver.arrange.areas import areas
from sapper.solver.arrange.likelihood import FORMULAS, Formula
from sapper.solver.arrange.matching import Matching
from sapper.solver.arrange.methods import Likelihood, StartRule
from sapper.solver.arrange.problem import Problem
from sapper.solver.arrange.tally import WorkTally
from sapper.solver.arrange.totals import choose, extremes, settle

__all__ = ["backtracking"]


class _Area:
    """An area, and an arrangement for each mine count found so far."""

    def __init__(
        self, problem: Problem, islands: Sequence[int], likelihood: Formula, work: Work
    ) -> None:
        self.islands = islands
        self.matching = Matching(problem, islands, likelihood, lambda: work.check(self._doing))
        self.found: dict[int, bytes] = {}
        self._search: Iterator[bytes] | None = None

    def _doing(self) -> str:
        return f"an area of {len(self.islands)} numbers, {self.matching.tried} combinations tried"

    def next(self) -> int | None:
        """Return the mines of the next arrangement; None when there are no more."""
        self._search = self._search or self.matching.arrangements()
        values = next(self._search, None)
        if values is None:
            return None
        mines = values.count(1)
        self.found.setdefault(mines, values)
        return mines


def backtracking(
    problem: Problem, work: Work, start: StartRule, likelihood: Likelihood
) -> WorkTally:
    """Fill in `problem.value`; return the areas and the combinations tried.

    Raises:
        InconsistentPosition: If no arrangement fits.
        LimitReached: If the time is up.
    """
    floating = problem.floating()
    every: list[_Area] = []
    for islands in areas(problem, start, work):
        every.append(_Area(problem, islands, FORMULAS[likelihood], work))
        if every[-1].next() is None:
            raise problem.contradiction(islands[0])
    chosen = [next(iter(area.found)) for area in every]
    left = problem.left()
    if left is not None:
        chosen = _totalled(problem, every, chosen, left, len(floating))
        left -= sum(chosen)
    for area, mines in zip(every, chosen, strict=True):
        work.check("writing the arrangement")
        for cell, value in zip(area.matching.cells, area.found[mines], strict=True):
            problem.value[cell] = value
    mined = set(settle(floating, left))
    for cell in floating:
        problem.value[cell] = cell in mined
    return WorkTally(len(every), sum(area.matching.tried for area in every))


def _totalled(
    problem: Problem, every: Sequence[_Area], chosen: list[int], left: int, floating: int
) -> list[int]:
    """Continue, smallest area first, until the remaining mines fit on the floating cells."""
    counts = [area.found.keys() for area in every]
    now = choose(counts, chosen, left - floating, left)
    if now is None:
        problem.check_total()
    for area in sorted(every, key=lambda area: len(area.matching.cells)):
        while now is None:
            known = len(area.found)
            if area.next() is None:
                break
            if len(area.found) > known:
                now = choose(counts, chosen, left - floating, left)
    if now is None:
        raise problem.wrong_total(*extremes(counts, floating))
    return now
