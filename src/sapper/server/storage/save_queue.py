"""Save changes in batches, and report when each batch is saved."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Final, Generic, Protocol, Self, TypeVar

from sapper._util.shortening import first_line
from sapper.database.connection import DatabaseFailed
from sapper.server.instruments import Durations
from sapper.server.storage.database import NotInPlace

__all__ = ["Committing", "Mergeable", "SaveQueue", "Ticket", "settled_ticket"]

_log: Final = logging.getLogger(__name__)

_GATHER_S: Final = 0.03
"""Minimum time between the starts of commits on a busy server. A commit costs as much processor
time as saving three moves, not counting thread switches."""

_BUSY: Final = 67
"""Number of sessions with changes in `_RATE_S` for a server to count as busy: two per `_GATHER_S`.
A few players who move quickly do not count, because each waits for the answer to the last move."""

_RATE_S: Final = 1.0
"""Time over which sessions are counted."""

_FIRST_PAUSE_S: Final = 0.5
_LONGEST_PAUSE_S: Final = 2.0
_LAST_ATTEMPTS: Final = 3
_FIRST_SESSIONS: Final = 50
"""Number of sessions in the first batch after a failure."""


class Mergeable(Protocol):
    """A change to save."""

    @property
    def session(self) -> str:
        """The id of the session or room, as in the table of owners."""

    def then(self, later: Self, /) -> Self:
        """Merge this change with a later one of the same session."""


_Change = TypeVar("_Change", bound=Mergeable)


class Committing(Protocol[_Change]):
    """Saves batches of changes."""

    def commit(self, changes: Sequence[_Change], /) -> list[_Change]:
        """Save changes, all or none; return those whose sessions another worker has claimed."""


class Ticket:
    """A batch; wait for it before telling a player about a change.

    Attributes:
        problem: The reason why the first attempt to save the batch failed, or None.
    """

    def __init__(self) -> None:
        self.problem: str | None = None
        self._settled = asyncio.Event()
        self._told: list[Callable[[], object]] = []

    def settle(self, problem: str | None = None) -> None:
        """Release the waiters; later calls have no effect."""
        if not self._settled.is_set():
            self.problem = problem
            self._settled.set()
            for tell in self._told:
                tell()
            self._told.clear()

    def tell(self, waiter: Callable[[], object]) -> None:
        """Call a function once the batch has been saved or has failed once."""
        if self.settled:
            waiter()
        else:
            self._told.append(waiter)

    @property
    def settled(self) -> bool:
        """Whether the batch has been saved or has failed once."""
        return self._settled.is_set()

    async def wait(self) -> None:
        """Wait until the batch has been saved or has failed once."""
        await self._settled.wait()


def settled_ticket() -> Ticket:
    """Return a ticket that is already settled."""
    ticket = Ticket()
    ticket.settle()
    return ticket


class Pace:
    """Decides how long to wait before a commit, so that it saves more changes.

    Args:
        now_s: The time, in seconds from any start.
    """

    def __init__(self, now_s: float) -> None:
        self._since_s = now_s
        self._sessions: set[str] = set()
        self._before = 0

    def begin(self, sessions: Iterable[str], now_s: float) -> float:
        """Record the start of a commit; return the earliest time of the next one.

        Args:
            sessions: The sessions with changes since the last commit.
            now_s: The time.
        """
        passed_s = now_s - self._since_s
        if passed_s >= _RATE_S:
            self._before = len(self._sessions) if passed_s < 2 * _RATE_S else 0
            self._since_s, self._sessions = now_s, set()
        self._sessions.update(sessions)
        is_busy = max(self._before, len(self._sessions)) >= _BUSY
        return now_s + (_GATHER_S if is_busy else 0.0)


class SaveQueue(Generic[_Change]):
    """A group commit: changes queued while a batch is being written form the next batch.

    Args:
        store: Saves the changes.
        recovered: Called when saving works again after a failure.
        lost: Called, before the ticket is settled, with changes that cannot be saved because
            another worker has claimed their sessions.

    Attributes:
        problem: The reason why saving is currently failing, or None.
        durations: The durations of successful commits.
        failures: The number of failed commits.
    """

    def __init__(
        self,
        store: Committing[_Change],
        recovered: Callable[[], None],
        lost: Callable[[list[_Change]], None] = lambda _: None,
    ) -> None:
        self._store, self._recovered, self._lost = store, recovered, lost
        self._changes: dict[str, _Change] = {}
        self._writing: dict[str, _Change] = {}
        self._ticket = Ticket()
        self._wake = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "sapper-save")
        self._commit: Future[list[_Change]] | None = None
        self._most_sessions = _FIRST_SESSIONS
        self.problem: str | None = None
        self.durations = Durations()
        self.failures = 0

    def __len__(self) -> int:
        """Return the number of sessions with changes that have not been saved yet."""
        return len(self._changes.keys() | self._writing.keys())

    def add(self, change: _Change) -> Ticket:
        """Queue a change."""
        before = self._changes.get(change.session)
        self._changes[change.session] = change if before is None else before.then(change)
        self._wake.set()
        if self.problem is not None:
            # The game continues while saving is retried, and the player is informed.
            failed = Ticket()
            failed.settle(self.problem)
            return failed
        return self._ticket

    async def forget(self, session_id: str) -> None:
        """Drop the changes of a session, and wait until none of them is being written."""
        self._changes.pop(session_id, None)
        if session_id in self._writing:
            self._wake.set()
            await self._ticket.wait()
            # The batch that failed has been queued again.
            self._changes.pop(session_id, None)

    @property
    def sessions(self) -> set[str]:
        """The sessions with changes that have not been saved yet."""
        return {*self._changes, *self._writing}

    def holds(self, session_id: str) -> bool:
        """Return whether a change of this session has not been saved yet."""
        return session_id in self._changes or session_id in self._writing

    async def run(self) -> None:
        """Save until cancelled. Failed batches are retried indefinitely."""
        pause = _FIRST_PAUSE_S
        pace, next_s = Pace(time.monotonic()), 0.0
        while True:
            await self._wake.wait()
            # The first changes after a pause are saved immediately; under load, a commit collects
            # more.
            if (rest_s := next_s - time.monotonic()) > 0.0:
                await asyncio.sleep(rest_s)
            next_s = pace.begin(self._changes, time.monotonic())
            try:
                await self._save()
                pause = _FIRST_PAUSE_S
            except asyncio.CancelledError:
                raise
            except Exception as problem:
                self._fail(problem)
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_S)

    async def _save(self) -> None:
        """Save all queued changes or, after a failure, some of them."""
        self._writing, self._changes = self._split()
        rest = bool(self._changes)
        ticket, self._ticket = self._ticket, Ticket()
        self._wake.clear()
        began_s = time.monotonic()
        self._commit = self._thread.submit(self._store.commit, list(self._writing.values()))
        try:
            lost = await asyncio.wrap_future(self._commit)
        except Exception as problem:
            self._put_back()
            self._most_sessions = _FIRST_SESSIONS
            ticket.settle(reason(problem))
            self.failures += 1
            raise
        self.durations.add(time.monotonic() - began_s)
        if lost:
            self._lost(lost)
        if rest:
            self._most_sessions *= 2
            self._wake.set()
        else:
            self._works()
        self._writing = {}
        ticket.settle()

    def _split(self) -> tuple[dict[str, _Change], dict[str, _Change]]:
        """Return the changes to save next, and the others.

        After a failure, many changes may be waiting. They are saved in parts of growing size, so
        that a database that soon fails again has at least some of them. By then, nothing waits for
        a ticket.
        """
        if self.problem is None or len(self._changes) <= self._most_sessions:
            return self._changes, {}
        ids = list(self._changes)
        now, later = ids[: self._most_sessions], ids[self._most_sessions :]
        return (
            {one: self._changes[one] for one in now},
            {one: self._changes[one] for one in later},
        )

    def _put_back(self) -> None:
        """Queue a failed batch again, before newer changes."""
        later, self._changes, self._writing = self._changes, self._writing, {}
        for change in later.values():
            self.add(change)
        self._wake.set()

    def _fail(self, problem: Exception) -> None:
        text = reason(problem)
        if text != self.problem:
            # Disk and file errors need no traceback.
            fault = None if isinstance(problem, OSError | sqlite3.Error) else problem
            detail = str(problem) or text
            _log.error("running games cannot be saved: %s", detail, exc_info=fault)
            self.problem = text

    def _works(self) -> None:
        if self.problem is not None:
            _log.warning("running games are saved again")
            self.problem = None
            self._recovered()

    def finish(self) -> bool:
        """Save the remaining changes on this thread; return whether everything is in the store."""
        self._thread.shutdown(wait=True)
        commit = self._commit
        if commit is not None and not commit.cancelled() and commit.exception() is None:
            # `run` may have been cancelled after the batch was written.
            self._writing = {}
        self._put_back()
        for attempt in range(_LAST_ATTEMPTS):
            if not self._changes:
                break
            try:
                # If the file is missing, `Store.settle` writes the data to a file later.
                with suppress(NotInPlace):
                    self._store.commit(list(self._changes.values()))
                self._changes = {}
            except Exception as problem:
                if attempt + 1 == _LAST_ATTEMPTS:
                    _log.error("%d games are not saved: %s", len(self._changes), problem)
                else:
                    time.sleep(_FIRST_PAUSE_S)
        return not self._changes


def reason(problem: Exception) -> str:
    """Describe briefly, for players, why a batch could not be saved.

    All players can read the text, so it does not name files of this machine.
    """
    if isinstance(problem, DatabaseFailed):
        return problem.why
    if isinstance(problem, OSError):
        return (problem.strerror or "the saved games file cannot be used").lower()
    if not isinstance(problem, sqlite3.Error):
        return type(problem).__name__
    # SQLite's messages do not name files.
    text = first_line(problem)
    if isinstance(problem, sqlite3.OperationalError):
        if "full" in text:
            return "disk full"
        if "locked" in text:
            return "the saved games file is locked by another program"
    return text
