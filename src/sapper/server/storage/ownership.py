"""The owner of each session, a worker, in PostgreSQL.

Each claim of a session has a token, larger than those of earlier claims. `Store.commit` checks the
tokens of its sessions in its own transaction, so a worker that has lost a session cannot overwrite
the changes of the next owner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from sapper.database.connection import Connection
from sapper.database.tables import Table
from sapper.server.storage.database import Database
from sapper.server.storage.feature_tables import FeatureTables

__all__ = ["SCHEMA", "TABLES", "Claim", "Ownership"]

SCHEMA: Final = """
-- The worker that may save a session, empty if it was released, and the token of its claim.
CREATE TABLE IF NOT EXISTS owners (
    session TEXT PRIMARY KEY,
    worker TEXT NOT NULL,
    token INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS owners_by_worker ON owners (worker);
"""

TABLES: Final = FeatureTables(
    {7: SCHEMA},
    (
        Table(
            "owners",
            ("session",),
            not_exported="it says which process of the server has the session",
            is_pruned=True,
            is_bookkeeping=True,
        ),
    ),
)

_CLAIM: Final = """
INSERT INTO owners (session, worker, token) VALUES (?, ?, ?)
ON CONFLICT (session) DO UPDATE SET
    worker = excluded.worker,
    token = CASE WHEN owners.token < excluded.token THEN excluded.token ELSE owners.token + 1 END
WHERE owners.worker IN ('', excluded.worker)
RETURNING token
"""
_TAKE: Final = """
UPDATE owners SET worker = ?, token = token + 1 WHERE session = ? AND worker = ? AND token = ?
"""
# No other worker can claim these rows while the transaction holds their locks, and an earlier claim
# would have changed the token.
_OWNED: Final = """
SELECT session, (SELECT max(saved) FROM sessions) FROM owners
JOIN unnest(?::text[], ?::bigint[]) AS mine (session, token) USING (session, token)
WHERE worker = ? ORDER BY session FOR SHARE OF owners
"""


class HasClaim(Protocol):
    """A change to something that one worker owns."""

    @property
    def session(self) -> str: ...

    @property
    def token(self) -> int: ...


_Claimed = TypeVar("_Claimed", bound=HasClaim)


class Divided(NamedTuple, Generic[_Claimed]):
    """Changes by owner.

    Attributes:
        kept: The changes that this worker may save.
        lost: The changes of sessions that another worker has claimed.
        saved: The number of the last commit of any worker.
    """

    kept: list[_Claimed]
    lost: list[_Claimed]
    saved: int


class Claim(NamedTuple):
    """The owner of a session.

    Attributes:
        worker: Its name.
        token: The token of its claim.
    """

    worker: str
    token: int


class Ownership:
    """The sessions of a worker in a PostgreSQL database. Thread-safe.

    Args:
        database: The database.
        worker: The name of this worker, which no other process ever has.
    """

    def __init__(self, database: Database, worker: str) -> None:
        self._database, self.worker = database, worker
        self._lock, self._token = Lock(), 0

    def claim(self, session: str) -> Claim:
        """Claim a session, unless another worker owns it; return its owner."""
        while True:
            with self._database.using() as db:
                values = (session, self.worker, self._next_token())
                row = db.execute(_CLAIM, values).fetchone()
                if row is not None:
                    return Claim(self.worker, self._claimed(row[0]))
                row = db.execute(
                    "SELECT worker, token FROM owners WHERE session = ?", (session,)
                ).fetchone()
            if row is not None and row[0] not in ("", self.worker):
                return Claim(*row)

    def take(self, session: str, claim: Claim) -> Claim | None:
        """Take over a session from an owner that has released it or died.

        Returns:
            The new claim; None if the session has changed hands since `claim`.
        """
        with self._database.using() as db:
            values = (self.worker, session, *claim)
            if not db.execute(_TAKE, values).rowcount:
                return None
        return Claim(self.worker, self._claimed(claim.token + 1))

    def owned(self, db: Connection, tokens: Iterable[tuple[str, int]]) -> tuple[set[str], int]:
        """Return which sessions this worker still owns until the end of the transaction.

        Args:
            db: The connection of the transaction.
            tokens: Sessions with the tokens of their claims.

        Returns:
            The sessions, and the number of the last commit of any worker.
        """
        sessions, numbers = zip(*tokens, strict=True)
        values = (list(sessions), list(numbers), self.worker)
        rows = db.execute(_OWNED, values).fetchall()
        return {session for session, _ in rows}, max((saved or 0 for _, saved in rows), default=0)

    def divided(self, db: Connection, changes: Sequence[_Claimed]) -> Divided[_Claimed]:
        """Divide the changes of a transaction into those of this worker and the others."""
        owned, saved = self.owned(db, [(change.session, change.token) for change in changes])
        kept = [change for change in changes if change.session in owned]
        return Divided(kept, [change for change in changes if change.session not in owned], saved)

    def forget(self, session: str) -> None:
        """Remove the claim of an erased session."""
        with self._database.using() as db:
            values = (session, self.worker)
            db.execute("DELETE FROM owners WHERE session = ? AND worker = ?", values)

    def release_all(self) -> None:
        """Release all sessions of this worker, which has saved them."""
        with self._database.using() as db:
            db.execute("UPDATE owners SET worker = '' WHERE worker = ?", (self.worker,))

    def _next_token(self) -> int:
        """Return a token larger than all earlier ones of this worker."""
        with self._lock:
            self._token += 1
            return self._token

    def _claimed(self, token: int) -> int:
        with self._lock:
            self._token = max(self._token, token)
        return token
