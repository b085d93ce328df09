"""LastTurns: the exact end game of the group bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from sapper.solver.bots.known import Constraint

__all__ = ["LastTurns", "last_turns"]


@dataclass(frozen=True, slots=True)
class LastTurns:
    """What the end game found: ``LastTurns(mines, cells)`` in the seed's log.

    Attributes:
        possible: The placements of so many mines on so many cells.
        fitting: Those that agree with every number.
        p_mine: Each cell's share of the fitting placements, by index.
    """

    possible: int
    fitting: int
    p_mine: dict[int, Fraction]


def last_turns(groups: Sequence[Constraint], unknown: Sequence[int], mines: int) -> LastTurns:
    """Go through every placement of the mines on the unknown cells.

    The seed makes each placement and tests it. Here cells in exactly the same groups are
    placed together, so many mines in so many cells at once, and a number that is already
    broken ends that branch. The counts are the same.

    >>> found = last_turns([(frozenset({0, 1}), 1)], unknown=[0, 1, 2], mines=2)
    >>> found.possible, found.fitting, [str(share) for share in found.p_mine.values()]
    (3, 2, ['1/2', '1/2', '1'])
    """
    search = _Search(groups, unknown, mines)
    search.place(0, mines, 1)
    fitting = search.fitting
    p_mine = {}
    for box, held in zip(search.boxes, search.held, strict=True):
        for cell in box:
            p_mine[cell] = Fraction(held, fitting * len(box)) if fitting else Fraction(0)
    in_order = {cell: p_mine[cell] for cell in unknown}
    return LastTurns(comb(len(unknown), mines) if mines >= 0 else 0, fitting, in_order)


class _Search:
    def __init__(self, groups: Sequence[Constraint], unknown: Sequence[int], mines: int) -> None:
        touching: dict[int, list[int]] = {cell: [] for cell in unknown}
        for number, (cells, _) in enumerate(groups):
            for cell in cells:
                touching[cell].append(number)
        boxes: dict[tuple[int, ...], list[int]] = {}
        # Cells of one group follow each other, so that a broken number shows early.
        for cell in sorted(unknown, key=lambda cell: touching[cell]):
            boxes.setdefault(tuple(touching[cell]), []).append(cell)
        # The cells that no number touches take what is left, so they come last.
        boxes[()] = boxes.pop((), [])
        self.groups, self.boxes = list(boxes), list(boxes.values())
        self.needs = [mines for _, mines in groups]
        self.room = [len(cells) for cells, _ in groups]
        self.held = [0] * len(self.boxes)
        self.chosen = [0] * len(self.boxes)
        self.fitting = 0

    def place(self, at: int, left: int, ways: int) -> None:
        """Try all numbers of mines in box `at` and those after it."""
        size = len(self.boxes[at])
        if at == len(self.boxes) - 1:
            if 0 <= left <= size:
                self.chosen[at] = left
                self.count(ways * comb(size, left))
            return
        needs, room, touched = self.needs, self.room, self.groups[at]
        for group in touched:
            room[group] -= size
        least = max(0, *(needs[group] - room[group] for group in touched))
        most = min(size, left, *(needs[group] for group in touched))
        for mines in range(least, most + 1):
            for group in touched:
                needs[group] -= mines
            self.chosen[at] = mines
            self.place(at + 1, left - mines, ways * comb(size, mines))
            for group in touched:
                needs[group] += mines
        for group in touched:
            room[group] += size

    def count(self, ways: int) -> None:
        self.fitting += ways
        for box, mines in enumerate(self.chosen):
            self.held[box] += ways * mines
