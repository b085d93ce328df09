"""Group reduction: the deductive part of the group bot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from sapper.solver.bots.constraints import Constraint

__all__ = ["reduce_groups"]


class _Group:
    """A set of cells and the mines among them; both change during the reduction."""

    __slots__ = ("cells", "dirty", "mines")

    def __init__(self, cells: Iterable[int], mines: int) -> None:
        self.cells = set(cells)
        self.mines = mines
        self.dirty = True


def reduce_groups(groups: Iterable[Constraint]) -> list[Constraint]:
    """Reduce groups until a full pass changes nothing; return those left in creation order.

    Each group is compared with every later one:

    1. Equal groups: the second is dropped.
    2. One contains the other: the smaller is subtracted from the larger.
    3. They overlap: the one with more mines is the parent. Even if every other cell of the
       parent is mined, ``mines(parent) - |parent without child|`` mines are shared. If
       these are all the mines of the child, the shared cells become a separate group, and
       are subtracted from both.

    Every change reduces the sum of the groups' sizes, so the loop ends.

    >>> reduce_groups([(frozenset({1, 2, 3}), 1), (frozenset({2, 3, 4}), 2)])
    [(frozenset({1}), 0), (frozenset({4}), 1), (frozenset({2, 3}), 1)]
    """
    work = _Work(groups)
    while work.one_pass():
        pass
    return [(frozenset(group.cells), group.mines) for group in work.groups if group.cells]


class _Work:
    """The list of groups, and an index of the groups that contain each cell.

    Groups without a common cell and groups unchanged since their last comparison are skipped, which
    does not change the result. A group is dirty if it, or a later group that shares a cell with it,
    has changed since it was last compared with the later ones. Dropped groups stay in the list,
    without cells.
    """

    def __init__(self, groups: Iterable[Constraint]) -> None:
        self.groups: list[_Group] = []
        self.holding: dict[int, set[int]] = defaultdict(set)
        for cells, mines in groups:
            self.add(cells, mines)

    def add(self, cells: Iterable[int], mines: int) -> None:
        number = len(self.groups)
        group = _Group(cells, mines)
        self.groups.append(group)
        for cell in group.cells:
            self.holding[cell].add(number)
        self.touch(number)

    def touch(self, number: int) -> None:
        """Mark a changed group and earlier groups that share cells with it."""
        self.groups[number].dirty = True
        for cell in self.groups[number].cells:
            for other in self.holding[cell]:
                if other < number:
                    self.groups[other].dirty = True

    def subtract(self, number: int, cells: set[int], mines: int) -> None:
        group = self.groups[number]
        for cell in cells:
            self.holding[cell].discard(number)
        group.cells = group.cells - cells
        group.mines -= mines
        self.touch(number)

    def one_pass(self) -> bool:
        """Compare each group with every later one; return whether anything changed."""
        changed = False
        number = 0
        # Groups created during the pass are compared in the same pass.
        while number < len(self.groups):
            group = self.groups[number]
            if group.dirty:
                group.dirty = False
                near: set[int] = set()
                for cell in group.cells:
                    near |= self.holding[cell]
                for other in sorted(near):
                    if other > number:
                        changed |= self.compare(number, other)
            number += 1
        return changed

    def compare(self, first: int, second: int) -> bool:
        a, b = self.groups[first], self.groups[second]
        shared = a.cells & b.cells
        if not shared:
            return False
        size = len(shared)
        if size == len(b.cells):
            if size == len(a.cells):
                self.subtract(second, b.cells, b.mines)
            else:
                self.subtract(first, b.cells, b.mines)
            return True
        if size == len(a.cells):
            self.subtract(second, a.cells, a.mines)
            return True
        parent, child = (a, b) if a.mines > b.mines else (b, a)
        mines = parent.mines - (len(parent.cells) - size)
        if mines != child.mines:
            return False
        self.subtract(first, shared, mines)
        self.subtract(second, shared, mines)
        self.add(shared, mines)
        return True
