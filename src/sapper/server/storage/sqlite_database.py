"""Saved games in SQLite: in the file, or in a temporary copy while the file is missing.

A moved or removed file stays open, so SQLite would keep writing to a lost file. Before each use,
the file at the path is therefore compared with the opened one. If it differs, work continues in a
temporary copy, which is written back to a file as soon as the folder exists again.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Final

from sapper.database.connection import Connection, Engine
from sapper.database.sqlite import transaction
from sapper.errors import BadSave
from sapper.history.tables import HistoryFile
from sapper.paths import GAMES_FILE
from sapper.server.storage.database import NotInPlace, SessionRows, compact
from sapper.server.storage.folder_lock import FolderInUse, FolderLock
from sapper.server.storage.store_file import connect, open_file, read_key
from sapper.translation import t

__all__ = ["SqliteDatabase"]

_log: Final = logging.getLogger(__name__)

_Identity = tuple[tuple[int, int] | None, ...]
"""Device and inode of the file and of its write-ahead log; None for a missing file."""


# Each statement takes all rows of a batch as one JSON array. Python releases its lock at every step
# of a statement, so with one statement per row, each row would wait for the lock.
_DELETE_ACTIONS: Final = "DELETE FROM actions WHERE session IN (SELECT value FROM json_each(?))"
_SAVE_SESSIONS: Final = """
INSERT INTO sessions (id, saved, state, game)
SELECT json_extract(value, '$[0]'), ?, json_extract(value, '$[1]'), json_extract(value, '$[2]')
FROM json_each(?) WHERE true
ON CONFLICT (id) DO UPDATE SET
    saved = excluded.saved, state = excluded.state, game = coalesce(excluded.game, game)
