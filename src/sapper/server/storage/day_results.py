"""Results of daily boards, as they are saved."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple, Self

__all__ = ["Day", "DayResult", "is_day"]

Day = str
"""A date as ``YYYY-MM-DD``."""


class DayResult(NamedTuple):
    """The first attempt at a day's board, which was finished.

    Attributes:
        day: The date of the board.
        won: Whether it was won.
        seconds: Seconds taken.
        bbbv: The 3BV of the board.
        clicks: Clicks, including the one that opened the start.
        helped: The help used, or None.
    """

    day: Day
    won: bool
    seconds: float
    bbbv: int
    clicks: int
    helped: str | None

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return self._asdict()

    @classmethod
    def of_row(cls, row: Sequence[Any]) -> Self | None:
        """Return the result in a row of the file of saved games; None if it is damaged."""
        found = cls(*row)
        numbers = (found.won, found.seconds, found.bbbv, found.clicks)
        if not is_day(found.day) or not all(isinstance(number, int | float) for number in numbers):
            return None
        if not isinstance(found.helped, str | None):
            return None
        return found._replace(won=bool(found.won))


def is_day(value: object) -> bool:
    """Return whether a value is a date as ``YYYY-MM-DD``."""
    try:
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False
