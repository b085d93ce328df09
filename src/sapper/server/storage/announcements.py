"""Announcements of the operator to all open windows."""

from __future__ import annotations

import secrets
from typing import Final, NamedTuple

from sapper.database.connection import Connection
from sapper.database.tables import Table
from sapper.errors import BadSetting
from sapper.server.storage.clocked import Clocked
from sapper.server.storage.feature_tables import FeatureTables

__all__ = ["LONGEST", "MOST", "SCHEMA", "TABLES", "Announcement", "Announcements", "active"]

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS announcements (
    id TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    event_ms INTEGER,
    restart INTEGER NOT NULL,
    until_ms INTEGER NOT NULL
);
"""

TABLES: Final = FeatureTables({5: SCHEMA}, (Table("announcements"),))

LONGEST: Final = 200
"""Maximum length of the text in characters."""
MOST: Final = 5
"""Maximum number of simultaneous announcements."""
_COLUMNS: Final = "id, text, created_ms, event_ms, restart, until_ms"


class Announcement(NamedTuple):
    """An announcement.

    Attributes:
        id: Its id.
        text: Its text; may be empty for a restart.
        created_ms: When it was made, in milliseconds since 1970.
        event_ms: When the announced event takes place, or None.
        restart: Whether that event is a restart of the server.
        until_ms: When it ends.
    """

    id: str
    text: str
    created_ms: int
    event_ms: int | None
    restart: bool
    until_ms: int


def active(db: Connection, now: int) -> list[Announcement]:
    """Return the announcements that have not ended, oldest first."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM announcements WHERE until_ms > ? ORDER BY created_ms, id", (now,)
    ).fetchall()
    return [
        Announcement(key, text, created, event, bool(restart), until)
        for key, text, created, event, restart, until in rows
    ]


class Announcements(Clocked):
    """The announcements in a database. Thread-safe.

    Args:
        database: The database.
        clock: Seconds since 1970.
    """

    def active(self) -> list[Announcement]:
        """Return the announcements that have not ended, oldest first."""
        with self._database.reading() as db:
            return active(db, self._now_ms())

    def add(
        self, text: str, lasts_ms: int, *, event_in_ms: int | None = None, restart: bool = False
    ) -> Announcement:
        """Add an announcement.

        Args:
            text: Its text.
            lasts_ms: How long it is shown, in milliseconds, from now or from the event.
            event_in_ms: Time until the announced event, in milliseconds.
            restart: Whether that event is a restart of the server.

        Raises:
            BadSetting: If there are too many announcements.
        """
        now = self._now_ms()
        event = None if event_in_ms is None else now + event_in_ms
        until = (now if event is None else event) + lasts_ms
        made = Announcement(secrets.token_hex(4), text, now, event, restart, until)
        with self._database.writing() as db:
            db.execute("DELETE FROM announcements WHERE until_ms <= ?", (now,))
            if len(active(db, now)) >= MOST:
                raise BadSetting(f"there are {MOST} announcements already; withdraw one first")
            db.execute("INSERT INTO announcements VALUES (?, ?, ?, ?, ?, ?)", made)
        return made

    def withdraw(self, key: str | None = None) -> list[Announcement]:
        """End an announcement or, without an id, all of them; return those that ended."""
        with self._database.writing() as db:
            ended = [one for one in active(db, self._now_ms()) if key in (None, one.id)]
            db.executemany("DELETE FROM announcements WHERE id = ?", [(one.id,) for one in ended])
        return ended

    def restarted(self) -> None:
        """End the announcements of restarts that are due."""
        with self._database.writing() as db:
            db.execute(
                "DELETE FROM announcements WHERE restart = 1 AND event_ms <= ?", (self._now_ms(),)
            )
