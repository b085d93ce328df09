"""Maintain a whole saved games database, on either engine.

A database is given by its PostgreSQL address, or by None for this user's SQLite file. A backup is
an SQLite file on either engine, so it can be restored to both.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from sapper._util.whole_file import Existing, check_target, written_whole
from sapper.database.connection import Connection
from sapper.database.sqlite import transaction
from sapper.errors import BadSave, BadSetting
from sapper.paths import GAMES_FILE, state_dir
from sapper.server.storage import postgresql_database
from sapper.server.storage.folder_lock import FolderLock
from sapper.server.storage.opening import open_postgresql, reaching
from sapper.server.storage.schema import SCHEMA, version
from sapper.server.storage.sqlite_database import SqliteDatabase
from sapper.server.storage.store_file import LaterVersion, check_tables, connect, set_aside
from sapper.server.storage.table_rows import (
    Content,
    content_of,
    copy_rows,
    delete_rows,
    tables,
    wrong_values,
)

__all__ = ["Drill", "Report", "backup", "check", "copy", "drill", "migrate", "restore"]

_PAIRS: Final = {
    "games without moves": ("games", "moves", ("owner", "key")),
    "moves without a game": ("moves", "games", ("owner", "key")),
    "imported files without a game": ("replay_files", "games", ("owner", "key")),
}
_MOST_PROBLEMS: Final = 100


class Report(NamedTuple):
    """The result of a check.

    Attributes:
        rows: Number of rows of each table.
        problems: The problems found, in at most 100 lines.
    """

    rows: dict[str, int]
    problems: list[str]


class Drill(NamedTuple):
    """The result of restoring a backup as an exercise.

    Attributes:
        file: The backup.
        made_ms: When it was made, in milliseconds since 1970.
        rows: Number of rows of each table in it.
        now: The same in the database today.
        problems: The problems found.
    """

    file: Path
    made_ms: int
    rows: dict[str, int]
    now: dict[str, int]
    problems: list[str]


def migrate(address: str | None) -> tuple[bool, int]:
    """Bring a database to the current schema version.

    Returns:
        Whether the database was changed, and its version.

    Raises:
        SapperError: If it has a later version, or an earlier one and a server uses it.
        OSError: If it cannot be opened.
    """
    if address is not None:
        with reaching(address):
            return bool(postgresql_database.migrate(address)), version()
    path, before = state_dir() / GAMES_FILE, 0
    if path.exists():
        with closing(sqlite3.connect(path)) as db:
            [before] = db.execute("PRAGMA user_version").fetchone()
    if before == version():
        return False, before
    SqliteDatabase(state_dir()).close()
    return before < version(), version()


def check(address: str | None) -> Report:
    """Read everything, and check the tables, the values and the moves of games.

    A server may use the database.

    Raises:
        SapperError: If it has another version.
        OSError: If it cannot be opened.
    """
    with _snapshot(address) as db:
        return _report(db)


def _report(db: Connection) -> Report:
    problems: list[str] = []
    if isinstance(db, sqlite3.Connection):
        found = db.execute("PRAGMA integrity_check(10)").fetchall()
        problems = [text for (text,) in found if text != "ok"]
    rows = _rows_of(db)
    for text, (table, other, key) in _PAIRS.items():
        equal = " AND ".join(f"one.{name} = other.{name}" for name in key)
        count = _count(
            db,
            f"SELECT count(*) FROM {table} AS one "
            f"WHERE NOT EXISTS (SELECT 1 FROM {other} AS other WHERE {equal})",
        )
        if count:
            problems.append(f"{count} {text}")
    for problem in wrong_values(db):
        if len(problems) >= _MOST_PROBLEMS:
            break
        problems.append(problem)
    return Report(rows, problems)


def drill(path: Path, address: str | None) -> Drill:
    """Restore a backup to a temporary place, read all of it, and compare it.

    A server may use the database.

    Args:
        path: The backup, or a directory of backups, of which the newest is taken.
        address: The database that was backed up.

    Raises:
        SapperError: If the backup is not a store of saved games, the restored one differs from it,
            or the database has another version.
        OSError: If one of them cannot be opened.
    """
    file = _newest(path) if path.is_dir() else path
    with tempfile.TemporaryDirectory() as folder:
        with _opened_copy(file) as source:
            # This also compares every row with the backup.
            _restore_to_file(source, Path(folder), force=False)
        with _opened_copy(Path(folder) / GAMES_FILE) as restored:
            report, key = _report(restored), _key(restored)
    with _snapshot(address) as db:
        rows, own = _rows_of(db), _key(db)
    problems = report.problems
    if own is not None and key != own:
        problems = [*problems, "the key that signs cookies is another one than today"]
    return Drill(file, int(file.stat().st_mtime * 1000), report.rows, rows, problems)


def _newest(folder: Path) -> Path:
    """Return the newest backup in a directory.

    Raises:
        BadSetting: If there is none.
    """
    found = [path for path in folder.glob("*.sqlite3") if path.is_file()]
    if not found:
        raise BadSetting(f"{folder} has no backup: no file whose name ends in .sqlite3")
    return max(found, key=lambda one: (one.stat().st_mtime, one.name))


def _key(db: Connection) -> bytes | None:
    row = db.execute("SELECT value FROM meta WHERE name = 'secret'").fetchone()
    return None if row is None else bytes(row[0])


def _rows_of(db: Connection) -> dict[str, int]:
    return {table: _count(db, f"SELECT count(*) FROM {table}") for table in tables()}


def backup(address: str | None, path: Path, *, force: bool = False) -> dict[str, Content]:
    """Write a consistent copy to an SQLite file, which only its owner can read.

    A server may use the database.

    Args:
        address: The database.
        path: The file.
        force: Whether to replace an existing file; one with the games of a server never is.

    Raises:
        SapperError: If it has another version, a value is damaged, or the file must not be
            replaced.
        OSError: If it cannot be opened, or the file cannot be written.
    """
    existing = Existing.unless_forced(force)
    check_target(path, existing)
    with _snapshot(address) as db, written_whole(path, existing) as file:
        return _write_file(db, file)


def restore(path: Path, address: str | None, *, force: bool = False) -> dict[str, Content]:
    """Replace the content of a database with that of an SQLite file, such as a backup.

    Args:
        path: The file.
        address: The database; a previous SQLite file is kept under another name.
        force: Whether to replace games already in the database.

    Raises:
        SapperError: If a server uses the database, it has games and `force` is false, or the file
            is not a store of saved games.
        OSError: If one of them cannot be opened or written.
    """
    with _opened_copy(path) as source:
        if address is not None:
            return _restore_to_postgresql(source, address, force=force)
        return _restore_to_file(source, state_dir(), force=force)


def copy(path: Path, address: str, *, force: bool = False) -> dict[str, Content]:
    """Copy an SQLite file to a PostgreSQL database, creating its tables; see `restore`.

    Raises:
        SapperError: As for `restore`, or if a server uses the file, because later games would be
            missing.
        OSError: If one of them cannot be opened or written.
    """
    lock = FolderLock(path.parent, create=False)
    try:
        with reaching(address):
            postgresql_database.migrate(address)
        return restore(path, address, force=force)
    finally:
        lock.release()


def _restore_to_postgresql(
    source: sqlite3.Connection, address: str, *, force: bool
) -> dict[str, Content]:
    database = open_postgresql(address)
    try:
        with reaching(address), database.writing() as db:
            if not force:
                _refuse_games(db)
            return _replaced(source, db)
    finally:
        database.close()


def _restore_to_file(
    source: sqlite3.Connection, folder: Path, *, force: bool
) -> dict[str, Content]:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = FolderLock(folder)
    try:
        path = folder / GAMES_FILE
        if path.exists():
            with _opened_copy(path) as db:
                if not force:
                    _refuse_games(db)
            set_aside(path, "before")
        with written_whole(path) as file:
            return _write_file(source, file)
    finally:
        lock.release()


def _refuse_games(db: Connection) -> None:
    """Check that a database has no games.

    Raises:
        BadSetting: If the database has games.
    """
    for table in SCHEMA.tables.values():
        if not table.is_bookkeeping and _count(db, f"SELECT count(*) FROM {table.name}"):
            raise BadSetting("the database has saved games; --force replaces them")


def _replaced(source: Connection, target: Connection) -> dict[str, Content]:
    """Replace all rows in the current transaction, and compare them with the source.

    Raises:
        BadSave: If a value is damaged, or the copy differs.
    """
    delete_rows(target)
    content = copy_rows(source, target)
    copied = content_of(target)
    for table in content:
        if copied[table] != content[table]:
            raise BadSave(f"the copy of the table {table} differs from it")
    return content


def _write_file(source: Connection, path: Path) -> dict[str, Content]:
    try:
        with closing(connect(str(path))) as db:
            with transaction(db):
                content = _replaced(source, db)
            # Use a single file without a log, so that it can be moved as it is.
            db.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as problem:
        raise OSError(f"the file cannot be written: {problem}") from problem
    return content


@contextmanager
def _snapshot(address: str | None) -> Iterator[Connection]:
    """Yield a connection that reads everything as of the same moment."""
    if address is not None:
        database = open_postgresql(address, lock=False)
        try:
            with reaching(address), database.snapshot() as db:
                yield db
        finally:
            database.close()
        return
    path = state_dir() / GAMES_FILE
    with _reading(path) as file:
        if file.execute("PRAGMA user_version").fetchone()[0] != version():
            raise BadSetting(f"{path} is of another version: run sapper admin migrate first")
        check_tables(file)
        # Use a read-only transaction, so that the server can still write.
        file.execute("BEGIN")
        yield file


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection to an existing SQLite file.

    Raises:
        BadSave: If it is not an intact file.
        OSError: If it is missing or cannot be read.
    """
    path.stat()
    try:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=30)) as db:
            yield db
    except sqlite3.OperationalError as problem:
        raise OSError(f"{path}: {problem}") from problem
    except sqlite3.DatabaseError as problem:
        raise BadSave(f"{path} is damaged: {problem}") from problem


@contextmanager
def _opened_copy(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a temporary copy of an SQLite file, updated to the current version.

    Raises:
        BadSave: If it is not a saved games file.
        BadSetting: If it has a later version.
        OSError: If it cannot be read.
    """
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder) / GAMES_FILE
        with _reading(path) as source:
            if not source.execute("SELECT 1 FROM sqlite_master WHERE name = 'games'").fetchone():
                raise BadSave(f"{path} has no saved games")
            with closing(sqlite3.connect(copied)) as target:
                source.backup(target)
        try:
            db = connect(os.fspath(copied))
        except LaterVersion:
            raise BadSetting(f"{path} was written by a later version of Sapper") from None
        except sqlite3.DatabaseError as problem:
            raise BadSave(f"{path} is damaged: {problem}") from None
        with closing(db):
            yield db


def _count(db: Connection, sql: str) -> int:
    return int(db.execute(sql).fetchone()[0])
