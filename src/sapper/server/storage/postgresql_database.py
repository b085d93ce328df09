"""Saved games in PostgreSQL, used by one server at a time.

All writes use one connection, which holds a lock on the database. A server that loses its
connection therefore also loses the lock, and cannot overwrite another server's changes. Reads use
separate connections. A lost connection is replaced on next use.

The workers of one server share the lock, and each owns some sessions (`ownership.py`).
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, Final

from sapper.database.connection import Connection, Engine
from sapper.database.postgresql import (
    PostgresqlConnection,
    connect,
    failures,
    is_alive,
    place_of,
    translated,
    unavailable,
)
from sapper.errors import BadSetting, SapperError
from sapper.server.storage.database import KEY_BYTES, SessionRows, compact
from sapper.server.storage.schema import statements, version

if TYPE_CHECKING:
    import psycopg

__all__ = ["DatabaseInUse", "PostgresqlDatabase", "check_version", "found_version", "migrate"]

_log: Final = logging.getLogger(__name__)

_LOCK: Final = 0x5A99E2
"""The number of the advisory lock."""
_WRITERS: Final = 0x5A99E3
"""The number of the advisory lock for the other transactions of workers, one at a time."""
_LOCK_WAIT: Final = "3s"
"""Long enough for PostgreSQL to notice the end of a process that held the lock."""
_CLOSED: Final = "the database is closed"
_FREE: Final = 4
"""Number of idle connections to keep for reading."""

_DELETE_ACTIONS: Final = "DELETE FROM actions WHERE session = ANY(?)"
# One statement with all rows as JSON text costs less processor time on both sides than one
# statement per row.
_SAVE_SESSIONS: Final = """
INSERT INTO sessions (id, saved, state, game)
SELECT id, ?, state, game FROM json_to_recordset(?) AS change (id text, state text, game text)
ON CONFLICT (id) DO UPDATE SET
    saved = excluded.saved, state = excluded.state, game = coalesce(excluded.game, sessions.game)
"""
_SAVE_ACTIONS: Final = """
INSERT INTO actions (session, number, action)
SELECT * FROM json_to_recordset(?) AS change (session text, number bigint, action text)
ON CONFLICT (session, number) DO UPDATE SET action = excluded.action
"""


def _recordset(rows: list[dict[str, Any]]) -> str:
    # A lone surrogate is replaced when the text is encoded, but refused in an escape sequence.
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def _storable(text: str | None) -> str | None:
    return None if text is None else text.replace("\0", "\N{REPLACEMENT CHARACTER}")


class DatabaseInUse(SapperError, RuntimeError):
    """Another server uses the same database."""

    code = "database_in_use"


class PostgresqlDatabase:
    """A PostgreSQL database of saved games. Thread-safe.

    Args:
        address: Its address, ``postgresql://...``.
        lock: Whether to lock the database, so that no other server can write.
        shared: Whether other workers of the same server may write as well.

    Raises:
        BadSetting: If the address cannot be read, or the schema has another version.
        DatabaseFailed: If it cannot be reached.
        DatabaseInUse: If another server uses it.
        MissingExtra: If psycopg is not installed.
    """

    engine = Engine.POSTGRESQL
    problem: str | None = None

    def __init__(self, address: str, *, lock: bool = True, shared: bool = False) -> None:
        self._address, self._locks, self._shared = address, lock, shared
        self._lock = RLock()
        self._free: list[psycopg.Connection] = []
        self._free_lock = Lock()
        self._closed = False
        self._writer: psycopg.Connection | None = self._connect_writer()
        try:
            check_version(PostgresqlConnection(self._writer))
        except BaseException:
            self.close()
            raise

    def _connect_writer(self) -> psycopg.Connection:
        db = connect(self._address)
        try:
            if self._locks:
                take_lock(db, shared=self._shared)
        except BaseException:
            db.close()
            raise
        return db

    def _writing_connection(self) -> psycopg.Connection:
        if self._closed:
            raise unavailable(_CLOSED)
        if self._writer is not None and not is_alive(self._writer):
            self._writer.close()
            self._writer = None
        if self._writer is None:
            try:
                self._writer = self._connect_writer()
            except SapperError as problem:
                # This happens, for example, when another server has taken over.
                raise unavailable(str(problem)) from None
            _log.warning("connected to %s again", place_of(self._address))
        return self._writer

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield a connection in a transaction that is committed at the end of the block."""
        with self.committing() as db:
            if self._shared:
                # A transaction may depend on data that it has read, so the workers run their
                # transactions one after another, as a single server would.
                db.execute("SELECT pg_advisory_xact_lock(?)", (_WRITERS,))
            yield db

    @contextmanager
    def committing(self) -> Iterator[Connection]:
        """Yield a connection in a transaction for a group commit."""
        with self._lock:
            db = self._writing_connection()
            with failures(), db.transaction():
                yield PostgresqlConnection(db)

    erasing = writing

    def erased(self) -> None:
        """Deleted rows stay in the tables until PostgreSQL removes them (autovacuum)."""

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection for reading, without a transaction."""
        db = self._take_free()
        try:
            yield PostgresqlConnection(db)
        finally:
            self._give_back(db)

    using = reading

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Yield a connection that reads everything as of the same moment."""
        db = self._take_free()
        try:
            with failures(), db.transaction():
                db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                yield PostgresqlConnection(db)
        finally:
            self._give_back(db)

    def _take_free(self) -> psycopg.Connection:
        while True:
            with self._free_lock:
                if self._closed:
                    raise unavailable(_CLOSED)
                db = self._free.pop() if self._free else None
            if db is None:
                return connect(self._address)
            if is_alive(db):
                return db
            db.close()

    def _give_back(self, db: psycopg.Connection) -> None:
        with self._free_lock:
            if not self._closed and not db.closed and len(self._free) < _FREE:
                self._free.append(db)
                return
        db.close()

    def save_sessions(self, db: Connection, rows: SessionRows) -> None:
        """Write the rows of a group commit in the current transaction."""
        if rows.started:
            db.execute(_DELETE_ACTIONS, (rows.started,))
        if rows.sessions:
            sessions = [
                {"id": key, "state": _storable(state), "game": _storable(game)}
                for key, state, game in rows.sessions
            ]
            db.execute(_SAVE_SESSIONS, (rows.saved, _recordset(sessions)))
        if rows.actions:
            actions = [
                {"session": key, "number": number, "action": compact(action)}
                for key, number, action in rows.actions
            ]
            db.execute(_SAVE_ACTIONS, (_recordset(actions),))

    def last_saved(self) -> int:
        """Return the highest number of a commit, or 0."""
        with self.reading() as db:
            [saved] = db.execute("SELECT coalesce(max(saved), 0) FROM sessions").fetchone()
        return int(saved)

    def read_key(self, db: Connection) -> bytes | None:
        """Return the key that signs cookies, or None if there is none yet."""
        row = db.execute("SELECT value FROM meta WHERE name = 'secret'").fetchone()
        if row is not None and len(row[0]) != KEY_BYTES:
            raise BadSetting("the key that signs cookies is damaged")
        return None if row is None else bytes(row[0])

    def check(self) -> None:
        """Do nothing, because a committed transaction is on disk."""

    def settle(self) -> bool:
        """Return True, because a committed transaction is on disk."""
        return True

    def close(self) -> None:
        """Close all connections, which also releases the lock."""
        with self._lock, self._free_lock:
            self._closed = True
            for db in (*self._free, *filter(None, [self._writer])):
                with suppress(OSError):
                    db.close()
            self._free, self._writer = [], None


