"""Find the mine counter among the numbers on a page."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["MineCounter"]

Numbers = Mapping[str, int]
"""The numbers on a page, keyed by location."""


class MineCounter:
    """Finds the number of unflagged mines, if the page shows it.

    The counter must meet two conditions. It decreases by one when a flag is set and increases when
    the flag is removed. At the start of a won game, it equals the number of cells that are unopened
    at the end; a number that violates this condition once is not a counter.
    """

    def __init__(self) -> None:
        self._candidates: set[str] | None = None
        self._confirmed = False
        self._at_start: Numbers = {}

    def begin(self, numbers: Numbers) -> None:
        """Record the numbers on the page before a game, if known."""
        self._at_start = numbers

    def flag(self, before: Numbers, flagged: Numbers, after: Numbers) -> None:
        """Record the numbers before setting a flag, after setting it, and after removing it."""
        self._candidates = {
            place
            for place, number in before.items()
            if flagged.get(place) == number - 1 and after.get(place) == number
        }

    def win(self, left: int) -> None:
        """Record that the game was won, with the number of unopened cells."""
        if self._candidates and self._at_start:
            self._candidates = {
                place for place in self._candidates if self._at_start.get(place) == left
            }
            self._confirmed = bool(self._candidates)

    def total(self, numbers: Numbers) -> int | None:
        """Return the mine total on the page before a game; None if it is uncertain."""
        if not self._confirmed:
            return None
        totals = {numbers.get(place) for place in self._candidates or ()}
        return totals.pop() if len(totals) == 1 else None
