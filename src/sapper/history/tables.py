"""The SQLite tables of the history and their file."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import fields
from pathlib import Path
from threading import Condition, RLock
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from sapper.database.connection import Connection, Engine
from sapper.database.sqlite import transaction
from sapper.database.tables import Export, Table
from sapper.errors import BadSave
from sapper.history.records import Record

__all__ = [
    "COLUMNS",
    "PATTERN_TABLES",
    "SCHEMA",
    "SQLITE_INDEXES",
    "TABLES",
    "HistoryFile",
    "Row",
    "Tables",
    "delete",
    "insert",
    "insert_many",
    "insert_replays",
    "prune",
    "row_of",
]

COLUMNS: Final = [field.name for field in fields(Record)]

_VERSION: Final = 1
_BATCH_SIZE: Final = 500

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS games (
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    finished_ms INTEGER NOT NULL,
    started_ms INTEGER NOT NULL,
    player TEXT NOT NULL,
    bot TEXT NOT NULL,
    rules TEXT NOT NULL,
    variant TEXT NOT NULL,
    level TEXT NOT NULL,
    first_click TEXT NOT NULL,
    won INTEGER NOT NULL,
    helped TEXT NOT NULL,
    time_ms INTEGER NOT NULL,
    bbbv INTEGER NOT NULL,
    solved INTEGER,
    clicks INTEGER NOT NULL,
    effective INTEGER NOT NULL,
    forced_guesses INTEGER,
    needless_guesses INTEGER,
    risk REAL,
    -- 0: not yet; 1: done; 2: it failed.
    measured INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS games_by_time ON games (owner, finished_ms);
CREATE INDEX IF NOT EXISTS games_to_measure ON games (bot, finished_ms) WHERE measured = 0;
-- Apart, so that statistics do not read them.
CREATE TABLE IF NOT EXISTS moves (
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (owner, key)
) WITHOUT ROWID;
-- Files that were imported, so that importing them again is quick.
CREATE TABLE IF NOT EXISTS replay_files (
    owner TEXT NOT NULL,
    digest BLOB NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (owner, digest)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS replay_files_by_game ON replay_files (owner, key);
CREATE TABLE IF NOT EXISTS history_version (version INTEGER PRIMARY KEY);
"""

PATTERN_TABLES: Final = """
-- How often each pattern was used and missed in a game, and the total time to see it.
CREATE TABLE IF NOT EXISTS pattern_counts (
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    pattern TEXT NOT NULL,
    seen INTEGER NOT NULL,
    missed INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    PRIMARY KEY (owner, key, pattern)
) WITHOUT ROWID;
"""
"""The table of patterns, which older databases lack until they are updated."""

SQLITE_INDEXES: Final = """
-- All that statistics need, so that they read nothing else.
CREATE INDEX IF NOT EXISTS games_figures ON games (
    owner, bot, level, rules, helped, won, variant, first_click, time_ms, finished_ms, bbbv,
    solved, clicks, forced_guesses, needless_guesses, risk
);
CREATE INDEX IF NOT EXISTS games_by_player ON games (owner, player)
WHERE player <> '' AND bot = '';
"""
"""Indexes whose rows may be longer than PostgreSQL accepts."""

TABLES: Final = (
    Table("games", ("owner",), game="key", export=Export("games.jsonl", own_form=True)),
    Table("moves", ("owner",), game="key", export=Export("games.jsonl", own_form=True)),
    Table("replay_files", ("owner",), game="key", export=Export("imports.json")),
    Table("history_version", is_bookkeeping=True),
    Table("pattern_counts", ("owner",), game="key", export=Export("patterns.json")),
)


@runtime_checkable
class Tables(Protocol):
    """A database with the history tables.

    Attributes:
        engine: The database program.
    """

    engine: Engine

    def reading(self) -> AbstractContextManager[Connection]:
        """Yield a connection for reading."""

    def writing(self) -> AbstractContextManager[Connection]:
        """Yield a connection in a transaction that is committed at the end of the block."""

    def erasing(self) -> AbstractContextManager[Connection]:
        """Like `writing`, but deleted data is overwritten, as far as the database supports it."""

    def erased(self) -> None:
        """Remove deleted data from logs; called after the last block of `erasing`."""

    def close(self) -> None:
        """Close the database."""


