"""The interface of a database connection, modelled on SQLite's.

Statements use ``?`` for values and the SQL that SQLite and PostgreSQL share: ``ON CONFLICT``
instead of ``INSERT OR REPLACE``, ``won = 1`` instead of ``won``, aliases for subqueries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, Final, Protocol

__all__ = ["ALL_ROWS", "Connection", "DatabaseFailed", "Engine", "Rows"]

ALL_ROWS: Final = 2**63 - 1
"""A limit that no query reaches."""


class Engine(StrEnum):
    """The database programs."""

    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"


class DatabaseFailed(OSError):
    """The database cannot be used at the moment.

    Attributes:
        why: The reason, for players, without file names or addresses.
    """

    def __init__(self, why: str, detail: str | None = None) -> None:
        super().__init__(detail or why)
        self.why = why


class Rows(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int:
        """The number of rows changed."""

    @property
    def description(self) -> Any:
        """The columns, each as a sequence that begins with its name."""

    def fetchone(self) -> Any:
        """Return the next row, or None."""

    def fetchall(self) -> list[Any]:
        """Return the remaining rows."""

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """An open connection; `sqlite3.Connection` is one."""

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        """Execute a statement."""

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Rows:
        """Execute a statement for each row of values."""
