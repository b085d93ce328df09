"""The daily board: the same for everyone on a site, and unknown before its day."""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Final

from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.generation.boards import Generated, generate
from sapper.rules import Level
from sapper.topology import Cell
from sapper.translation import t

__all__ = ["DAILY_LEVEL", "DAILY_START", "DailyBoards", "daily", "parse_day"]

DAILY_LEVEL: Final = Level.parse("intermediate")
DAILY_START: Final = Cell(8, 8)
"""The start, near the middle; it is opened before the clock starts."""

_SEED_BITS: Final = 53
"""JavaScript reads larger seeds inexactly."""


@dataclass(frozen=True, slots=True)
class DailyBoards:
    """The daily boards of a site.

    Attributes:
        secret: The secret of the site, from which the seeds follow.
        dated_until: The last day whose seed was its date, as on all sites before version 1.2; None
            if there was no such day.
    """

    secret: bytes
    dated_until: date | None = None

    def seed(self, day: date) -> int:
        """Return the seed of a day's board, below 2**53.

        It is the first 53 bits of the HMAC-SHA256 of ``daily YYYY-MM-DD`` with the secret.
        """
        if self.dated_until is not None and day <= self.dated_until:
            return day.year * 10_000 + day.month * 100 + day.day
        digest = hmac.digest(self.secret, f"daily {day.isoformat()}".encode(), sha256)
        return int.from_bytes(digest[:8], "big") >> (64 - _SEED_BITS)

    def board(self, day: date) -> Generated:
        """Return the board of a day."""
        return daily(self.seed(day))


def daily(seed: int) -> Generated:
    """Return the daily board with a seed, which can be solved from its start without guessing.

    ``sapper generate --level intermediate --no-guess --start 8,8 --seed SEED`` prints the same
    board.

    >>> made = daily(20261122)
    >>> made.no_guess, made.board.mines, made.start
    (True, 40, Cell(row=8, col=8))
    """
    [made] = generate(DAILY_LEVEL, 1, start=DAILY_START, seed=seed, no_guess="total")
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
