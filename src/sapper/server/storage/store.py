"""Saved sessions and finished games, in a database used by a single server.

A session is one row plus one row per action of its running game, so a move adds a few bytes,
however long the game is.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from sapper._util.clock import now_ms
from sapper.database.connection import Connection, Engine
from sapper.generation.daily import DailyBoards
from sapper.history import History, PersonalBests, Record
from sapper.history.tables import insert_many, row_of
from sapper.server import limits
from sapper.server.storage.accounts import Accounts
from sapper.server.storage.daily_secret import daily_boards
from sapper.server.storage.database import KEY_BYTES, Database, SessionRows
from sapper.server.storage.day_results import Day, DayResult, is_day
from sapper.server.storage.feature_tables import Saved, set_aside_id
from sapper.server.storage.ownership import Ownership
from sapper.server.storage.schema import SCHEMA
from sapper.server.storage.sqlite_database import SqliteDatabase

__all__ = ["Change", "SavedSession", "Store"]

_log: Final = logging.getLogger(__name__)

# Only attempts that began under an account get a place on the leaderboard.
_SAVE_STARTS: Final = (
    "INSERT INTO daily_starts (session, day, named) "
    "SELECT ?, ?, count(*) FROM accounts WHERE player = ? ON CONFLICT (session, day) DO NOTHING"
)
_SAVE_DAILIES: Final = (
    "INSERT INTO dailies (session, day, won, seconds, bbbv, clicks, helped, game) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (session, day) DO NOTHING"
)


class Change(NamedTuple):
    """Changes to save for one session.

    Attributes:
        session: The session id.
        state: All state that may change with a move, as JSON text.
        game: The running game without its actions, as JSON text; None if already saved.
        first: Index of the first of `actions`.
        actions: New actions of the running game, each as a JSON value.
        games: Games finished since the last change, for the history.
        dailies: Daily board results since the last change, each with its game as JSON text.
        starts: Daily boards started since the last change: the sessions and the days.
        token: The token of the worker's claim to the session, if there are several workers.
    """

    session: str
    state: str
    game: str | None
    first: int
    actions: tuple[list[Any], ...]
    games: tuple[Record, ...] = ()
    dailies: tuple[tuple[DayResult, str], ...] = ()
    starts: tuple[tuple[str, Day], ...] = ()
    token: int = 0

    def then(self, later: Change) -> Change:
        """Merge this change with a later one of the same session."""
        if later.token != self.token:
            # The session has been claimed again and loaded without this change.
            return later
        games, dailies = self.games + later.games, self.dailies + later.dailies
        starts = self.starts + later.starts
        if later.game is not None:
            return later._replace(games=games, dailies=dailies, starts=starts)
        actions = self.actions + later.actions
        state = later.state
        return self._replace(
            state=state, actions=actions, games=games, dailies=dailies, starts=starts
        )


class SavedSession(NamedTuple):
    """A saved session with its player's personal bests, daily results and started days."""

    state: str
    game: str | None
    actions: str
    bests: PersonalBests
    dailies: dict[Day, DayResult]
    starts: set[Day]


