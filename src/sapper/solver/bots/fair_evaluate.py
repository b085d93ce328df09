"""``fair-evaluate``: saturation, components, enumeration, and bounds from the mine total.

Source: the evaluation of "Spravedlivé hledání min" (Fair Mines), a Czech game in Angular, whose
method ``evaluate`` colours every cell safe, certain (a mine) or any. The game knows its mines and
starts each enumeration at the true mine count; a bot cannot, so ours starts at an estimate, which
changes the number of placements tried but not the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sapper._util.arguments import whole
from sapper.position import Position
from sapper.rules import Level
from sapper.solver.bots._composite import Composite, split
from sapper.solver.bots._enumeration import Boxes, Budget, BudgetSpent, MineTally
from sapper.solver.bots.base import Choice, flags, opens
from sapper.solver.bots.constraints import Constraint, Known, constraints, mines_left, unopened
from sapper.translation import t

__all__ = ["BUDGET", "SMALL", "FairEvaluate", "components", "evaluate", "saturate"]

BUDGET = 20_000
"""The most enumeration steps per component and turn."""
SMALL = 11
"""Smaller components are not split."""
_LARGEST = 300
"""The most cells, since the enumeration recurses from box to box within Python's limit."""


class FairEvaluate:
    """Opens every safe cell and flags every certain mine; otherwise opens a random cell.

    Its rules, in order; the first that finds safe cells ends the turn:

    1. *Saturation*: a number equal to the count of its unknown cells, or of its known mines. 2.
    *Enumeration* of each component's legal placements, in parts if it is large. 3. *Bounds* on the
    mines of each component and of the cells that no number touches, from the total and the other
    components' bounds. They are intervals, as in the original, so impossible mine counts within an
    interval can hide a deduction.

    Proved cells stay known throughout a game.

    Args:
        budget: The maximum number of enumeration steps per component and turn. For a component that
            needs more, or has more than 300 cells, only saturation is used, and guesses are
            reported as ``any cell, unfinished``.
    """

    label = t("Fair's solver")

    def __init__(self, *, budget: int = BUDGET) -> None:
        self._budget = whole(budget, "budget")
        self._mined, self._safe = Known(), Known()
        self._random = Random(0)

    def begin(self, level: Level, seed: int) -> None:
        """Discard the last game."""
        self._mined.clear()
        self._safe.clear()
        self._random.seed(seed)

    def choose(self, position: Position) -> Choice:
        """Return the safe cells of the first rule that finds any, or a guess."""
        mined, safe = self._mined.at(position), self._safe.at(position)
        groups = saturate(constraints(position, mined, safe), mined, safe)
        by, unfinished = "saturation", False
        if not safe:
            by, unfinished = self._enumerate(position, groups, mined, safe)
        marks = flags(position, sorted(mined))
        if safe:
            return Choice((*marks, *opens(position, sorted(safe))), by, 0.0)
        unknown = [cell for cell in unopened(position) if cell not in mined]
        if not unknown:
            return Choice(tuple(marks), "nothing left")
        by = "any cell, unfinished" if unfinished else "any cell"
        cell = self._random.choice(unknown)
        return Choice((*marks, *opens(position, [cell])), by, guess=True)

    def _enumerate(
        self, position: Position, groups: Sequence[Constraint], mined: set[int], safe: set[int]
    ) -> tuple[str, bool]:
        """Apply rules 2 and 3; return which found cells, and whether a component was skipped."""
        left, floating = mines_left(position, mined), set(unopened(position)) - mined
        parts = components(groups)
        found = [evaluate(part, self._budget) for part in parts]
        for tally in found:
            if tally is not None:
                _settle(tally, mined, safe)
        if not safe and left is not None:
            sizes = [len(_cells(part)) for part in parts]
            floating.difference_update(*map(_cells, parts))
            _bound(list(zip(sizes, found, strict=True)), left, floating, mined, safe)
            return "bounds", None in found
        return "enumeration", None in found


