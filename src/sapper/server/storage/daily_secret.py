"""The secret from which the daily boards of a site follow."""

from __future__ import annotations

import secrets
from datetime import UTC, date, datetime
from typing import Final

from sapper.database.connection import Connection
from sapper.generation.daily import DailyBoards
from sapper.history.tables import Tables
from sapper.server.storage.day_results import is_day

__all__ = ["daily_boards"]

_SECRET_BYTES: Final = 32
_READ: Final = "SELECT value FROM meta WHERE name = 'daily'"


def daily_boards(database: Tables) -> DailyBoards:
    """Return the daily boards of a database; their secret is created on first use.

    All workers get the same secret, and so does a server that is started again.
    """
    with database.reading() as db:
        row = db.execute(_READ).fetchone()
    if row is None:
        with database.writing() as db:
            value = (
                secrets.randbits(8 * _SECRET_BYTES).to_bytes(_SECRET_BYTES)
                + _last_dated(db).encode()
            )
            db.execute(
                "INSERT INTO meta (name, value) VALUES ('daily', ?) ON CONFLICT DO NOTHING",
                (value,),
            )
            row = db.execute(_READ).fetchone()
    value = bytes(row[0])
    until = value[_SECRET_BYTES:].decode()
    return DailyBoards(value[:_SECRET_BYTES], date.fromisoformat(until) if until else None)


def _last_dated(db: Connection) -> str:
    """Return the last day that was played with its date as the seed; empty if there is none."""
    now = datetime.now(UTC).date().isoformat()
    rows = db.execute("SELECT day FROM daily_starts UNION SELECT day FROM dailies").fetchall()
    return max((day for (day,) in rows if is_day(day) and day <= now), default="")
