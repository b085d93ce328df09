"""The SQLite file of saved games: its tables, and how it is opened; damaged files are set aside."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

from sapper.coach.trainer.records import SCHEMA as TRAINER_SCHEMA
from sapper.history.tables import SCHEMA as HISTORY_SCHEMA

__all__ = ["KEY_BYTES", "SCHEMA", "check_tables", "connect", "open_file", "read_key"]

_log: Final = logging.getLogger(__name__)

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
"""Name, type, whether NULL is forbidden, and position in the primary key."""

_VERSION: Final = 3

KEY_BYTES: Final = 32
"""Length of the key that signs cookies, in bytes."""


def check_tables(db: sqlite3.Connection) -> None:
    """Check that the tables of a file have the columns of `SCHEMA`; missing tables are accepted.

    Raises:
        sqlite3.DatabaseError: If they differ, with the first difference.
    """
    for table, expected in _tables().items():
        columns = _columns(db, table)
        if not columns or columns == expected:
            continue
        names = [column[0] for column in columns]
        for name, *_ in expected:
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


class LaterVersion(sqlite3.DatabaseError):
    """An intact file of a later version."""


def open_file(path: Path) -> sqlite3.Connection:
    """Open a file of saved games, created with mode 600; a damaged file is set aside first.

    The new file gets the key of the damaged one if it is readable, so that browsers keep their
    identity and find their games again once the file is repaired or restored.

    Raises:
        OSError: If the file cannot be opened or created, or is from a later version.
    """
    try:
        return connect(str(path))
    except LaterVersion as problem:
        raise OSError(f"{path}: {problem}") from problem
    except sqlite3.DatabaseError as problem:
        if isinstance(problem, sqlite3.OperationalError):
            # Locked, read-only or no space: the file itself may be intact.
            raise OSError(f"{path}: {problem}") from problem
        key = _readable_key(path)
        aside = _set_aside(path)
        _log.warning(
            "the saved games in %s cannot be read (%s); they are now in %s", path, problem, aside
        )
    try:
        db = connect(str(path))
        if key is not None:
            db.execute("INSERT INTO meta VALUES ('secret', ?)", (key,))
        return db
    except sqlite3.Error as problem:
        raise OSError(f"{path}: {problem}") from problem


def read_key(db: sqlite3.Connection) -> bytes | None:
    """Return the key that signs cookies, or None if there is none yet.

    Raises:
        sqlite3.DatabaseError: If the file is damaged.
    """
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
        return None
    row = db.execute("SELECT value FROM meta WHERE name = 'secret'").fetchone()
    if row is None:
        return None
    [key] = row
    if not isinstance(key, bytes) or len(key) != KEY_BYTES:
        raise sqlite3.DatabaseError("the key that signs cookies is damaged")
    return key


def _readable_key(path: Path) -> bytes | None:
    try:
        with closing(sqlite3.connect(path, timeout=1.0)) as db:
            return read_key(db)
    except sqlite3.Error:
        return None


def _set_aside(path: Path) -> Path:
    """Rename a damaged file and its log to a free name."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    while aside.exists():
        aside = aside.with_name(f"{aside.name}x")
    for suffix in ("-wal", "-shm", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(aside.with_name(aside.name + suffix))
    return aside


def connect(where: str) -> sqlite3.Connection:
    """Open a file of saved games or ``:memory:``, creating missing tables.

    Raises:
        LaterVersion: If the file is from a later version.
        sqlite3.Error: If it is damaged, locked, or from a version before 0.1.
    """
    if where != ":memory:":
        os.close(os.open(where, os.O_RDWR | os.O_CREAT, 0o600))
        os.chmod(where, 0o600)
    db = sqlite3.connect(where, check_same_thread=False, isolation_level=None, timeout=1.0)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        [state] = db.execute("PRAGMA quick_check(1)").fetchone()
        if state != "ok":
            raise sqlite3.DatabaseError(state)
        [version] = db.execute("PRAGMA user_version").fetchone()
        query = "SELECT 1 FROM sqlite_master WHERE name = 'sessions'"
        if version == 0 and db.execute(query).fetchone():
            raise sqlite3.DatabaseError("written by a version before 0.1")
        if version > _VERSION:
            raise LaterVersion("written by a later version of Sapper")
        # Check before creating tables, because an index on a missing column would look like a busy
        # file.
        check_tables(db)
        db.executescript(SCHEMA)
        read_key(db)
        db.execute(f"PRAGMA user_version = {_VERSION}")
    except BaseException:
        db.close()
        raise
    return db