"""
_SAVE_ACTIONS: Final = """
INSERT OR REPLACE INTO actions (session, number, action)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')
FROM json_each(?)
"""


class SqliteDatabase:
    """An SQLite file in a folder, used by one server at a time. Thread-safe.

    With the write-ahead log and ``synchronous = NORMAL``, every commit survives the end of this
    process, even through SIGKILL. A power cut may lose the last commits, but never damages the
    file.

    Args:
        folder: Directory of the file; None keeps everything in memory.

    Attributes:
        problem: The reason why nothing can currently be written to the file, or None.

    Raises:
        FolderInUse: If another server uses the directory.
        OSError: If the directory cannot be created or written to.
    """

    engine = Engine.SQLITE

    def __init__(self, folder: Path | None) -> None:
        self._lock = RLock()
        self._folder = folder
        self._history: HistoryFile | None = None
        self.problem: str | None = None
        if folder is None:
            self.db = connect(":memory:")
            return
        self._path = folder / GAMES_FILE
        # Keep paths as strings, because every commit checks them and path objects are slower.
        self._files = (str(self._path), f"{self._path}-wal")
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder_lock = FolderLock(folder)
        try:
            self._open(open_file(self._path))
        except BadSave as problem:
            self._folder_lock.release()
            raise OSError(str(problem)) from problem
        except BaseException:
            self._folder_lock.release()
            raise

    def _open(self, db: sqlite3.Connection) -> None:
        try:
            # Use additional connections, so that long reads do not block saving.
            self._history = HistoryFile(self._path)
        except BaseException:
            db.close()
            raise
        self.db, self._identity = db, _identity(self._files)

    @contextmanager
    def using(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection for short reads and writes, without a transaction."""
        with self._lock:
            self._watch()
            yield self.db

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection in a transaction that is committed at the end of the block.

        Raises:
            sqlite3.Error: If it cannot be committed; nothing has changed.
        """
        with self.using() as db, transaction(db):
            yield db

    committing = writing

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection for long reads."""
        with self._lock:
            self._watch()
            history = self._history
            if history is None:
                yield self.db
                return
        with history.reading() as db:
            yield db

    @contextmanager
    def erasing(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection as `writing` does; deleted data is overwritten."""
        with self.using() as db:
            db.execute("PRAGMA secure_delete = ON")
            with transaction(db):
                yield db

    def erased(self) -> None:
        """Empty the write-ahead log, which still contains the deleted data."""
        with self.reading() as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def save_sessions(self, db: Connection, rows: SessionRows) -> None:
        """Write the rows of a group commit in the current transaction."""
        if rows.started:
            db.execute(_DELETE_ACTIONS, (compact(rows.started),))
        db.execute(_SAVE_SESSIONS, (rows.saved, compact(rows.sessions)))
        if rows.actions:
            db.execute(_SAVE_ACTIONS, (compact(rows.actions),))

    def last_saved(self) -> int:
        """Return the highest number of a commit, or 0."""
        with self.using() as db:
            # SQLite stores any type in any column.
            [saved] = db.execute(
                "SELECT max(saved) FROM sessions WHERE typeof(saved) = 'integer'"
            ).fetchone()
        return saved or 0

    def read_key(self, db: Connection) -> bytes | None:
        """Return the key that signs cookies, or None if there is none yet."""
        return read_key(db)

    def check(self) -> None:
        """Check that written data is in the file.

        Raises:
            NotInPlace: If data is only in memory, because the file is missing.
        """
        if self.problem is not None:
            raise NotInPlace(self.problem)

    def settle(self) -> bool:
        """Write everything to a file one last time, in a new folder if needed; return success."""
        if self._folder is None:
            return False
        with self._lock, suppress(OSError, sqlite3.Error):
            self._watch()
            if self.problem is not None:
                self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._watch()
        return self.problem is None

    def close(self) -> None:
        """Close the file and let another server use the directory."""
        with self._lock:
            if self._history is not None:
                self._history.close()
            self.db.close()
            if self._folder is not None:
                self._folder_lock.release()

    # Continuing in memory when the file is lost, and returning to the file.

    def _watch(self) -> None:
        if self._folder is None:
            return
        if self._history is not None and _identity(self._files) != self._identity:
            self._leave(self._history)
        if self._history is None:
            try:
                self._return(self._folder)
            except (OSError, BadSave, sqlite3.Error) as problem:
                # The page shows this to everyone, so it does not name the file.
                self._wait(t("the saved games file cannot be used"), str(problem))

    def _leave(self, history: HistoryFile) -> None:
        """Continue in a copy of the file, which can be read as long as it is open."""
        # The data is in memory while it is small, otherwise in an unnamed temporary file.
        copy = sqlite3.connect("", check_same_thread=False, isolation_level=None)
        try:
            self.db.backup(copy)
        except BaseException:
            copy.close()
            raise
        # This makes the moved file complete even if its log was not moved with it.
        with suppress(sqlite3.Error):
            self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        history.close()
        self.db.close()
        self.db, self._history = copy, None
        self._wait(t("the saved games file was moved or removed"))

    def _return(self, folder: Path) -> None:
        """Write everything to the file in the folder and continue there.

        Raises:
            OSError: If the folder is missing, or the file belongs to another server.
            sqlite3.Error: If the file cannot be written.
        """
        if not folder.is_dir():
            return self._wait(t("the saved games folder was moved or removed"))
        lock = self._folder_lock
        if not lock.holds(folder):
            try:
                lock = FolderLock(folder)
            except FolderInUse:
                return self._wait(t("another Sapper server is using the saved games folder"))
        try:
            self._drop_old_log()
            if not self._is_ours():
                self._wait(t("another file has replaced the saved games file"))
                return None
            db = connect(str(self._path))
            try:
                self._merge()
            except BaseException:
                db.close()
                raise
            copy = self.db
            self._open(db)
        finally:
            if lock is not self._folder_lock and self._history is None:
                lock.release()
        if lock is not self._folder_lock:
            self._folder_lock.release()
            self._folder_lock = lock
        copy.close()
        self.problem = None
        _log.warning("games are saved in %s again", self._path)
        return None

    def _wait(self, problem: str, detail: str | None = None) -> None:
        if problem != self.problem:
            self.problem = problem
            reason = detail or problem
            _log.error("%s: %s; games are kept in memory", self._path, reason)

    def _drop_old_log(self) -> None:
        """Remove the previous file's log, because SQLite would write it into a new file."""
        file, log = _identity(self._files)
        if file is None or (file != self._identity[0] and log == self._identity[1]):
            for suffix in ("-wal", "-shm"):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)

    def _is_ours(self) -> bool:
        """Return whether the file is missing, is empty or contains our cookie key."""
        if not self._path.exists() or not self._path.stat().st_size:
            return True
        try:
            with closing(sqlite3.connect(self._path, timeout=1.0)) as db:
                theirs = read_key(db)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            return False
        return theirs in (None, read_key(self.db))

    def _merge(self) -> None:
        """Write all rows of the copy to the file, keeping other rows."""
        self.db.execute("ATTACH ? AS file", (str(self._path),))
        try:
            listed = self.db.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")
            with transaction(self.db):
                # A session's actions belong together, so remove any that were saved at another
                # time.
                self.db.execute(
                    "DELETE FROM file.actions WHERE session IN (SELECT id FROM main.sessions)"
                )
                for (table,) in listed.fetchall():
                    info = self.db.execute(f"PRAGMA main.table_info({table})").fetchall()
                    names = ", ".join(column[1] for column in info)
                    self.db.execute(
                        f"INSERT OR REPLACE INTO file.{table} ({names}) "
                        f"SELECT {names} FROM main.{table}"
                    )
        finally:
            self.db.execute("DETACH file")


def _identity(files: Iterable[str]) -> _Identity:
    identity: list[tuple[int, int] | None] = []
    for file in files:
        try:
            status = os.stat(file)
        except OSError:
            identity.append(None)
        else:
            identity.append((status.st_dev, status.st_ino))
    return tuple(identity)
