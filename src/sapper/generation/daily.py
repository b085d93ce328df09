"""The daily board: the same for everyone, determined by the date."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.generation.boards import Generated, generate
from sapper.rules import Level
from sapper.topology import Cell
from sapper.translation import t

__all__ = ["DAILY_LEVEL", "DAILY_START", "daily", "daily_seed", "parse_day"]

DAILY_LEVEL: Final = Level.parse("intermediate")
DAILY_START: Final = Cell(8, 8)
"""The start, near the middle; it is opened before the clock starts."""


def daily_seed(day: date) -> int:
    """Return the seed of a day's board: the date as a number.

    >>> daily_seed(date(2026, 11, 22))
    20261122
    """
    return day.year * 10_000 + day.month * 100 + day.day


def daily(day: date) -> Generated:
    """Return the board of a day, which can be solved from its start without guessing.

    ``sapper generate --level intermediate --no-guess --start 8,8 --seed YYYYMMDD`` prints the same
    board.

    >>> made = daily(date(2026, 11, 22))
    >>> made.no_guess, made.board.mines, made.start
    (True, 40, Cell(row=8, col=8))
    """
    [made] = generate(DAILY_LEVEL, 1, start=DAILY_START, seed=daily_seed(day), no_guess="total")
    return made


def parse_day(text: str, today: date) -> date:
    """Read a day such as ``2026-11-22``, or ``today``.

    Args:
        text: The day.
        today: The UTC date that ``today`` stands for.

    Raises:
        BadSetting: If the text is not a day.
    """
    if text == "today":
        return today
    try:
        return date.fromisoformat(text)
    except ValueError:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
            raise BadSetting(t("there is no day {day} in the calendar", day=text)) from None
        raise BadSetting(f"a day is written YYYY-MM-DD or today, got {shown(text)}") from None
