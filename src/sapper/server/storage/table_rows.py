"""Copy, compare and check all rows of all tables, on either engine."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from sapper._util.shortening import shown
from sapper.database.connection import Connection
from sapper.errors import BadSave
from sapper.server.storage.schema import statements, version

__all__ = ["Column", "Content", "content_of", "copy_rows", "delete_rows", "tables", "wrong_values"]

_BATCH: Final = 500
_KINDS: Final[dict[str, tuple[type, ...]]] = {
    "INTEGER": (int,),
    "REAL": (float, int),
    "TEXT": (str,),
    "BLOB": (bytes,),
}


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        name: Its name.
        kind: Its type in SQLite.
        required: Whether the column excludes NULL.
        place: Its position in the primary key, from 1, or 0.
    """

    name: str
    kind: str
    required: bool
    place: int


class Content(NamedTuple):
    """The content of a table.

    Attributes:
        rows: The number of rows.
        digest: A digest of the rows, equal on both engines.
    """

    rows: int
    digest: bytes


def columns_of(db: sqlite3.Connection, table: str) -> list[Column]:
    """Return the columns of a table in SQLite; none if it is missing."""
    rows = db.execute(f"PRAGMA table_info({table})").fetchall()
    return [
        Column(name, kind, bool(required) or place > 0, place)
        for _, name, kind, required, _, place in rows
    ]


def tables(of_version: int | None = None) -> dict[str, list[Column]]:
    """Return the tables of a schema version (default: the current one) with their columns."""
    return _tables(version() if of_version is None else of_version)


@cache
def _tables(of_version: int) -> dict[str, list[Column]]:
    with closing(sqlite3.connect(":memory:")) as db:
        for script in statements(until=of_version).values():
            db.executescript(script)
        names = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {name: columns_of(db, name) for (name,) in names}


def content_of(db: Connection) -> dict[str, Content]:
    """Return the content of each table."""
    return {table: _content(_batches(db, table)) for table in tables()}


def copy_rows(source: Connection, target: Connection) -> dict[str, Content]:
    """Copy all rows to empty tables in the current transaction; return their content.

    Raises:
        BadSave: If a value does not have the type of its column.
    """
    return {table: _content(_copied(source, target, table)) for table in tables()}


def delete_rows(db: Connection) -> None:
    """Delete all rows in the current transaction."""
    for table in tables():
        db.execute(f"DELETE FROM {table}")


def wrong_values(db: Connection) -> Iterator[str]:
    """Yield a message for each value that does not have the type of its column."""
    for table in tables():
        for batch in _batches(db, table):
            for row in batch:
                yield from _wrong_in(table, row)


def _copied(source: Connection, target: Connection, table: str) -> Iterator[list[Any]]:
    names = [column.name for column in tables()[table]]
    marks = ", ".join("?" * len(names))
    insert = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})"
    for batch in _batches(source, table):
        for row in batch:
            for problem in _wrong_in(table, row):
                raise BadSave(problem)
        target.executemany(insert, batch)
        yield batch


def _wrong_in(table: str, row: tuple[Any, ...]) -> Iterator[str]:
    columns = tables()[table]
    for column, value in zip(columns, row, strict=True):
        if isinstance(value, _KINDS[column.kind]) or (value is None and not column.required):
            continue
        key = ", ".join(
            shown(part) for one, part in zip(columns, row, strict=True) if one.place > 0
        )
        yield f"{table} ({key}): {column.name} must be {column.kind}, got {shown(value)}"


def _batches(db: Connection, table: str) -> Iterator[list[Any]]:
    """Yield all rows in the order of their primary key."""
    columns = tables()[table]
    names = ", ".join(column.name for column in columns)
    places = sorted((column.place, at) for at, column in enumerate(columns) if column.place)
    keys = [at for _, at in places]
    key = ", ".join(columns[at].name for at in keys)
    after: list[Any] = []
    while True:
        condition = f"WHERE ({key}) > ({', '.join('?' * len(keys))})" if after else ""
        sql = f"SELECT {names} FROM {table} {condition} ORDER BY {key} LIMIT ?"
        batch = db.execute(sql, [*after, _BATCH]).fetchall()
        if batch:
            yield batch
        if len(batch) < _BATCH:
            return
        after = [batch[-1][at] for at in keys]


def _content(batches: Iterator[list[Any]]) -> Content:
    count, digest = 0, blake2b(digest_size=16)
    for batch in batches:
        count += len(batch)
        for row in batch:
            digest.update(repr([_stored(value) for value in row]).encode())
    return Content(count, digest.digest())


def _stored(value: Any) -> Any:
    """Return a value as PostgreSQL stores it."""
    return value.replace("\0", "\N{REPLACEMENT CHARACTER}") if isinstance(value, str) else value
