"""The schema of the saved-games file, and the check that a file matches it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from typing import Final

from sapper.coach.trainer.records import SCHEMA as TRAINER_SCHEMA
from sapper.history.tables import SCHEMA as HISTORY_SCHEMA

__all__ = ["SCHEMA", "check_tables"]

SCHEMA: Final = f"""
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
{TRAINER_SCHEMA}
{HISTORY_SCHEMA}
"""

_Column = tuple[str, str, int, int]
"""Name, type, whether it must have a value, and place in the primary key."""


def check_tables(db: sqlite3.Connection) -> None:
    """Check that each table of a file has the columns of `SCHEMA`; missing tables are accepted.

    Raises:
        sqlite3.DatabaseError: With the first difference.
    """
    for table, wanted in _tables().items():
        found = _columns(db, table)
        if not found or found == wanted:
            continue
        names = [column[0] for column in found]
        for name, *_ in wanted:
            if name not in names:
                raise sqlite3.DatabaseError(f"the table {table} has no column {name}")
        raise sqlite3.DatabaseError(f"the columns of the table {table} are of another kind")


@cache
def _tables() -> dict[str, list[_Column]]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(SCHEMA)
        names = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {name: _columns(db, name) for (name,) in names}


def _columns(db: sqlite3.Connection, table: str) -> list[_Column]:
    rows = db.execute(f"PRAGMA table_info({table})").fetchall()
    return [(name, kind, required, place) for _, name, kind, required, _, place in rows]