def take_lock(db: psycopg.Connection, *, shared: bool = False) -> None:
    """Lock the database for this connection until it ends.

    Args:
        db: The connection.
        shared: Whether other connections may hold the lock in the same way.

    Raises:
        DatabaseInUse: If another connection holds the lock.
    """
    from psycopg.errors import LockNotAvailable

    with failures():
        # If this machine disappears, PostgreSQL should notice soon and release the lock.
        db.execute("SET tcp_keepalives_idle = 5")
        db.execute("SET tcp_keepalives_interval = 2")
        db.execute("SET tcp_keepalives_count = 3")
        try:
            with db.transaction():
                db.execute(f"SET LOCAL lock_timeout = '{_LOCK_WAIT}'")
                kind = b"_shared" if shared else b""
                db.execute(b"SELECT pg_advisory_lock%b(%%s)" % kind, (_LOCK,))
        except LockNotAvailable:
            raise DatabaseInUse("another Sapper server uses this database; stop it first") from None


def found_version(db: Connection) -> int:
    """Return the schema version of a database; 0 if it has no tables."""
    [exists] = db.execute("SELECT to_regclass('schema_version') IS NOT NULL").fetchone()
    if not exists:
        return 0
    [found] = db.execute("SELECT coalesce(max(version), 0) FROM schema_version").fetchone()
    return int(found)


def check_version(db: Connection) -> None:
    """Check that a database has the current schema version.

    Raises:
        BadSetting: If it has another version; the message says what to do.
    """
    found = found_version(db)
    if found > version():
        raise BadSetting("the database was written by a later version of Sapper")
    if found < version():
        what = f"has schema version {found}, not {version()}" if found else "has no tables yet"
        raise BadSetting(f"the database {what}: run sapper admin migrate first")


def migrate(address: str) -> list[int]:
    """Bring a database to the current schema version; return the versions applied.

    A server may use a database that already has it.

    Raises:
        BadSetting: If the database has a later version.
        DatabaseFailed: If it cannot be reached.
        DatabaseInUse: If a server uses it.
    """
    with failures(), connect(address) as db:
        done: list[int] = []
        own = PostgresqlConnection(db)
        if found_version(own) == version():
            return done
        take_lock(db)
        with db.transaction():
            own.execute("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT PRIMARY KEY)")
            found = found_version(own)
            if found > version():
                check_version(own)
            for number, script in statements(after=found).items():
                db.execute(translated(script).encode())
                own.execute("INSERT INTO schema_version VALUES (?)", (number,))
                done.append(number)
        return done
