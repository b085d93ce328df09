"""Open a database for a few short transactions while a server may be using it.

PostgreSQL is designed for this. In SQLite, the write-ahead log lets another process write between
the server's transactions; the server does not cache the data that is changed in this way.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from sapper.errors import BadSave, BadSetting
from sapper.history.tables import HistoryFile, Tables
from sapper.paths import GAMES_FILE, state_dir
from sapper.server.storage.opening import open_postgresql, reaching
from sapper.server.storage.schema import version

__all__ = ["opened_beside"]


@contextmanager
def opened_beside(address: str | None) -> Iterator[Tables]:
    """Yield a database without locking it.

    Args:
        address: The address of PostgreSQL; None for this user's SQLite file.

    Raises:
        BadSave: If the file is damaged.
        BadSetting: If the database has another version.
        OSError: If the database is missing or cannot be used.
    """
    if address is None:
        database: Tables = _open_file()
        try:
            yield database
        finally:
            database.close()
        return
    database = open_postgresql(address, lock=False)
    try:
        with reaching(address):
            yield database
    finally:
        database.close()


def _open_file() -> HistoryFile:
    path = state_dir() / GAMES_FILE
    path.stat()
    try:
        with closing(sqlite3.connect(path, timeout=30)) as db:
            [found] = db.execute("PRAGMA user_version").fetchone()
    except sqlite3.OperationalError as problem:
        raise OSError(f"{path}: {problem}") from problem
    except sqlite3.DatabaseError as problem:
        raise BadSave(f"{path} is damaged: {problem}") from problem
    if found > version():
        raise BadSetting(f"{path} was written by a later version of Sapper")
    if found < version():
        raise BadSetting(
            f"{path} is of an earlier version: run sapper admin migrate, or restart the server, "
            "which updates it"
        )
    return HistoryFile(path)
