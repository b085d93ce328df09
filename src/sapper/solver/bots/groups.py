"""``groups``: group reduction, iterative probability, and an exact endgame.

Source: the Java bot of the article "Bot logic algorithm para sa larong Minesweeper", whose first
algorithm with random guesses won 33 % of Expert games under Windows 7, and all three together 44 %.
Comments mark choices that the article leaves open.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from sapper._util.arguments import switch
from sapper.position import Position
from sapper.rules import Level
from sapper.solver.bots._last_turns import last_turns
from sapper.solver.bots._reduction import reduce_groups
from sapper.solver.bots.base import Choice, flags, opens
from sapper.solver.bots.constraints import Constraint, Known, constraints, mines_left, unopened
from sapper.translation import t

__all__ = ["Groups", "estimates"]

_MOST_LAST = 30
"""Most unknown cells for LastTurns."""
_NEAR = 0.01
"""Largest error of a group's sum, in mines: 1 in the original's percentages."""
_ROUNDS = 1000
"""The original iterates until the error is small, which never ends for inconsistent sums."""
_MOST = 0.99


class Groups:
    """Opens groups without mines and flags full groups; otherwise opens the lowest-risk cell.

    Among equal estimates, it takes the first cell in row order. For cells that no number touches,
    the estimate is the remaining mines divided by the unknown cells, or the density; if neither is
    known, they are opened only if there are no others.

    Args:
        probability: Whether to use algorithm 2, iterative probability, instead of a random cell if
            nothing is certain.
        last_turns: Whether to use algorithm 3, LastTurns, at the end.
    """

    label = t("Group counting")

    def __init__(self, *, probability: bool = True, last_turns: bool = True) -> None:
        self._probability = switch(probability, "probability")
        self._last_turns = switch(last_turns, "last_turns")
        self._known = Known()
        self._random = Random(0)

    def begin(self, level: Level, seed: int) -> None:
        """Discard the mines of the last game."""
        self._known.clear()
        self._random.seed(seed)

    def choose(self, position: Position) -> Choice:
        """Return the certain cells, or one guess."""
        mined = self._known.at(position)
        groups, safe = self._reduce(position, mined)
        marks = flags(position, sorted(mined))
        if safe:
            return Choice((*marks, *opens(position, sorted(safe))), "reduction", 0.0)
        unknown = [cell for cell in unopened(position) if cell not in mined]
        if not unknown:
            return Choice(tuple(marks), "nothing left")
        cells, by, risk, guess = self._stuck(position, mined, groups, unknown)
        return Choice((*marks, *opens(position, cells)), by, risk, guess)

    def _reduce(self, position: Position, mined: set[int]) -> tuple[list[Constraint], set[int]]:
        """Algorithm 1; add the cells it proves mined to `mined`."""
        while True:
            groups = reduce_groups(constraints(position, mined))
            safe = {cell for cells, mines in groups if mines == 0 for cell in cells}
            full = {cell for cells, mines in groups if mines == len(cells) for cell in cells}
            self._known.add(full)
            # With these mines removed, groups that were too large may become reducible.
            if safe or not full:
                return groups, safe

    def _stuck(
        self,
        position: Position,
        mined: set[int],
        groups: Sequence[Constraint],
        unknown: Sequence[int],
    ) -> tuple[Sequence[int], str, float | None, bool]:
        left = mines_left(position, mined)
        density = position.density if left is None else left / len(unknown)
        if self._last_turns and left is not None and len(unknown) <= _MOST_LAST:
            found = last_turns(constraints(position, mined), unknown, left)
            if found.fitting:
                self._known.add(cell for cell, share in found.p_mine.items() if share == 1)
                least: Fraction = min(found.p_mine.values())
                cells = [cell for cell in unknown if found.p_mine[cell] == least]
                if least == 0:
                    return cells, "last turns", 0.0, False
                return cells[:1], "last turns", float(least), True
        if not self._probability:
            return [self._random.choice(unknown)], "random", density, True
        chances = estimates(groups)
        if density is not None or not chances:
            chances = {cell: chances.get(cell, density or 0.0) for cell in unknown}
        cell = min(sorted(chances), key=chances.__getitem__)
        return [cell], "probability", chances[cell] if groups or density else None, True


def estimates(groups: Sequence[Constraint]) -> dict[int, float]:
    """Algorithm 2: estimate each cell's mine probability, from 0 to 0.99.

    A cell's estimate starts at the chance that at least one of its groups puts a mine there, as if
    the groups were independent. Then the cells of each group in turn are scaled so that they sum to
    its mines, until all sums are close. This is iterative proportional fitting on cells instead of
    arrangements, so it is an approximation.

    >>> {cell: round(chance, 2) for cell, chance in estimates([(frozenset({1, 2}), 1)]).items()}
    {1: 0.5, 2: 0.5}
    """
    chances: dict[int, float] = {}
    for cells, mines in groups:
        share = mines / len(cells)
        for cell in cells:
            chances[cell] = 1 - (1 - chances.get(cell, 0.0)) * (1 - share)
    for _ in range(_ROUNDS):
        settled = True
        for cells, mines in groups:
            total = sum([chances[cell] for cell in cells])
            if abs(total - mines) > _NEAR and total > 0:
                settled = False
                factor = mines / total
                for cell in cells:
                    chances[cell] *= factor
        if settled:
            break
    return {cell: min(max(chance, 0.0), _MOST) for cell, chance in chances.items()}
