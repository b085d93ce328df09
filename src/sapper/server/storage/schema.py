"""The tables of saved games by schema version.

A new table or column is one entry in `MIGRATIONS`, in SQL with SQLite's types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sapper.coach.practice.cards import SCHEMA as PRACTICE_TABLES
from sapper.coach.trainer.records import SCHEMA as TRAINER_TABLES
from sapper.history.tables import PATTERN_TABLES, SQLITE_INDEXES
from sapper.history.tables import SCHEMA as HISTORY_TABLES
from sapper.server.storage.account_rows import IDENTITIES
from sapper.server.storage.account_rows import SCHEMA as ACCOUNT_TABLES
from sapper.server.storage.announcements import SCHEMA as ANNOUNCEMENT_TABLES
from sapper.server.storage.bans import SCHEMA as BAN_TABLES
from sapper.server.storage.ownership import SCHEMA as OWNER_TABLES
from sapper.server.storage.rooms import SCHEMA as ROOM_TABLES
from sapper.server.storage.standing_tables import SCHEMA as STANDING_TABLES

__all__ = ["FIRST_VERSION", "MIGRATIONS", "SQLITE_INDEXES", "TABLES", "statements", "version"]

FIRST_VERSION: Final = 3
"""The version of `TABLES`; earlier files have some of them and get the others when opened."""

TABLES: Final = f"""
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY,
    saved INTEGER NOT NULL,
    state TEXT NOT NULL,
    game TEXT
);
CREATE INDEX IF NOT EXISTS sessions_by_age ON sessions (saved);
CREATE TABLE IF NOT EXISTS actions (
    session TEXT NOT NULL,
    number INTEGER NOT NULL,
    action TEXT NOT NULL,
    PRIMARY KEY (session, number)
) WITHOUT ROWID;
-- The days whose board was started, whether or not it was finished.
CREATE TABLE IF NOT EXISTS daily_starts (
    session TEXT NOT NULL,
    day TEXT NOT NULL,
    PRIMARY KEY (session, day)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS dailies (
    session TEXT NOT NULL,
    day TEXT NOT NULL,
    won INTEGER NOT NULL,
    seconds REAL NOT NULL,
    bbbv INTEGER NOT NULL,
    clicks INTEGER NOT NULL,
    helped TEXT,
    game TEXT NOT NULL,
    PRIMARY KEY (session, day)
) WITHOUT ROWID;
{TRAINER_TABLES}
{HISTORY_TABLES}
"""

MIGRATIONS: Final[Mapping[int, str]] = {
    4: ACCOUNT_TABLES,
    5: f"{BAN_TABLES}{ANNOUNCEMENT_TABLES}",
    6: IDENTITIES,
    7: OWNER_TABLES,
    8: STANDING_TABLES,
    9: ROOM_TABLES,
    10: f"{PATTERN_TABLES}{PRACTICE_TABLES}",
}
"""The statements of each later version, run once and in order, each version in one transaction."""


def version() -> int:
    """Return the current version."""
    return max(MIGRATIONS, default=FIRST_VERSION)


def statements(after: int = 0, until: int | None = None) -> dict[int, str]:
    """Return the statements of each version after one, up to another (default: the current)."""
    versions = {FIRST_VERSION: TABLES, **MIGRATIONS}
    most = version() if until is None else until
    return {number: versions[number] for number in sorted(versions) if after < number <= most}
