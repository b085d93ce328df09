"""What must outlive the server: running games and best times, in one SQLite file."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple, Self

__all__ = ["Best", "Store"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY,
    data TEXT NOT NULL,
    saved_at REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS wins (
    session TEXT NOT NULL,
    level TEXT NOT NULL,
    rules TEXT NOT NULL,
    start TEXT NOT NULL,
    win TEXT NOT NULL,
    seconds REAL NOT NULL,
    bbbv INTEGER NOT NULL,
    won_at REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS wins_by_kind ON wins (session, level, rules, start, win, seconds);
"""

# A year: a browser that stays away longer has lost its cookie as well.
_KEPT_S = 365 * 86_400


class Best(NamedTuple):
    """A won game's time and 3BV."""

    seconds: float
    bbbv: int


class Store:
    """Sessions and wins. Safe to use from several threads.

    Args:
        folder: Where the file goes; None keeps everything in memory, for tests.

    Raises:
        OSError: If the folder cannot be made or written.
    """

    def __init__(self, folder: Path | None) -> None:
        if folder is None:
            where = ":memory:"
        else:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            where = str(folder / "play.sqlite3")
        self._lock = threading.Lock()
        try:
            self._db = sqlite3.connect(where, check_same_thread=False, isolation_level=None)
        except sqlite3.Error as problem:
            raise OSError(f"{where}: {problem}") from problem
        try:
            # Every move is saved: a write-ahead log keeps that under a millisecond, and what is
            # written survives the end of this process.
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.executescript(_SCHEMA)
            self._db.execute("DELETE FROM sessions WHERE saved_at < ?", (time.time() - _KEPT_S,))
        except sqlite3.Error as problem:
            self._db.close()
            raise OSError(f"{where}: {problem}") from problem

    def session(self, session_id: str) -> dict[str, Any] | None:
        """A saved session, or None."""
        with self._lock:
            row = self._db.execute(
                "SELECT data FROM sessions WHERE id = ?", (session_id,)
            ).fetchone()
        if row is None:
            return None
        try:
            data = json.loads(row[0])
        except ValueError:
            return None
        return data if isinstance(data, dict) else None

    def save_session(self, session_id: str, data: dict[str, Any]) -> None:
        """Save a session in place of what was saved before."""
        text = json.dumps(data, separators=(",", ":"))
        with self._lock:
            self._db.execute(
                "INSERT INTO sessions VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE "
                "SET data = excluded.data, saved_at = excluded.saved_at",
                (session_id, text, time.time()),
            )

    def add_win(
        self, session: str, level: str, rules: str, start: str, win: str, won: Best
    ) -> None:
        """Remember a won game."""
        with self._lock:
            self._db.execute(
                "INSERT INTO wins VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (session, level, rules, start, win, won.seconds, won.bbbv, time.time()),
            )

    def best(self, session: str, level: str, rules: str, start: str, win: str) -> Best | None:
        """The fastest game won so far by these settings, or None."""
        with self._lock:
            row = self._db.execute(
                "SELECT seconds, bbbv FROM wins WHERE session = ? AND level = ? AND rules = ? "
                "AND start = ? AND win = ? ORDER BY seconds LIMIT 1",
                (session, level, rules, start, win),
            ).fetchone()
        return None if row is None else Best(*row)

    def rank(
        self, session: str, level: str, rules: str, start: str, win: str, seconds: float
    ) -> tuple[int, int]:
        """Where a won game stands among all won by these settings, and how many those are."""
        with self._lock:
            faster, wins = self._db.execute(
                "SELECT COALESCE(SUM(seconds < ?), 0), COUNT(*) FROM wins WHERE session = ? "
                "AND level = ? AND rules = ? AND start = ? AND win = ?",
                (seconds, session, level, rules, start, win),
            ).fetchone()
        return faster + 1, wins

    def close(self) -> None:
        """Write everything and let the file go."""
        with self._lock:
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
