"""Level 2 of Autosweeper, both as published and in a sound version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Bucket", "published", "sound"]


@dataclass(frozen=True, slots=True)
class Bucket:
    """A number's unknown neighbours, and the mines left among them.

    Attributes:
        cells: In the order of the original: by column, then row.
        mines: The number minus the mines marked around it.
    """

    cells: tuple[int, ...]
    mines: int


def _sub_buckets(
    main: Bucket, buckets: Mapping[int, Bucket], owners: Mapping[int, Sequence[int]]
) -> list[Bucket]:
    """Return the buckets of nearby numbers that are proper subsets of the main one."""
    inside, size = set(main.cells), len(main.cells)
    near = {owner: None for cell in main.cells for owner in owners[cell]}
    found = [buckets[owner] for owner in near]
    return [sub for sub in found if len(sub.cells) < size and inside.issuperset(sub.cells)]


def published(
    buckets: Mapping[int, Bucket], owners: Mapping[int, Sequence[int]], order: Iterable[int]
) -> set[int]:
    """Return the cells that the original's level 2 claims to be safe, rightly or wrongly.

    If sub-buckets overlap and each of them has as many mines as the main bucket, the overlap
    contains all the mines and the rest of the main bucket is safe. This is sound. Otherwise the
    overlap is removed from these sub-buckets without changing their mine counts, which is the
    error. Finally the sub-buckets are subtracted from the main one; a remainder without mines is
    safe.

    Two bugs of the program are kept: it removes all equal sub-buckets instead of one, and it
    removes the cells of an overlap from all safe cells found so far.

    Args:
        buckets: Each number's bucket, by the number's index.
        owners: The numbers that touch each unknown cell.
        order: The numbers, in the order of the original.
    """
    safe: set[int] = set()
    for number in order:
        main = buckets[number]
        subs = _sub_buckets(main, buckets, owners)
        kinds = [frozenset(sub.cells) for sub in subs]
        parts = [
            (set(kind), sub.mines)
            for sub, kind in zip(subs, kinds, strict=True)
            if kinds.count(kind) == 1
        ]
        overlap = _overlap_with_all_mines(main, parts)
        if overlap:
            safe.update(main.cells)
            safe -= overlap
            continue
        rest, mines = set(main.cells), main.mines
        for cells, held in parts:
            rest -= cells
            mines -= held
        if mines == 0:
            safe |= rest
    return safe


def _overlap_with_all_mines(main: Bucket, parts: list[tuple[set[int], int]]) -> set[int]:
    """Return an overlap that contains all mines of the main bucket, if any.

    Other overlaps found on the way are removed from the parts.
    """
    for cell in main.cells:
        holding = [part for part in parts if cell in part[0]]
        if len(holding) < 2:
            continue
        overlap = set.intersection(*(cells for cells, _ in holding))
        counts = [main.mines, *(mines for _, mines in holding)]
        if sum(abs(count - min(counts[1:])) for count in counts) == 0:
            return overlap
        for cells, _ in holding:
            cells -= overlap
    return set()


def sound(
    buckets: Mapping[int, Bucket], owners: Mapping[int, Sequence[int]], order: Iterable[int]
) -> set[int]:
    """A sound version of level 2: every cell that it claims to be safe is safe.

    If a sub-bucket has all the mines of the main one, the rest of the main one is safe. Otherwise
    only sub-buckets that do not overlap are subtracted, those with the most mines first.

    Args: as for `published`.
    """
    safe: set[int] = set()
    for number in order:
        main = buckets[number]
        subs = _sub_buckets(main, buckets, owners)
        for sub in subs:
            if sub.mines == main.mines:
                safe.update(set(main.cells).difference(sub.cells))
        rest, mines = set(main.cells), main.mines
        for sub in sorted(subs, key=lambda sub: -sub.mines):
            if rest.issuperset(sub.cells):
                rest.difference_update(sub.cells)
                mines -= sub.mines
        if mines == 0:
            safe |= rest
    return safe
