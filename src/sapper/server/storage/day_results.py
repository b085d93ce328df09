"""Saved daily board results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple, Self

__all__ = ["Day", "DayResult", "is_day"]

Day = str
"""A date as ``YYYY-MM-DD``."""


class DayResult(NamedTuple):
    """The result of the first attempt at a day's board.

    Attributes:
        day: Date of the board.
        won: Whether it was won.
        seconds: Duration in seconds.
        bbbv: 3BV of the board.
        clicks: Number of clicks, including the one that opened the start.
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
        """Return the result in a database row; None if it is damaged."""
        result = cls(*row)
        numbers = (result.won, result.seconds, result.bbbv, result.clicks)
        if not is_day(result.day) or not all(isinstance(number, int | float) for number in numbers):
            return None
        if not isinstance(result.helped, str | None):
            return None
        return result._replace(won=bool(result.won))


def is_day(value: object) -> bool:
    """Return whether a value is a date as ``YYYY-MM-DD``."""
    try:
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False
