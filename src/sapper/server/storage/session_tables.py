"""The tables of sessions: running games, and the results of daily boards."""

from __future__ import annotations

import json
from typing import Any, Final

from sapper.database.connection import Connection
from sapper.database.tables import Export, Table
from sapper.server.storage.feature_tables import FeatureTables

__all__ = ["TABLES", "exported_settings"]

SCHEMA: Final = """
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
"""

NAMED: Final = """
-- Whether the player had an account when the attempt began, without which it has no place.
ALTER TABLE daily_starts ADD COLUMN named INTEGER NOT NULL DEFAULT 0;
-- Attempts before this version keep their places.
UPDATE daily_starts SET named = 1 WHERE session IN (SELECT player FROM accounts);
"""

_DAILY: Final = Export("daily.json")
_SETTINGS: Final = ("questions", "assist", "automatic", "choices")

TABLES: Final = FeatureTables(
    {3: SCHEMA, 13: NAMED},
    (
        Table("meta", is_bookkeeping=True),
        Table(
            "sessions",
            ("id",),
            part_of="sessions",
            export=Export("settings.json", own_form=True),
            is_pruned=True,
        ),
        Table(
            "actions",
            ("session",),
            part_of="sessions",
            not_exported="the mines of a running game are secret",
            is_pruned=True,
        ),
        Table("daily_starts", ("session",), export=_DAILY),
        Table("dailies", ("session",), export=_DAILY),
    ),
)


def exported_settings(db: Connection, player: str) -> dict[str, Any]:
    """Return the settings in a saved session, without those of the running game."""
    row = db.execute("SELECT state FROM sessions WHERE id = ?", (player,)).fetchone()
    try:
        found = {} if row is None else json.loads(row[0])
    except ValueError:
        return {}
    return {name: found[name] for name in _SETTINGS if name in found}
