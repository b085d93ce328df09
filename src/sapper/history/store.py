"""The SQLite file of the history: games are added, read, selected and erased."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from threading import RLock
from typing import Any, Final, Self

from sapper.errors import BadSave
from sapper.history.records import Record
from sapper.history.selection import Selection
from sapper.paths import state_dir

__all__ = ["History"]

_VERSION: Final = 1
_COLUMNS: Final = [field.name for field in fields(Record)]
_MOST_BYTES: Final = 64 * 1024 * 1024
"""The longest moves of one game that are read: a bound on what a damaged file can cost."""

_TOGETHER: Final = 200

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS games (
    key TEXT PRIMARY KEY,
    finished_ms INTEGER NOT NULL,
    player TEXT NOT NULL,
    bot TEXT NOT NULL,
    rules TEXT NOT NULL,
    level TEXT NOT NULL,
    first_click TEXT NOT NULL,
    won INTEGER NOT NULL,
    helped TEXT NOT NULL,
    time_ms INTEGER NOT NULL,
    bbbv INTEGER NOT NULL,
    solved INTEGER,
    clicks INTEGER NOT NULL,
    effective INTEGER NOT NULL,
    forced_guesses INTEGER NOT NULL,
    needless_guesses INTEGER NOT NULL,
    risk REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS games_by_time ON games (finished_ms);
CREATE INDEX IF NOT EXISTS games_by_level ON games (level, rules, won, time_ms);
-- Apart, so that statistics do not read them.
CREATE TABLE IF NOT EXISTS moves (key TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
"""


