"""Maintain a whole database of saved games, on either engine."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from sapper.paths import state_dir
from sapper.server.storage import postgresql_database
from sapper.server.storage.opening import reaching
from sapper.server.storage.schema import version
from sapper.server.storage.sqlite_database import SqliteDatabase

__all__ = ["migrate"]


def migrate(address: str | None) -> tuple[bool, int]:
    """Bring a database to the current schema version.

    Args:
        address: A PostgreSQL database; None for this user's SQLite file.

    Returns:
        Whether it was changed, and the version.

    Raises:
        SapperError: If a server uses it, or it is of a later version.
        OSError: If it cannot be opened.
    """
    if address is not None:
        with reaching(address):
            return bool(postgresql_database.migrate(address)), version()
    path = state_dir() / "play.sqlite3"
    before = 0
    if path.exists():
        with closing(sqlite3.connect(path)) as db:
            [before] = db.execute("PRAGMA user_version").fetchone()
    SqliteDatabase(state_dir()).close()
    return before < version(), version()
