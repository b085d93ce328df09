"""The SQLite file with saved games: its tables, opening it, and setting damaged files aside."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from sapper.database.connection import Connection
from sapper.database.sqlite import transaction
from sapper.server.storage.database import KEY_BYTES
from sapper.server.storage.schema import FIRST_VERSION, SQLITE_INDEXES, statements, version
from sapper.server.storage.table_rows import columns_of, tables

__all__ = [
    "LaterVersion",
    "check_tables",
    "connect",
    "migrate",
    "open_file",
    "read_key",
    "set_aside",
]

_log: Final = logging.getLogger(__name__)


def check_tables(db: sqlite3.Connection, of_version: int | None = None) -> None:
    """Check the columns of the tables; missing tables are accepted.

    Args:
        db: The file.
        of_version: Its schema version (default: the current one).

    Raises:
        sqlite3.DatabaseError: If the columns differ; the message has the first difference.
    """
    for table, expected in tables(of_version or version()).items():
        columns = columns_of(db, table)
        if not columns or columns == expected:
            continue
        names = [column.name for column in columns]
        for column in expected:
            if column.name not in names:
                raise sqlite3.DatabaseError(f"the table {table} has no column {column.name}")
        raise sqlite3.DatabaseError(f"the columns of the table {table} are of another kind")


class LaterVersion(sqlite3.DatabaseError):
    """An intact file of a later version."""


def open_file(path: Path) -> sqlite3.Connection:
    """Open a saved games file; set a damaged one aside, and create a missing one with mode 600.

    The new file gets the key of the damaged one, if it is readable, so that browsers keep their
    identity and find their games again when the file is repaired or restored.

    Raises:
        OSError: If the file cannot be opened or created, or is from a later version.
    """
    try:
        db = connect(str(path))
        _notice_set_aside(db, path)
        return db
    except LaterVersion as problem:
        raise OSError(f"{path}: {problem}") from problem
    except sqlite3.DatabaseError as problem:
        if isinstance(problem, sqlite3.OperationalError):
            # The file may be locked or read-only, or the disk may be full; the file itself may be
            # intact.
            raise OSError(f"{path}: {problem}") from problem
        key = _readable_key(path)
        aside = set_aside(path, "damaged")
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


def _notice_set_aside(db: sqlite3.Connection, path: Path) -> None:
    """Warn if a file has no games, but an intact file next to it has.

    Version 1.0.0 renames a file of a later version as damaged, and starts with an empty one.
    """
    if _has_games(db):
        return
    aside = sorted(path.parent.glob(f"{path.name}.damaged-*"), key=lambda one: one.name)
    for file in reversed([one for one in aside if not one.name.endswith(("-wal", "-shm"))]):
        try:
            with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as other:
                [state] = other.execute("PRAGMA quick_check(1)").fetchone()
                [found] = other.execute("PRAGMA user_version").fetchone()
                if state != "ok" or found > version() or not _has_games(other):
                    continue
        except sqlite3.Error:
            continue
        _log.warning(
            "%s has no games, but %s beside it can be read and has some; to get them back, stop "
            "the server and run: sapper admin restore '%s' --force",
            path,
            file.name,
            file,
        )
        return


def _has_games(db: sqlite3.Connection) -> bool:
    return any(
        db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()
        for table in ("sessions", "games", "dailies")
    )


def read_key(db: Connection) -> bytes | None:
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


def set_aside(path: Path, mark: str) -> Path:
    """Rename a file and its log to an unused name with a mark and the time; return the new path."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.name}.{mark}-{stamp}")
    while aside.exists():
        aside = aside.with_name(f"{aside.name}x")
    for suffix in ("-wal", "-shm", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(aside.with_name(aside.name + suffix))
    return aside


def connect(where: str) -> sqlite3.Connection:
    """Open a saved games file or ``:memory:``, creating missing tables.

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
        [found] = db.execute("PRAGMA user_version").fetchone()
        query = "SELECT 1 FROM sqlite_master WHERE name = 'sessions'"
        if found == 0 and db.execute(query).fetchone():
            raise sqlite3.DatabaseError("written by a version before 0.1")
        if found > version():
            raise LaterVersion("written by a later version of Sapper")
        # Check this before creating tables: the error for an index on a missing column looks like
        # that of a busy file.
        check_tables(db, max(found, FIRST_VERSION))
        migrate(db, found)
        read_key(db)
    except BaseException:
        db.close()
        raise
    return db


def migrate(db: sqlite3.Connection, found: int) -> None:
    """Create missing tables, and update those of an earlier version."""
    # If tables or indexes of the first version are missing, create them, even in a current file.
    db.executescript(statements(until=FIRST_VERSION)[FIRST_VERSION] + SQLITE_INDEXES)
    for number, script in statements(after=max(found, FIRST_VERSION)).items():
        with transaction(db):
            for statement in script.split(";"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {number}")
    db.execute(f"PRAGMA user_version = {version()}")
