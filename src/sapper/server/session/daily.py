"""The daily board on the Play page: the attempt that counts, results and streak."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime, timedelta

from sapper._util.clock import YEARS
from sapper._util.shortening import shown
from sapper.dealer import settings
from sapper.game import Game
from sapper.generation.daily import DAILY_LEVEL, DAILY_START, daily, parse_day
from sapper.server.protocol import BadMessage, Json
from sapper.server.storage.day_results import Day, DayResult

__all__ = ["counts", "daily_game", "daily_json", "day_of", "streak", "today"]


def today() -> date:
    """Return the current UTC date, which is the same for everyone."""
    return datetime.now(UTC).date()


def counts(day: date) -> bool:
    """Return whether a day's board counts: it is today's, and the machine's clock is plausible."""
    return day == today() and day.year in YEARS


def day_of(value: object) -> date:
    """Return the day in a message; today if it has none.

    Raises:
        BadMessage: If the value is not a string, or the day is in the future.
        BadSetting: If the value is not a date.
    """
    now = today()
    if value is None:
        return now
    if not isinstance(value, str):
        raise BadMessage(f"'day' must be YYYY-MM-DD, not {shown(value)}")
    day = parse_day(value, now)
    if day > now:
        raise BadMessage(f"'day' must be {now} (UTC) or earlier, not {day}")
    return day


def daily_game(seed: int) -> Game:
    """Return the game of a daily board before the first move.

    Its start is open, and the clock is at zero.
    """
    generated = daily(seed)
    opened = Game.from_board(generated.board)
    opened.open(DAILY_START)
    by = settings(DAILY_LEVEL, "no-guess", seed=seed)
    return Game.begin(by, opened.position, generated.board)


def streak(results: Mapping[Day, DayResult], now: date) -> int:
    """Return the number of consecutive days won without help, up to today or yesterday."""

    def is_won(day: date) -> bool:
        result = results.get(day.isoformat())
        return result is not None and result.won and result.helped is None

    day = now if is_won(now) else now - timedelta(days=1)
    length = 0
    while is_won(day):
        length, day = length + 1, day - timedelta(days=1)
    return length


def daily_json(
    results: Mapping[Day, DayResult], starts: Collection[Day] = (), going: Day | None = None
) -> Json:
    """Return the data about the daily board for the Play page.

    Args:
        results: Results by day.
        starts: Days whose boards have been started.
        going: The day of the running attempt, or None.
    """
    now = today()
    before = now - timedelta(days=1)
    recent = {day.isoformat(): results.get(day.isoformat()) for day in (now, before)}
    return {
        "today": now.isoformat(),
        "yesterday": before.isoformat(),
        "streak": streak(results, now),
        "results": {day: result and result.to_json() for day, result in recent.items()},
        "calendar": _calendar(results, starts, going),
    }


def _calendar(
    results: Mapping[Day, DayResult], starts: Collection[Day], going: Day | None
) -> dict[str, str]:
    """Return, for each month with a started board, one character per day.

    ``w`` won, ``h`` won with help, ``l`` lost, ``a`` abandoned, ``p`` being played, ``.`` not
    played.
    """
    months: dict[str, list[str]] = {}
    for day in sorted({*results, *starts}):
        result = results.get(day)
        if result is not None:
            mark = ("h" if result.helped else "w") if result.won else "l"
        else:
            mark = "p" if day == going else "a"
        months.setdefault(day[:7], ["."] * 31)[int(day[8:]) - 1] = mark
    return {month: "".join(marks) for month, marks in months.items()}
