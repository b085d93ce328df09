"""Reconcile the areas with the mine total by choosing a mine count for each area."""

from __future__ import annotations

from collections.abc import Collection, Sequence

__all__ = ["choose", "extremes", "settle"]


def extremes(counts: Sequence[Collection[int]], floating: int) -> tuple[int, int]:
    """Return the minimum and maximum number of mines in the areas and floating cells."""
    return sum(map(min, counts)), sum(map(max, counts)) + floating


def choose(
    counts: Sequence[Collection[int]], now: Sequence[int], least: int, most: int
) -> list[int] | None:
    """Return a count for each area, with a sum from `least` to `most`; None if impossible.

    Args:
        counts: The possible counts of each area.
        now: The current counts, of which as few as possible are changed.
        least: The minimum sum.
        most: The maximum sum.

    >>> choose([{1, 2}, {2, 4}], [1, 2], least=5, most=5)
    [1, 4]
    """
    chosen, total = list(now), sum(now)
    for at, possible in enumerate(counts):
        if least <= total <= most:
            return chosen
        goal = chosen[at] + (least - total if total < least else most - total)
        # Get as close to the goal as possible without going past the area's current count.
        low, high = sorted((goal, chosen[at]))
        best = min((c for c in possible if low <= c <= high), key=lambda c: abs(c - goal))
        total += best - chosen[at]
        chosen[at] = best
    return chosen if least <= total <= most else _search(counts, least, most)


def _search(counts: Sequence[Collection[int]], least: int, most: int) -> list[int] | None:
    """An exhaustive version of `choose`: a subset sum, with bit `s` set if sum `s` is possible."""
    reached = [1]
    floors = [min(possible) for possible in counts]
    for possible, floor in zip(counts, floors, strict=True):
        sums = 0
        for count in possible:
            sums |= reached[-1] << (count - floor)
        reached.append(sums)
    base = sum(floors)
    if most < base:
        return None
    low = max(0, least - base)
    window = (reached[-1] >> low) & ((1 << max(0, most - base - low + 1)) - 1)
    if not window:
        return None
    left = low + (window & -window).bit_length() - 1
    chosen = []
    for at in range(len(counts) - 1, -1, -1):
        for count in counts[at]:
            rest = left - (count - floors[at])
            if rest >= 0 and reached[at] >> rest & 1:
                chosen.append(count)
                left = rest
                break
    return chosen[::-1]


def settle(floating: Sequence[int], mines: int | None) -> Sequence[int]:
    """Step 4, the fill: choose the floating cells that get a mine (none without a total)."""
    return floating[: mines or 0]
