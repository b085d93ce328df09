"""Autonomous areas: groups of islands that do not affect any number elsewhere.

Source: "Dokumentacja Minesweeper" by Mirosław Jedynak (2006), step 2. Two numbers are linked if
they share an unknown cell. Proximity is not enough, which is how the original avoids "silly links".
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb

from sapper._util.work import Work
from sapper.solver.arrange.methods import StartRule
from sapper.solver.arrange.problem import UNKNOWN, Problem

__all__ = ["areas", "linked"]


def linked(problem: Problem, island: int) -> list[int]:
    """Return the islands that share an unknown cell with this one, without duplicates."""
    value, touching = problem.value, problem.touching
    found: dict[int, None] = {}
    for cell in problem.cells[island]:
        if value[cell] == UNKNOWN:
            found.update(dict.fromkeys(touching[cell]))
    found.pop(island, None)
    return list(found)


def _own(problem: Problem, island: int) -> int:
    """Return the number of ways to place an island's mines on its unknown cells."""
    return comb(problem.room[island], problem.needs[island])


def _rows(problem: Problem, island: int) -> int:
    return island


def _weighted(problem: Problem, island: int) -> int:
    near = sum(_own(problem, other) for other in linked(problem, island))
    return 2 * _own(problem, island) + near


_RULES: dict[StartRule, Callable[[Problem, int], int]] = {
    StartRule.ROWS: _rows,
    StartRule.FEWEST: _own,
    StartRule.WEIGHTED: _weighted,
}


def areas(
    problem: Problem, start: StartRule = StartRule.ROWS, work: Work | None = None
) -> list[list[int]]:
    """Return the areas left after the scan, each in the order of its breadth-first search."""
    rule, work = _RULES[start], work or Work()
    islands = problem.unsettled()
    ranks = {}
    for island in islands:
        work.check("dividing the board into areas")
        ranks[island] = rule(problem, island)
    starts = sorted(islands, key=ranks.__getitem__)
    seen = bytearray(len(problem.at))
    found = []
    for first in starts:
        if seen[first]:
            continue
        seen[first] = True
        area = [first]
        # The list is the queue of the search and grows during the loop.
        for island in area:
            work.check("dividing the board into areas")
            for other in linked(problem, island):
                if not seen[other]:
                    seen[other] = True
                    area.append(other)
        found.append(area)
    return found