class HistoryFile:
    """A file with the history tables. Thread-safe.

    Written data survives even if the program is killed.

    Args:
        path: The file, created if missing; ``":memory:"`` for a database in memory.

    Raises:
        BadSave: If the file is not a history or is from a newer version.
        OSError: If the file cannot be opened or created.
    """

    engine = Engine.SQLITE

    def __init__(self, path: Path | str) -> None:
        if str(path) != ":memory:":
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).touch(mode=0o600)
        self._path, self._closed = str(path), False
        self._lock = RLock()
        self._idle = Condition(self._lock)
        self._taken = 0
        # Use several connections, so that long reads do not block others; a database in memory has
        # only one.
        self._free: list[sqlite3.Connection] | None = None if self._path == ":memory:" else []
        try:
            self._db = self._connect()
        except sqlite3.Error as problem:
            raise OSError(f"{path}: {problem}") from problem
        try:
            self._set_up()
        except sqlite3.OperationalError as problem:
            self._db.close()
            raise OSError(f"{path}: {problem}") from problem
        except (sqlite3.DatabaseError, BadSave) as problem:
            self._db.close()
            raise BadSave(f"{path} is no history of games: {problem}") from problem

    def _set_up(self) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        # Overwrite erased games.
        self._db.execute("PRAGMA secure_delete = ON")
        self._db.executescript(SCHEMA + PATTERN_TABLES + SQLITE_INDEXES)
        version = self._db.execute("SELECT max(version) FROM history_version").fetchone()[0]
        if (version or 0) > _VERSION:
            raise BadSave(f"it is of version {version}, this program knows {_VERSION}")
        self._db.execute("INSERT OR IGNORE INTO history_version VALUES (?)", (_VERSION,))

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection for reading; SQLite errors become an `OSError`."""
        with _os_errors():
            if self._free is None:
                with self._lock:
                    yield self._db
                return
            db = self._take_free()
            try:
                yield db
            finally:
                self._give_back(db)

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(
            self._path, check_same_thread=False, isolation_level=None, timeout=30
        )

    def _take_free(self) -> sqlite3.Connection:
        with self._lock:
            if self._closed:
                # SQLite raises this if the connection is closed.
                raise sqlite3.ProgrammingError("Cannot operate on a closed database.")
            db = self._free.pop() if self._free else self._connect()
            self._taken += 1
            return db

    def _give_back(self, db: sqlite3.Connection) -> None:
        with self._lock:
            self._taken -= 1
            if self._closed or self._free is None:
                db.close()
            else:
                self._free.append(db)
            self._idle.notify_all()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection in a transaction, which is committed or rolled back at the end."""
        with _os_errors(), self._lock, transaction(self._db):
            yield self._db

    erasing = writing

    def erased(self) -> None:
        """Empty the write-ahead log."""
        with self.reading() as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close the file once all reads have finished."""
        with self._lock:
            self._closed = True
            self._idle.wait_for(lambda: not self._taken)
            for db in (self._db, *(self._free or ())):
                db.close()


@contextmanager
def _os_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as problem:
        raise OSError(f"the history cannot be used: {problem}") from problem


_NAMES: Final = [name for name in COLUMNS if name != "moves"]
_INSERT: Final = (
    f"INSERT INTO games (owner, key, measured, {', '.join(_NAMES)}) "
    f"VALUES ({', '.join('?' * (len(_NAMES) + 3))}) ON CONFLICT (owner, key) DO NOTHING"
)
_INSERT_MOVES: Final = (
    "INSERT INTO moves (owner, key, data) VALUES (?, ?, ?) "
    "ON CONFLICT (owner, key) DO UPDATE SET data = excluded.data"
)
_INSERT_FILE: Final = (
    "INSERT INTO replay_files (owner, digest, key) VALUES (?, ?, ?) "
    "ON CONFLICT (owner, digest) DO UPDATE SET key = excluded.key"
)


class Row(NamedTuple):
    """A game in table form.

    Attributes:
        key: Key of the game.
        measured: Whether its guesses have been measured.
        values: Values of its columns, without the moves.
        moves: The moves, as compressed JSON.
    """

    key: str
    measured: bool
    values: list[Any]
    moves: bytes


def row_of(record: Record) -> Row:
    """Return a game in table form."""
    moves = zlib.compress(json.dumps(record.moves, separators=(",", ":")).encode())
    return Row(record.key, record.is_measured, [getattr(record, name) for name in _NAMES], moves)


def insert(db: Connection, owner: str, rows: Iterable[Row]) -> int:
    """Add games of an owner in the current transaction; return the number of new ones."""
    count = 0
    for key, measured, values, moves in rows:
        if db.execute(_INSERT, [owner, key, measured, *values]).rowcount:
            count += 1
            db.execute(_INSERT_MOVES, (owner, key, moves))
    return count


def insert_many(db: Connection, games: Sequence[tuple[str, Row]]) -> None:
    """Add games of many owners, with few statements, in the current transaction."""
    db.executemany(_INSERT, [[owner, row.key, row.measured, *row.values] for owner, row in games])
    db.executemany(_INSERT_MOVES, [(owner, row.key, row.moves) for owner, row in games])


def insert_replays(db: Connection, owner: str, replays: Iterable[tuple[bytes, Row]]) -> int:
    """Add games with the digests of their replays, if any, in the current transaction.

    Returns:
        Number of new games.
    """
    count = 0
    for digest, row in replays:
        count += insert(db, owner, [row])
        if digest:
            db.execute(_INSERT_FILE, (owner, digest, row.key))
    return count


def delete(db: Connection, games: Sequence[tuple[str, str]]) -> None:
    """Delete games, given by owner and key, in the current transaction."""
    for table in TABLES:
        if table.game:
            [owner] = table.player
            sql = f"DELETE FROM {table.name} WHERE {owner} = ? AND {table.game} = ?"
            db.executemany(sql, games)


def prune(db: Connection, most: int, kept: str = "1 = 0") -> None:
    """Delete the oldest games of owners with more than `most` games, starting with bots' games.

    Args:
        db: The connection of a transaction.
        most: The maximum number of an owner's games.
        kept: An SQL condition on ``games``; these games are not deleted.
    """
    crowded = db.execute(
        "SELECT owner, count(*) FROM games GROUP BY owner HAVING count(*) > ?", (most,)
    ).fetchall()
    for owner, count in crowded:
        oldest = db.execute(
            f"SELECT owner, key FROM games WHERE owner = ? AND NOT ({kept}) "
            "ORDER BY bot = '', finished_ms LIMIT ?",
            (owner, count - most),
        )
        delete(db, oldest.fetchall())