def saturate(groups: Sequence[Constraint], mined: set[int], safe: set[int]) -> list[Constraint]:
    """``eliminateCertain``: add the cells settled by single numbers to the sets.

    Return the remaining numbers, without the known cells and mines.

    >>> mined, safe = set(), set()
    >>> saturate([(frozenset({0}), 1), (frozenset({0, 1, 2}), 1)], mined, safe), mined, safe
    ([], {0}, {1, 2})
    """
    changed = True
    while changed:
        changed, left = False, []
        for cells, mines in groups:
            unknown = cells - mined - safe
            needs = mines - len(cells & mined)
            if not unknown:
                continue
            if needs == len(unknown):
                mined |= unknown
            elif needs == 0:
                safe |= unknown
            else:
                left.append((unknown, needs))
                continue
            changed = True
        groups = left
    return list(groups)


def components(groups: Sequence[Constraint]) -> list[list[Constraint]]:
    """``divideIntoComponents``: search alternately from numbers to cells and from cells to numbers.

    Two numbers, or two cells, that touch each other may lie in different components.
    """
    touching: dict[int, list[int]] = {}
    for number, (cells, _) in enumerate(groups):
        for cell in cells:
            touching.setdefault(cell, []).append(number)
    seen: set[int] = set()
    found = []
    for start in range(len(groups)):
        if start in seen:
            continue
        seen.add(start)
        reached = [start]
        for number in reached:
            for cell in groups[number][0]:
                new = [other for other in touching[cell] if other not in seen]
                seen.update(new)
                reached.extend(new)
        found.append([groups[number] for number in sorted(reached)])
    return found


def evaluate(component: Sequence[Constraint], budget: int) -> MineTally | None:
    """Return all legal placements on a component; None beyond the budget or 300 cells."""
    size = len(_cells(component))
    if size > _LARGEST:
        return None
    parts = split(component) if size >= SMALL else None
    steps = Budget(budget)
    try:
        if parts is not None:
            return Composite(component, parts).tally(steps)
        needs = [mines for _, mines in component]
        return Boxes([cells for cells, _ in component], size + 1).tally(needs, steps)
    except BudgetSpent:
        return None


def _cells(component: Sequence[Constraint]) -> frozenset[int]:
    return frozenset[int]().union(*(cells for cells, _ in component))


def _settle(tally: MineTally, mined: set[int], safe: set[int]) -> None:
    """Cells mined in none or all of the placements become safe or certain."""
    if not tally.legal:
        # The numbers contradict either each other or the total.
        return
    safe.update(cell for cell, count in tally.with_mine.items() if not count)
    mined.update(cell for cell, count in tally.with_mine.items() if count == tally.legal)


def _bound(
    found: Sequence[tuple[int, MineTally | None]],
    left: int,
    floating: set[int],
    mined: set[int],
    safe: set[int],
) -> None:
    """``setStates``: bound each component, and the floating cells, by the remaining mines.

    The original keeps prefix sums of the components' minimum and maximum mine counts. Here, the sum
    over all other components is the overall sum minus the component's own.

    Args:
        found: Each component's number of cells, and its tally if there is one.
        left: The number of mines on components and floating cells.
        floating: The unknown cells that no number touches.
        mined: Proved mines are added here.
        safe: Proved safe cells are added here.
    """
    bounds = [
        (tally.least, tally.most) if tally is not None and tally.legal else (0, size)
        for size, tally in found
    ]
    fewest, most = sum(least for least, _ in bounds), sum(most for _, most in bounds)
    for (_, tally), (own_least, own_most) in zip(found, bounds, strict=True):
        if tally is not None:
            at_least = left - (most - own_most) - len(floating)
            at_most = left - (fewest - own_least)
            _settle(tally.within(at_least, at_most), mined, safe)
    if fewest == left:
        safe |= floating
    elif most + len(floating) == left:
        mined |= floating
