"""Composite components: parts joined only by bridges, and how both are enumerated.

A *part* is a subset of a component's numbers, with the cells that touch no other numbers. Cells
that touch numbers of several parts are *bridges*. Once the mines on the bridges are chosen, the
parts are independent and their placements multiply.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from math import comb, prod

from sapper.solver.bots._enumeration import Boxes, Budget, Filling, MineTally, enumerated
from sapper.solver.bots.constraints import Constraint

__all__ = ["Composite", "split"]


def split(groups: Sequence[Constraint]) -> list[list[int]] | None:
    """Return the numbers of each part, as indices into `groups`; None if there is only one part.

    Parts grow in the order of the numbers. A number in no part starts one, together with the
    numbers that share a cell with it. So does a number in a *small* part: one with fewer than
    ``floor(5 * numbers / cells) + 1`` numbers. A part that has no cells to itself joins the first
    part with which it shares a bridge. If only one part is left, each number becomes a part; if one
    is left again, the component is not split.
    """
    near = _near(groups)
    size = len(frozenset[int]().union(*(cells for cells, _ in groups)))
    small = 5 * len(groups) // size + 1
    part_of: dict[int, list[int]] = {}
    parts = []
    for number in range(len(groups)):
        part = part_of.get(number)
        if part is None:
            part = part_of[number] = [number]
            parts.append(part)
        elif len(part) >= small:
            continue
        for other in near[number]:
            if other not in part_of:
                part_of[other] = part
                part.append(other)
    for attempt in (parts, [[number] for number in range(len(groups))]):
        merged = _merged(groups, near, attempt)
        if len(merged) > 1:
            return merged
    return None


def _near(groups: Sequence[Constraint]) -> list[list[int]]:
    """Return, for each number, those that share a cell with it, in order."""
    return [
        [b for b, (others, _) in enumerate(groups) if a != b and not cells.isdisjoint(others)]
        for a, (cells, _) in enumerate(groups)
    ]


def _merged(
    groups: Sequence[Constraint], near: Sequence[Sequence[int]], parts: list[list[int]]
) -> list[list[int]]:
    """Merge parts that have no cells to themselves into others."""
    parts = list(parts)
    while len(parts) > 1:
        part_of = {number: at for at, part in enumerate(parts) for number in part}
        owners = _owners(groups, part_of)
        owning = {next(iter(touched)) for touched in owners.values() if len(touched) == 1}
        bare = next((at for at in range(len(parts)) if at not in owning), None)
        if bare is None:
            break
        other = next(
            part_of[number]
            for own in parts[bare]
            for number in near[own]
            if part_of[number] != bare
        )
        parts[other] = parts[other] + parts[bare]
        del parts[bare]
    return parts


def _owners(groups: Sequence[Constraint], part_of: dict[int, int]) -> dict[int, set[int]]:
    """Return the parts that each cell touches."""
    owners: dict[int, set[int]] = {}
    for number, (cells, _) in enumerate(groups):
        for cell in cells:
            owners.setdefault(cell, set()).add(part_of[number])
    return owners


class Composite:
    """A component in several parts.

    Attributes:
        groups: The numbers of the component.
        bridges: The bridges.
    """

    def __init__(self, groups: Sequence[Constraint], parts: Sequence[Sequence[int]]) -> None:
        part_of = {number: at for at, part in enumerate(parts) for number in part}
        owners = _owners(groups, part_of)
        self.groups = groups
        self.bridges = frozenset(cell for cell, touched in owners.items() if len(touched) > 1)
        self._bits = bits = len(owners) + 1
        joins = Boxes([cells & self.bridges for cells, _ in groups], bits)
        reach = {at: {part_of[n] for n in touched} for at, touched in enumerate(joins.touched)}
        # Go part by part: the sooner a part is complete, the sooner it can rule out a choice.
        order = _by_part(reach)
        self._bridge_boxes = [joins.cells[at] for at in order]
        self._touched = [joins.touched[at] for at in order]
        self._parts = [tuple(part) for part in parts]
        self._own = [[groups[n][0] - self.bridges for n in part] for part in parts]
        last = {part: place for place, at in enumerate(order) for part in reach[at]}
        self._complete: list[list[int]] = [[] for _ in range(len(order) + 1)]
        for part, place in last.items():
            self._complete[place + 1].append(part)

    def tally(self, budget: Budget) -> MineTally:
        """Count the legal placements of the bridges and, for each of these, of every part.

        The original tries every placement on the bridges. Here, placements in one box are counted
        together, as are those that leave a part with the same needs, and a violated number ends its
        branch. The counts are the same.

        Raises:
            BudgetSpent: If there are too many placements.
        """
        search = _Search(self, budget)
        legal = search.place(0, 1)
        with_mine = {}
        for cells, held in zip(self._bridge_boxes, search.held, strict=True):
            with_mine.update(dict.fromkeys(cells, held // len(cells)))
        for found, times in search.used.values():
            for cell, count in found.with_mine.items():
                with_mine[cell] = with_mine.get(cell, 0) + count * times
        return MineTally(self._bits, legal, with_mine)

    def enumerated(self) -> int:
        """Return the number of placements that the plain enumeration tries, as in the original.

        The placements of each part are tried once for every placement on all bridges, even those
        that do not touch the part.
        """
        return sum(self._enumerated(part) for part in range(len(self._parts)))

    def _enumerated(self, part: int) -> int:
        numbers, made = self._parts[part], 0
        touching = [at for at, t in enumerate(self._touched) if not set(t).isdisjoint(numbers)]
        boxes = [len(self._bridge_boxes[at]) for at in touching]
        known: dict[tuple[int, ...], int] = {}
        for mines in product(*(range(size + 1) for size in boxes)):
            on = dict(zip(touching, mines, strict=True))
            needs = tuple(
                self.groups[number][1] - sum(on[at] for at in on if number in self._touched[at])
                for number in numbers
            )
            if needs not in known:
                known[needs] = enumerated(list(zip(self._own[part], needs, strict=True)))
            made += known[needs] * prod(map(comb, boxes, mines))
        return made << len(self.bridges) - sum(boxes)


class _Search(Filling):
    """The placements on the bridges, box by box.

    Attributes:
        held: For each box of bridges, its mines summed over all legal placements.
        used: The tally of a part and the packed count of the placements combined with it, by part
            and needs.
    """

    def __init__(self, composite: Composite, budget: Budget) -> None:
        needs = [mines for _, mines in composite.groups]
        super().__init__(needs, [len(cells) for cells, _ in composite.groups], budget)
        self.of = composite
        self.held = [0] * len(composite._bridge_boxes)
        self.used: dict[tuple[int, ...], tuple[MineTally, int]] = {}
        self.boxes = [Boxes(own, composite._bits) for own in composite._own]

    def part(self, part: int) -> tuple[tuple[int, ...], MineTally]:
        """Tally a part whose bridges are all chosen, or look up its tally."""
        needs = [self.needs[number] for number in self.of._parts[part]]
        key = (part, *needs)
        if key not in self.used:
            self.used[key] = self.boxes[part].tally(needs, self.budget), 0
        return key, self.used[key][0]

    def place(self, at: int, before: int) -> int:
        """Fill box `at` and the following ones; return the packed count of placements.

        This includes the placements of parts completed since; `before` counts those completed
        earlier.
        """
        parts = [self.part(part) for part in self.of._complete[at]]
        here = prod(tally.legal for _, tally in parts)
        if not here:
            return 0
        after = self.choices(at, before * here) if at < len(self.held) else 1
        for key, tally in parts:
            others = prod(other.legal for name, other in parts if name != key)
            self.used[key] = tally, self.used[key][1] + before * others * after
        return here * after

    def choices(self, at: int, before: int) -> int:
        """Try every mine count on box `at` that violates no number."""
        size, touched = len(self.of._bridge_boxes[at]), self.of._touched[at]
        return self.fill(at, size, touched, self.of._bits, before)


def _by_part(reach: Mapping[int, set[int]]) -> list[int]:
    """Order the boxes of bridges so that each part is complete as early as possible."""
    left, order = dict(reach), list[int]()
    begun: set[int] = set()
    while left:
        missing = Counter(part for parts in left.values() for part in parts)
        # Choose the part with the fewest remaining bridges among those with a filled bridge or, if
        # there are none, among all.
        part = min(begun & missing.keys() or missing, key=lambda part: (missing[part], part))
        for at in [at for at, parts in left.items() if part in parts]:
            order.append(at)
            begun |= left.pop(at)
    return order
