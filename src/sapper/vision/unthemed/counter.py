"""Find the number on a page that counts its mines."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["MineCounter"]

Numbers = Mapping[str, int]
"""The numbers of a page, by location."""


class MineCounter:
    """The number of unflagged mines, if the page shows it.

    Two things must be seen of it: it falls by one when a flag is set, and is as before when the
    flag is removed; and at the start of a game that was won, it was the number of cells that
    were left in the end. A number that contradicts the second even once is not a counter.
    """

    def __init__(self) -> None:
        self._found: set[str] | None = None
        self._confirmed = False
        self._at_start: Numbers = {}

    def begin(self, numbers: Numbers) -> None:
        """Record the numbers of the page before a game; nothing if not seen."""
        self._at_start = numbers

    def flag(self, before: Numbers, flagged: Numbers, after: Numbers) -> None:
        """Record the numbers before and after setting a flag, and after removing it."""
        self._found = {
            place
            for place, number in before.items()
            if flagged.get(place) == number - 1 and after.get(place) == number
        }

    def win(self, left: int) -> None:
        """Record that the game was won, and how many cells were left."""
        if self._found and self._at_start:
            self._found = {place for place in self._found if self._at_start.get(place) == left}
            self._confirmed = bool(self._found)

    def total(self, numbers: Numbers) -> int | None:
        """Return the mine total that the page says before a game; None if that is not certain."""
        if not self._confirmed:
            return None
        said = {numbers.get(place) for place in self._found or ()}
        return said.pop() if len(said) == 1 else None
