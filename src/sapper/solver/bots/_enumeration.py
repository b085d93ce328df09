"""All legal placements of mines on a few cells, grouped by mine count."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import comb

from sapper.solver.bots.constraints import Constraint

__all__ = [
    "Boxes",
    "Budget",
    "BudgetSpent",
    "Filling",
    "MineTally",
    "enumerated",
    "estimate",
    "tried",
]


class BudgetSpent(Exception):
    """An enumeration exceeded its budget."""


class Budget:
    """The remaining steps; every mine count tried in a box takes one."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self) -> None:
        """Count one step.

        Raises:
            BudgetSpent: If no steps are left.
        """
        if self.left <= 0:
            raise BudgetSpent
        self.left -= 1


@dataclass(frozen=True, slots=True)
class MineTally:
    """The number of legal placements for every mine count.

    The counts for 0, 1, 2, ... mines are packed into one integer, `bits` each, so that adding and
    multiplying these integers adds and convolves all counts at once. No count overflows as long as
    there are fewer cells than bits.

    Attributes:
        bits: The bits of each count.
        legal: The placements that agree with every number.
        with_mine: For each cell, the placements with a mine on it.

    >>> found = Boxes([frozenset({0, 1}), frozenset({1, 2})], bits=8).tally([1, 1], Budget(99))
    >>> found.counts(found.legal), found.counts(found.with_mine[1])
    ({1: 1, 2: 1}, {1: 1})
    """

    bits: int
    legal: int
    with_mine: Mapping[int, int]

    @property
    def least(self) -> int:
        """The fewest mines in a legal placement."""
        return ((self.legal & -self.legal).bit_length() - 1) // self.bits

    @property
    def most(self) -> int:
        """The most mines in a legal placement."""
        return (self.legal.bit_length() - 1) // self.bits

    def within(self, least: int, most: int) -> MineTally:
        """Keep only the placements with a mine count in this range."""
        bits = self.bits
        mask = (1 << bits * (most + 1)) - (1 << bits * max(0, least)) if most >= 0 else 0
        kept = {cell: count & mask for cell, count in self.with_mine.items()}
        return MineTally(bits, self.legal & mask, kept)

    def counts(self, packed: int) -> dict[int, int]:
        """Return packed counts by mine count, without zeros."""
        mask = (1 << self.bits) - 1
        every = ((mines, packed >> mines * self.bits & mask) for mines in range(self.most + 1))
        return {mines: count for mines, count in every if count}


class Boxes:
    """Cells in boxes: cells that touch the same numbers, so only their mine count matters.

    Args:
        sets: The cells of each number.
        bits: The bits of each count: more than there are cells.
    """

    def __init__(self, sets: Sequence[frozenset[int]], bits: int) -> None:
        touching: dict[int, list[int]] = {}
        for number, cells in enumerate(sets):
            for cell in cells:
                touching.setdefault(cell, []).append(number)
        boxes: dict[tuple[int, ...], list[int]] = {}
        # Keep the cells of a number adjacent in the order, so that violations are detected early.
        for cell in sorted(touching, key=lambda cell: (touching[cell], cell)):
            boxes.setdefault(tuple(touching[cell]), []).append(cell)
        self.cells = list(boxes.values())
        self.touched = list(boxes)
        self.bits = bits
        self._room = [len(cells) for cells in sets]

    def tally(self, needs: Sequence[int], budget: Budget) -> MineTally:
        """Count the placements that satisfy every number.

        Raises:
            BudgetSpent: If there are too many placements.
        """
        if any(need and not room for need, room in zip(needs, self._room, strict=True)):
            # A number without remaining cells must not need any mines.
            return MineTally(self.bits, 0, dict.fromkeys(chain(*self.cells), 0))
        search = _Search(self, needs, list(self._room), budget)
        legal = search.place(0, 1)
        with_mine = {}
        for cells, held in zip(self.cells, search.held, strict=True):
            for cell in cells:
                # By symmetry, each cell of a box has an equal share of its mines.
                with_mine[cell] = held // len(cells)
        return MineTally(self.bits, legal, with_mine)


