"""The trainer's records in a separate file, for one player at a terminal."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, Self

from sapper.coach.practice.cards import SCHEMA as PRACTICE_TABLES
from sapper.coach.trainer.records import SCHEMA
from sapper.database.sqlite import transaction
from sapper.errors import SapperError

__all__ = ["BadRecords", "RecordFile"]

_WAIT_S: Final = 10.0
"""Seconds to wait for another program that writes the file."""


class BadRecords(SapperError, OSError):
    """The records file cannot be opened or written."""

    code = "bad_records"


class RecordFile:
    """An SQLite file with the tables of the trainer and of practice, created if missing.

    Args:
        path: The file.

    Raises:
        BadRecords: If the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with ExitStack() as closing_on_errors:
                self._db = sqlite3.connect(path, isolation_level=None, timeout=_WAIT_S)
                closing_on_errors.callback(self._db.close)
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.executescript(SCHEMA + PRACTICE_TABLES)
                closing_on_errors.pop_all()
        except (sqlite3.Error, OSError) as problem:
            reason = getattr(problem, "strerror", None) or problem
            raise BadRecords(
                f"cannot open the records of the trainer in {path}: {reason}"
            ) from None

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Commit at the end of the block, or roll back.

        Raises:
            BadRecords: If the changes cannot be committed.
        """
        try:
            with transaction(self._db):
                yield self._db
        except sqlite3.Error as problem:
            raise BadRecords(f"cannot save to {self._path}: {problem}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()
