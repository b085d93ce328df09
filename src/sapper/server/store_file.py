"""The SQLite file of saved games: opening it, and setting a damaged one aside."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from sapper.server.store_schema import SCHEMA, check_tables

__all__ = ["KEY_BYTES", "connect", "open_file", "read_key"]

_log: Final = logging.getLogger(__name__)

_VERSION: Final = 3

KEY_BYTES: Final = 32
"""The length of the key that signs cookies."""


class LaterVersion(sqlite3.DatabaseError):
    """A file of a later version, which is sound."""


def open_file(path: Path) -> sqlite3.Connection:
    """Open a file of saved games, created with mode 600; a damaged one is set aside first.

    The new file has the key of the damaged one, if that can be read: browsers keep their identity,
    and find their games again when the file is repaired or restored.

    Raises:
        OSError: If it cannot be opened or created, or is of a later version.
    """
    try:
        return connect(str(path))
    except LaterVersion as problem:
        raise OSError(f"{path}: {problem}") from problem
    except sqlite3.DatabaseError as problem:
        if isinstance(problem, sqlite3.OperationalError):
            # Locked, read-only, no space: the file itself may be sound.
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
        sqlite3.DatabaseError: If it is damaged.
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
    """Rename a damaged file, with its log, to a free name."""
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
    """Open a file of saved games, or ``:memory:``, with its tables.

    Raises:
        LaterVersion: If the file is of a later version.
        sqlite3.Error: If it is damaged, locked, or of a version before 0.1.
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
        begun = "SELECT 1 FROM sqlite_master WHERE name = 'sessions'"
        if version == 0 and db.execute(begun).fetchone():
            raise sqlite3.DatabaseError("written by a version before 0.1")
        if version > _VERSION:
            raise LaterVersion("written by a later version of Sapper")
        # Before the tables are created: an index on a missing column would look like a busy file.
        check_tables(db)
        db.executescript(SCHEMA)
        read_key(db)
        db.execute(f"PRAGMA user_version = {_VERSION}")
    except BaseException:
        db.close()
        raise
    return db
