"""The interface of a database of saved games, with engines for SQLite and PostgreSQL."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from typing import Any, Final, NamedTuple, Protocol

from sapper.database.connection import Connection, DatabaseFailed
from sapper.history.tables import Tables

__all__ = ["KEY_BYTES", "Database", "NotInPlace", "SessionRows", "compact"]

KEY_BYTES: Final = 32
"""Length of the key that signs cookies, in bytes."""


class NotInPlace(DatabaseFailed):
    """Data is kept only in memory, because the file is missing."""


class SessionRows(NamedTuple):
    """The rows that change with every move, for one group commit.

    Attributes:
        saved: The number of the commit.
        sessions: The id, state and game of each session; a game of None is unchanged.
        started: Sessions with a new game, whose previous actions are deleted.
        actions: Session, number and JSON value of each action.
    """

    saved: int
    sessions: list[tuple[str, str, str | None]]
    started: list[str]
    actions: list[tuple[str, int, list[Any]]]


class Database(Tables, Protocol):
    """A database of saved games. Thread-safe.

    A transaction is on disk when its block ends, so that a change can be acknowledged.

    Attributes:
        problem: The reason why nothing can be written to disk at the moment, or None.
    """

    problem: str | None

    def using(self) -> AbstractContextManager[Connection]:
        """Yield a connection for short reads, without a transaction."""

    def committing(self) -> AbstractContextManager[Connection]:
        """Yield a connection in a transaction for a group commit.

        Unlike `writing`, it does not wait for the transactions of other workers.
        """

    def save_sessions(self, db: Connection, rows: SessionRows) -> None:
        """Write the rows of a group commit in the current transaction."""

    def last_saved(self) -> int:
        """Return the highest `SessionRows.saved`, or 0."""

    def read_key(self, db: Connection) -> bytes | None:
        """Return the key that signs cookies, or None if there is none yet."""

    def check(self) -> None:
        """Check that written data is on disk.

        Raises:
            NotInPlace: If data is only in memory.
        """

    def settle(self) -> bool:
        """Write everything to disk one last time; return whether it succeeded."""


_encode: Final = json.JSONEncoder(separators=(",", ":")).encode


def compact(value: object) -> str:
    """Return the shortest JSON text of a value."""
    return _encode(value)