class History:
    """The finished games in one file; threads may share it.

    A game that was added is kept when the program is killed.

    Args:
        path: The file, created if there is none (default: in the folder of saved games);
            ``":memory:"`` for none.

    Raises:
        BadSave: If the file is no history, or of a newer version.
        OSError: If it cannot be opened or created.
    """

    def __init__(self, path: Path | str | None = None) -> None:
        where = state_dir() / "history.sqlite3" if path is None else path
        if str(where) != ":memory:":
            Path(where).parent.mkdir(parents=True, exist_ok=True)
            Path(where).touch(mode=0o600)
        self._lock = RLock()
        try:
            self._base = sqlite3.connect(str(where), check_same_thread=False, timeout=30)
        except sqlite3.Error as problem:
            raise OSError(f"{where}: {problem}") from problem
        try:
            self._set_up()
        except sqlite3.OperationalError as problem:
            self._base.close()
            raise OSError(f"{where}: {problem}") from problem
        except (sqlite3.DatabaseError, BadSave) as problem:
            self._base.close()
            raise BadSave(f"{where} is no history of games: {problem}") from problem

    def _set_up(self) -> None:
        version = self._base.execute("PRAGMA user_version").fetchone()[0]
        if version > _VERSION:
            raise BadSave(f"it is of version {version}, this program knows {_VERSION}")
        # Erased games are overwritten.
        self._base.execute("PRAGMA secure_delete = ON")
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.executescript(_SCHEMA)
        self._base.execute(f"PRAGMA user_version = {_VERSION}")
        self._base.commit()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._base.close()

    def add(self, record: Record) -> bool:
        """Add a game; return False if it is there already."""
        return self.add_all([record]) == 1

    def add_all(self, records: Iterable[Record]) -> int:
        """Add games, all or none; return how many are new."""
        marks = ", ".join("?" * len(_COLUMNS))
        names = ", ".join(["key", *(name for name in _COLUMNS if name != "moves")])
        count = 0
        with self._locked(), self._base:
            for record in records:
                key = record.key
                values = [getattr(record, name) for name in _COLUMNS if name != "moves"]
                new = self._base.execute(
                    f"INSERT OR IGNORE INTO games ({names}) VALUES ({marks})", [key, *values]
                )
                if new.rowcount:
                    count += 1
                    data = zlib.compress(json.dumps(record.moves, separators=(",", ":")).encode())
                    self._base.execute("INSERT OR REPLACE INTO moves VALUES (?, ?)", (key, data))
        return count

    def get(self, key: str) -> Record | None:
        """Return a game by its key; None if there is none."""
        found = list(self._read("games.key = ?", [key], "", ()))
        return found[0] if found else None

    def records(
        self, selection: Selection | None = None, limit: int | None = None, offset: int = 0
    ) -> Iterator[Record]:
        """Yield games, the latest first."""
        condition, values = (selection or Selection()).sql()
        end = "ORDER BY finished_ms DESC, games.key LIMIT ? OFFSET ?"
        return self._read(condition, values, end, (-1 if limit is None else limit, offset))

    def best(self, selection: Selection | None = None, limit: int = 10) -> Iterator[Record]:
        """Yield the fastest won games, the fastest first."""
        condition, values = (selection or Selection()).sql()
        end = "ORDER BY time_ms, finished_ms, games.key LIMIT ?"
        return self._read(f"{condition} AND won = 1", values, end, (limit,))

    def count(self, selection: Selection | None = None) -> int:
        """Return the number of games."""
        condition, values = (selection or Selection()).sql()
        return int(self.query(f"SELECT COUNT(*) FROM games WHERE {condition}", values)[0][0])

    def kinds(self) -> list[dict[str, Any]]:
        """Return every rule set and level that was played, with the number of games."""
        names = ("bot", "player", "rules", "level", "games", "won")
        rows = self.query(
            "SELECT bot, player, rules, level, COUNT(*), SUM(won) FROM games "
            "GROUP BY bot, player, rules, level ORDER BY COUNT(*) DESC, rules, level, player",
            [],
        )
        return [dict(zip(names, row, strict=True)) for row in rows]

    def erase(self, selection: Selection | None = None) -> int:
        """Erase games for good, all of them by default; return how many there were."""
        condition, values = (selection or Selection()).sql()
        with self._locked():
            with self._base:
                erased = self._base.execute(f"DELETE FROM games WHERE {condition}", values).rowcount
                self._base.execute("DELETE FROM moves WHERE key NOT IN (SELECT key FROM games)")
            # The log still has what was erased.
            self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return erased

    def query(self, sql: str, values: Iterable[Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a query on the table ``games``."""
        with self._locked():
            return self._base.execute(sql, list(values)).fetchall()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Use the file alone; what SQLite reports becomes an `OSError`."""
        with self._lock:
            try:
                yield
            except sqlite3.Error as problem:
                raise OSError(f"the history cannot be used: {problem}") from problem

    def _read(
        self, condition: str, values: list[Any], end: str, more: tuple[int, ...]
    ) -> Iterator[Record]:
        """Yield records in batches, so that a long list is not in memory at once."""
        names = ", ".join("data" if name == "moves" else name for name in _COLUMNS)
        keys = self.query(f"SELECT key FROM games WHERE {condition} {end}", [*values, *more])
        for start in range(0, len(keys), _TOGETHER):
            batch = [key for (key,) in keys[start : start + _TOGETHER]]
            marks = ", ".join("?" * len(batch))
            sql = f"SELECT key, {names} FROM games JOIN moves USING (key) WHERE key IN ({marks})"
            rows = {row[0]: row[1:] for row in self.query(sql, batch)}
            for key in batch:
                # Another process may have erased it meanwhile.
                if key in rows:
                    yield _record(rows[key])


def _record(row: tuple[Any, ...]) -> Record:
    values = dict(zip(_COLUMNS, row, strict=True))
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(values["moves"], _MOST_BYTES)
        moves = json.loads(data)
    except (zlib.error, TypeError, ValueError, RecursionError) as problem:
        raise BadSave(f"the moves of a game in the history cannot be read: {problem}") from None
    values |= {"won": bool(values["won"]), "moves": moves, "risk": float(values["risk"])}
    return Record.from_json(values)
