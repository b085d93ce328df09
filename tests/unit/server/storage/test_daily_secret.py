"""The stored secret of the daily boards, on both databases."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from sapper.generation.daily import DailyBoards
from sapper.server.storage.daily_secret import daily_boards
from sapper.server.storage.database import Database


def test_the_secret_is_created_once(database: Database) -> None:
    """A new site has no day whose board was known, whatever is played later."""
    made = daily_boards(database)
    assert (len(made.secret), made.dated_until) == (32, None)
    with database.writing() as db:
        db.execute("INSERT INTO daily_starts VALUES ('ann', '2026-11-20', 0)")
    assert daily_boards(database) == made


def test_a_site_keeps_the_boards_that_were_played_before(database: Database) -> None:
    """Days up to the last one that was played have their date as the seed; bad rows are ignored."""
    later = datetime.now(UTC).date() + timedelta(30)
    with database.writing() as db:
        db.executemany(
            "INSERT INTO daily_starts VALUES ('ann', ?, 0)",
            [("2026-11-20",), ("2026-11-21",), ("soon",), (later.isoformat(),)],
        )
    boards = daily_boards(database)
    assert boards.dated_until == date(2026, 11, 21)
    assert boards.seed(date(2026, 11, 21)) == 20261121
    assert boards.seed(date(2026, 11, 22)) == DailyBoards(boards.secret).seed(date(2026, 11, 22))
