"""Win chances for reviews: of a position, its best cell and the chosen one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

import sapper._core as _core
from sapper._util.forking import renew_after_fork
from sapper._util.work import Work
from sapper.coach.decisions import GOOD, Value
from sapper.errors import InconsistentPosition, LimitReached
from sapper.position import UNOPENED, Position
from sapper.solver import Analysis, Limit, Solver
from sapper.solver.analysis import share
from sapper.solver.search import CellChance, WinChance
from sapper.solver.search.chances import STATES, compared, most_solutions
from sapper.solver.search.guesses import CHAMPION, SWIFT, Searcher
from sapper.stats import share_error
from sapper.topology import Cell

__all__ = ["ChoiceChances", "Values", "numbers"]

_EVERY: Final = replace(CHAMPION, every=True)
"""The search that `compared` uses, so that the chances of a game agree."""
_WIDE: Final = replace(CHAMPION, margin=1.0, cells=1000, every=True)
"""The search over every cell, for a choice far from the best."""
_CANDIDATES: Final = replace(CHAMPION, cells=3, every=True)
"""The cells to compare with if the win chance has to be sampled."""
_CELL_STATES: Final = 30_000
"""States for perfect play with the wins of each cell, which takes longer."""
_PLAYED: Final = 40_000
"""Total cells of all boards played for one sampled chance; larger boards get fewer games."""
_SAMPLES: Final = (12, 100)
"""The fewest and most games for a sampled chance; with fewer, it is unknown."""
_SEARCHED: Final = 50_000_000
"""States for the analyses of one search, a few seconds; common ones take far fewer."""
_SAMPLED: Final = 10_000_000
"""States for one sampled chance; past it, the chance is unknown. Common games take a tenth."""
_KEPT: Final = 4
"""Number of cached position values; a review reuses one immediately or never."""


@dataclass(frozen=True, slots=True)
class ChoiceChances:
    """The chances of a choice.

    Attributes:
        best: The best cell.
        before: Its win chance.
        chosen: The win chance of the chosen cell; None if unknown.
        differ: Whether the choice mattered: two candidate cells differ by more than the loss of a
            good guess.
    """

    best: CellChance
    before: Value
    chosen: Value | None
    differ: bool


class Values:
    """Finds win chances; chances to be compared are of the same kind.

    Without a time limit, the same game always gets the same review.

    Args:
        limit: The states of each analysis, the time of all calls together, and a cancel flag.
        solver: Analyses positions.
        work: The deadline of all calls, if its clock is already running.
    """

    def __init__(
        self, limit: Limit, solver: Solver | None = None, work: Work | None = None
    ) -> None:
        self._limit = limit
        self._work = limit.work() if work is None else work
        self._solver = solver or Solver()
        self.renew()
        renew_after_fork(self)
        efforts = (_EVERY, _WIDE, _CANDIDATES, SWIFT)
        self._every, self._wide, self._near, self._fast = map(Searcher, efforts)
        self._known: dict[tuple[bytes, bool], Value | None] = {}

    def renew(self) -> None:
        """Discard cached perfect play in a process forked while a thread was using it."""
        self._end = _core.EndGame()

    def of(self, position: Position, *, sample: bool) -> Value | None:
        """Return the win chance of a position; None if unknown.

        Args:
            position: A consistent position.
            sample: Whether to simulate games if the chance is neither exact nor learned.
        """
        key = position.cells, position.running
        if key not in self._known:
            if len(self._known) >= _KEPT:
                self._known.pop(next(iter(self._known)))
            self._known[key] = self._found(position)
        found = self._known[key]
        return self._played(position, None) if found is None and sample else found

    def choice(self, analysis: Analysis, cell: Cell) -> ChoiceChances | None:
        """Return the win chances of the best and the chosen cell; None if unknown."""
        position, risks = analysis.position, analysis.p_mine.ravel()
        found = None
        if analysis.exact:
            found = compared(position, risks, _CELL_STATES, self._work, _SEARCHED)
        if found is None or not found.cells:
            return self._sampled(analysis, cell)
        before = Value(found.win_chance, found.kind, found.error)
        whole = self.of(position, sample=False)
        if whole is not None and whole.kind == "exact":
            before = whole
        chosen = self._chosen(analysis, found, before, cell)
        worth = [before.win_chance, *(at.win_chance for at in found.cells)]
        if chosen is not None:
            worth.append(chosen.win_chance)
        if len(found.cells) == 1:
            # Perfect play returns a single cell; compare it with the least risky of the others.
            others = np.where(np.arange(risks.size) == position.topology.index(cell), 1.0, risks)
            other = self._summed(analysis, int(np.nanargmin(others)), before.win_chance)
            worth += [other.win_chance] if other is not None else []
        return ChoiceChances(found.cells[0], before, chosen, max(worth) - min(worth) > GOOD)

    def _found(self, position: Position) -> Value | None:
        shape = position.topology
        if position.mines is None and position.density is None:
            return None
        # Count only the wins of the position: counting those of each cell is slower.
        most = most_solutions(position)
        mines = position.mines, position.density
        work = self._work
        solved = self._end.solve(
            shape.graph,
            position.cells,
            *mines,
            position.running,
            most,
            STATES,
            work.left,
            cancel=work.cancel,
        )
        if solved is not None:
            return Value(solved.win_chance, "exact", 0.0)
        if not _core.SearchPlayer.knows(shape.size, *mines):
            return None
        picks = self._guess(self._every, position)
        return Value(picks[0].win_chance, "estimated", None) if picks else None

    def _guess(self, searcher: Searcher, position: Position) -> list[_core.Pick]:
        return searcher.guess(position, self._work, states=_SEARCHED).picks

    def _chosen(
        self, analysis: Analysis, found: WinChance, before: Value, cell: Cell
    ) -> Value | None:
        """Return the win chance of a cell that may not be a candidate."""
        if cell in analysis.mined:
            return Value(0.0, "exact", 0.0)
        if found.kind == before.kind:
            for at in found.cells:
                if at.cell == cell:
                    return Value(at.win_chance, found.kind, found.error)
        index = analysis.position.topology.index(cell)
        if before.kind != "exact":
            for pick in self._guess(self._wide, analysis.position):
                if pick.index == index:
                    return Value(min(pick.win_chance, before.win_chance), "estimated", None)
        return self._summed(analysis, index, before.win_chance)

    def _summed(self, analysis: Analysis, index: int, most: float) -> Value | None:
        """Return the win chance of a cell as the sum over the numbers it may show."""
        total, exact = 0.0, True
        try:
            shown = numbers(analysis, index, self._solver, self._limit, self._work)
        except LimitReached:
            return None
        for chance, after in shown:
            value = self.of(after.position, sample=False)
            if value is None:
                return None
            total += chance * value.win_chance
            exact = exact and value.kind == "exact"
        if exact:
            return Value(min(total, most), "exact", 0.0)
        return Value(min(total, most), "estimated", None)

    def _sampled(self, analysis: Analysis, cell: Cell) -> ChoiceChances | None:
        shape = analysis.position.topology
        picks = self._guess(self._near, analysis.position) if analysis.exact else []
        chances: dict[int, Value] = {}
        for index in {pick.index for pick in picks} | {shape.index(cell)}:
            value = self._played(analysis.position, index)
            if value is None:
                return None
            chances[index] = value
        best = max(chances, key=lambda i: (chances[i].win_chance, -i))
        worth = [value.win_chance for value in chances.values()]
        before = chances[best]
        at = CellChance(
            shape.cell(best), float(analysis.p_mine.flat[best]), before.win_chance, before.error
        )
        differ = max(worth) - min(worth) > GOOD
        return ChoiceChances(at, before, chances[shape.index(cell)], differ)

    def _played(self, position: Position, first: int | None) -> Value | None:
        """Return the win chance, estimated by playing to the end without fatal guesses."""
        fewest, most = _SAMPLES
        games = min(most, _PLAYED // position.topology.size)
        if position.mines is None:
            # Without a total, perfect play is rare, and each game takes several times as long.
            games //= 4
        if games < fewest:
            return None
        try:
            found = self._fast.core.survivals(
                position.topology.graph,
                position.cells,
                position.mines,
                position.density,
                position.running,
                first,
                0,
                games,
                _SAMPLED,
                self._work.left,
                self._work.cancel,
            )
        except LimitReached:
            return None
        if len(found) < games:
            return None
        return Value(float(np.mean(found)), "sampled", share_error(found))


def numbers(
    analysis: Analysis, index: int, solver: Solver, limit: Limit, work: Work
) -> list[tuple[float, Analysis]]:
    """Return each number a cell may show, its chance (including risk), and the analysis after it.

    The chances add up to the chance that the cell is clear.

    Args:
        analysis: An exact analysis.
        index: An unopened cell.
        solver: The solver that analyses the position after each number.
        limit: The limit of each analysis, except for the time.
        work: The deadline.

    Raises:
        LimitReached: If one of the numbers was not counted.
    """
    position, found = analysis.position, []
    cells = bytearray(position.cells)
    around = position.topology.graph.neighbours(index)
    opened = sum(position.cells[near] == ord("*") for near in around)
    covered = sum(chr(position.cells[near]) in (UNOPENED, "F") for near in around)
    for number in range(opened, opened + covered + 1):
        cells[index] = ord("0") + number
        # The number may be that of the last clear cell.
        after = position.showing(bytes(cells), running=False)
        try:
            then = solver.analyze(after, limit=replace(limit, seconds=work.left))
        except InconsistentPosition:
            continue
        chance = share(then, analysis)
        if chance is None:
            raise LimitReached("the position is too wide for its numbers to be counted")
        if chance:
            found.append((chance, then))
    return found