class Filling(ABC):
    """Fills boxes one by one in every way that violates no number.

    Attributes:
        needs: For each number, the mines still to be placed in unfilled boxes.
        room: For each number, the number of cells in unfilled boxes.
        held: For each box, its mines summed over all legal placements, packed.
    """

    def __init__(self, needs: Sequence[int], room: Sequence[int], budget: Budget) -> None:
        self.needs, self.room, self.budget = list(needs), list(room), budget
        self.held: list[int] = []

    @abstractmethod
    def place(self, at: int, before: int) -> int:
        """Fill box `at` and the following ones; return the packed count of the ways.

        Args:
            at: The box; those before it are filled.
            before: The packed count of the ways to fill those.
        """

    def fill(self, at: int, size: int, touched: Sequence[int], bits: int, before: int) -> int:
        """Try every mine count on box `at` that violates no number, and continue."""
        needs, room = self.needs, self.room
        for number in touched:
            room[number] -= size
        least = max(0, *[needs[number] - room[number] for number in touched])
        most = min(size, *[needs[number] for number in touched])
        found = 0
        for mines in range(least, most + 1):
            self.budget.spend()
            for number in touched:
                needs[number] -= mines
            ways = comb(size, mines) << bits * mines
            after = ways * self.place(at + 1, before * ways)
            for number in touched:
                needs[number] += mines
            found += after
            self.held[at] += before * after * mines
        for number in touched:
            room[number] += size
        return found


class _Search(Filling):
    def __init__(self, boxes: Boxes, needs: Sequence[int], room: list[int], budget: Budget) -> None:
        super().__init__(needs, room, budget)
        self.boxes = boxes
        self.held = [0] * len(boxes.cells)

    def place(self, at: int, before: int) -> int:
        boxes = self.boxes
        if at == len(boxes.cells):
            return 1
        return self.fill(at, len(boxes.cells[at]), boxes.touched[at], boxes.bits, before)


def estimate(groups: Sequence[Constraint]) -> int:
    """Estimate the mine count: the sum of each cell's average share over its numbers.

    The enumeration may start at any mine count from 0 to the number of cells.

    >>> estimate([(frozenset({0, 1, 2}), 2), (frozenset({2, 3}), 1)])
    2
    """
    shares: dict[int, list[float]] = {}
    for cells, mines in groups:
        for cell in cells:
            shares.setdefault(cell, []).append(mines / len(cells))
    mean = sum(sum(share) / len(share) for share in shares.values())
    return min(max(round(mean), 0), len(shares))


def tried(groups: Sequence[Constraint]) -> range:
    """Yield the mine counts that the plain enumeration tries, starting at its estimate.

    It continues upwards while any placement leaves some numbers short and exceeds none, and
    downwards while any exceeds some numbers and leaves none short. This covers every legal
    placement.
    """
    first = estimate(groups)
    size = len(frozenset[int]().union(*(cells for cells, _ in groups)))
    short = _short([(cells, mines) for cells, mines in groups])
    # Too few clear cells around a number means too many mines.
    over = _short([(cells, len(cells) - mines) for cells, mines in groups])
    most = first
    while most in short:
        most += 1
    least = first
    while least > 0 and size - least in over:
        least -= 1
    return range(least, most + 1)


def enumerated(groups: Sequence[Constraint]) -> int:
    """Return the number of placements tried by the plain enumeration: C(n, b) for each b tried.

    >>> enumerated([(frozenset({0, 1}), 1)])
    2
    """
    size = len(frozenset[int]().union(*(cells for cells, _ in groups)))
    return sum(comb(size, mines) for mines in tried(groups))


def _short(groups: Sequence[Constraint]) -> set[int]:
    """Return the mine counts of placements that leave a number short and exceed none.

    Placements are not tried one by one: those of the first boxes that leave the same needs form one
    state.
    """
    boxes = Boxes([cells for cells, _ in groups], 1)
    last = {number: at for at, touched in enumerate(boxes.touched) for number in touched}
    if any(mines < 0 for _, mines in groups):
        return set()
    states = {(tuple(mines for _, mines in groups), 0, any(m and not c for c, m in groups))}
    for at, (cells, touched) in enumerate(zip(boxes.cells, boxes.touched, strict=True)):
        done = [number for number in touched if last[number] == at]
        following = set()
        for needs, used, short in states:
            for mines in range(min(len(cells), *[needs[number] for number in touched]) + 1):
                left = list(needs)
                for number in touched:
                    left[number] -= mines
                lacking = short or any(left[number] for number in done)
                for number in done:
                    left[number] = 0
                following.add((tuple(left), used + mines, lacking))
        states = following
    return {used for _, used, short in states if short}