class Store:
    """Saved sessions. Thread-safe.

    Args:
        where: Directory of an SQLite file; None keeps everything in memory; or a database.
        problem: The reason why everything is in memory, if that is not intended.
        worker: The name of this process, if it is one of several workers on a PostgreSQL database.

    Attributes:
        persistent: Whether saved data persists after this process ends.
        ownership: The sessions of this worker; None if it is the only server.

    Raises:
        FolderInUse: If another server uses the directory.
        OSError: If the directory cannot be created or written to.
    """

    def __init__(
        self, where: Path | Database | None, problem: str | None = None, worker: str | None = None
    ) -> None:
        self.persistent = where is not None
        self._problem = problem
        if where is None or isinstance(where, Path):
            where = SqliteDatabase(where)
        self._database: Database = where
        self._saved = self._database.last_saved()
        self._until_pruning = 0
        self.ownership = None if worker is None else Ownership(where, worker)

    @property
    def problem(self) -> str | None:
        """The reason why nothing can be written to disk at the moment, or None."""
        return self._problem or self._database.problem

    def secret(self) -> bytes:
        """Return the key that signs session cookies; created on first use."""
        with self._database.writing() as db:
            key = self._database.read_key(db)
            if key is None:
                key = secrets.token_bytes(KEY_BYTES)
                db.execute("INSERT INTO meta (name, value) VALUES ('secret', ?)", (key,))
                if self._saved:
                    _log.warning(
                        "the key that signs cookies is missing from the saved games; browsers "
                        "begin new games, and the old ones stay in the file"
                    )
        return key

    @cached_property
    def may_have_moved(self) -> bool:
        """Whether the store has visitors of versions that opened the page at 127.0.0.1.

        The first server that opens the store with a version that opens it at localhost records it.
        """
        with self._database.writing() as db:
            found = db.execute("SELECT EXISTS (SELECT 1 FROM sessions)").fetchone()
            db.execute(
                "INSERT INTO meta (name, value) VALUES ('moved', ?) ON CONFLICT DO NOTHING",
                (b"1" if found[0] else b"",),
            )
            row = db.execute("SELECT value FROM meta WHERE name = 'moved'").fetchone()
        return bool(bytes(row[0]))

    def load(self, session_id: str) -> SavedSession | None:
        """Return a saved session, or None."""
        with self._database.using() as db:
            row = db.execute(
                "SELECT state, game FROM sessions WHERE id = ?", (session_id,)
            ).fetchone()
            actions = db.execute(
                "SELECT action FROM actions WHERE session = ? ORDER BY number", (session_id,)
            ).fetchall()
        if row is None:
            return None
        # A damaged row may not be text, in which case the result is not JSON either.
        text = f"[{','.join(str(action) for (action,) in actions)}]"
        return SavedSession(
            row[0],
            row[1],
            text,
            self.bests(session_id),
            self.dailies(session_id),
            self.starts(session_id),
        )

    @cached_property
    def daily_boards(self) -> DailyBoards:
        """The daily boards of this site."""
        return daily_boards(self._database)

    def dailies(self, session_id: str) -> dict[Day, DayResult]:
        """Return a session's daily board results by day, without damaged ones."""
        with self._database.using() as db:
            rows = db.execute(
                "SELECT day, won, seconds, bbbv, clicks, helped FROM dailies WHERE session = ?",
                (session_id,),
            ).fetchall()
        results = (DayResult.of_row(row) for row in rows)
        return {result.day: result for result in results if result is not None}

    def starts(self, session_id: str) -> set[Day]:
        """Return the days whose boards a session has started; days with a result may be missing."""
        with self._database.using() as db:
            days = db.execute("SELECT day FROM daily_starts WHERE session = ?", (session_id,))
            return {day for (day,) in days if is_day(day)}

    def bests(self, session_id: str) -> PersonalBests:
        """Return the personal bests of a session's player."""
        return self.history.of(session_id).bests()

    @property
    def database(self) -> Database:
        """The database."""
        return self._database

    @property
    def history(self) -> History:
        """The finished games of all sessions."""
        return History(self._database)

    @property
    def accounts(self) -> Accounts:
        """The accounts of players who have claimed a name."""
        return Accounts(self._database)

    def daily_game(self, session_id: str, day: Day) -> str | None:
        """Return the game of a session's result for a day as JSON text, or None."""
        with self._database.using() as db:
            row = db.execute(
                "SELECT game FROM dailies WHERE session = ? AND day = ?", (session_id, day)
            ).fetchone()
        return None if row is None else str(row[0])

    def set_aside(self, session_id: str) -> str:
        """Rename an unreadable saved session, so that nothing overwrites it."""
        name = set_aside_id(session_id, secrets.token_hex(4))
        with self._database.writing() as db:
            db.execute("UPDATE sessions SET id = ? WHERE id = ?", (name, session_id))
            db.execute("UPDATE actions SET session = ? WHERE session = ?", (name, session_id))
        return name

    def commit(self, changes: Sequence[Change]) -> list[Change]:
        """Save changes of different sessions, all or none.

        Returns:
            The changes that were not saved, because another worker has claimed their sessions.

        Raises:
            sqlite3.Error: If they cannot be saved; nothing has changed.
            DatabaseFailed: The same, for other databases.
            NotInPlace: If they are saved only in memory and must be saved again.
        """
        lost: list[Change] = []
        with self._database.committing() as db:
            if self.ownership is not None and changes:
                changes, lost, saved = self.ownership.divided(db, changes)
                self._saved = max(self._saved, saved)
            self._write(db, changes)
            self._prune(db)
        self._saved += 1
        self._database.check()
        return lost

    def _write(self, db: Connection, changes: Sequence[Change]) -> None:
        rows = SessionRows(
            self._saved + 1,
            [(c.session, c.state, c.game) for c in changes],
            [c.session for c in changes if c.game is not None],
            [
                (c.session, number, action)
                for c in changes
                for number, action in enumerate(c.actions, c.first)
            ],
        )
        self._database.save_sessions(db, rows)
        if games := [(c.session, row_of(record)) for c in changes for record in c.games]:
            insert_many(db, games)
        if starts := [(one, day, one) for c in changes for one, day in c.starts]:
            db.executemany(_SAVE_STARTS, starts)
        dailies = [(c.session, *result, game) for c in changes for result, game in c.dailies]
        if dailies:
            # The first attempt counts, even if other windows have finished later ones.
            db.executemany(_SAVE_DAILIES, dailies)
        SCHEMA.saved(
            db,
            [
                Saved(c.session, c.games, [result for result, _ in c.dailies])
                for c in changes
                if c.games
            ],
        )

    def _prune(self, db: Connection) -> None:
        """Delete old and surplus rows; sessions by order of saving rather than time."""
        self._until_pruning -= 1
        if self._until_pruning > 0:
            return
        self._until_pruning = 1_000
        [count] = db.execute("SELECT count(*) FROM sessions").fetchone()
        is_file = self._database.engine is Engine.SQLITE
        most = limits.SESSIONS_STORED if is_file else limits.SESSIONS_STORED_ON_A_SERVER
        SCHEMA.prune(db, now_ms(), self._database.engine, count - most)

    def probe(self) -> None:
        """Write to the database to check that it is writable.

        Raises:
            OSError: If nothing can currently be saved on disk.
            sqlite3.Error: If an SQLite file cannot be written.
        """
        with self._database.writing() as db:
            db.execute(
                "INSERT INTO meta (name, value) VALUES ('probe', ?) "
                "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (b"",),
            )
        self._database.check()

    def transaction(self) -> AbstractContextManager[Connection]:
        """Yield a connection for other tables, in a transaction that is committed after the block.

        Raises:
            sqlite3.Error: If it cannot be committed; nothing has changed.
            DatabaseFailed: The same, for other databases.
        """
        return self._database.writing()

    def settle(self) -> bool:
        """Return whether everything is on disk; a removed file is written again."""
        return self._database.settle()

    def close(self) -> None:
        """Close the database and let another server use it."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
