"""Networks whose guests are banned from what visitors do together.

A network is stored with its reason, its start and its end. No visitor's address is stored. A ban
with an end expires by itself, and its row is deleted.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, NamedTuple

from sapper.database.connection import Connection
from sapper.database.tables import Table
from sapper.errors import SapperError
from sapper.server.storage.clocked import Clocked
from sapper.server.storage.feature_tables import FeatureTables, Pruning
from sapper.translation import t

__all__ = [
    "TABLES",
    "NetworkBan",
    "NetworkBanned",
    "NetworkBans",
    "delete_expired",
    "network_bans",
]

SCHEMA: Final = """
-- Networks in CIDR notation whose guests are banned. They belong to no player.
CREATE TABLE IF NOT EXISTS network_bans (
    network TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    since_ms INTEGER NOT NULL,
    until_ms INTEGER
);
"""


class NetworkBanned(SapperError, PermissionError):
    """Guests on the visitor's network are banned from what visitors do together."""

    code = "network_banned"


class NetworkBan(NamedTuple):
    """The ban of the guests on a network.

    Attributes:
        network: The network in CIDR notation.
        reason: The operator's reason, shown to the guests.
        since_ms: When it began, in milliseconds since 1970.
        until_ms: When it ends, or None.
    """

    network: str
    reason: str
    since_ms: int
    until_ms: int | None

    def refusal(self) -> NetworkBanned:
        """Return the error for a guest."""
        if self.until_ms is None:
            return NetworkBanned(
                t(
                    "guests on your network cannot join rooms or claim names (reason: {reason}); "
                    "you can still play alone, or sign in",
                    reason=self.reason,
                )
            )
        end = datetime.fromtimestamp(self.until_ms / 1000, UTC)
        return NetworkBanned(
            t(
                "guests on your network cannot join rooms or claim names until {date} "
                "(reason: {reason}); you can still play alone, or sign in",
                date=end.strftime("%Y-%m-%d %H:%M UTC"),
                reason=self.reason,
            )
        )


def network_bans(db: Connection) -> list[NetworkBan]:
    """Return all bans in a database, oldest first, including those that have expired."""
    rows = db.execute(
        "SELECT network, reason, since_ms, until_ms FROM network_bans ORDER BY since_ms, network"
    ).fetchall()
    return [NetworkBan(*row) for row in rows]


def delete_expired(db: Connection, now_ms: int) -> None:
    """Delete the bans that have expired."""
    db.execute("DELETE FROM network_bans WHERE until_ms <= ?", (now_ms,))


class NetworkBans(Clocked):
    """The bans in a database. Thread-safe.

    Servers notice changes within seconds.

    Args:
        database: The database.
        clock: Seconds since 1970.
    """

    def all(self) -> list[NetworkBan]:
        """Return the bans that have not expired, oldest first."""
        now = self._now_ms()
        with self._database.reading() as db:
            found = network_bans(db)
        return [one for one in found if one.until_ms is None or one.until_ms > now]

    def ban(self, network: str, reason: str, until_ms: int | None) -> None:
        """Ban the guests on a network, or change their ban."""
        now = self._now_ms()
        with self._database.writing() as db:
            delete_expired(db, now)
            db.execute(
                "INSERT INTO network_bans VALUES (?, ?, ?, ?) ON CONFLICT (network) DO UPDATE "
                "SET reason = excluded.reason, until_ms = excluded.until_ms",
                (network, reason, now, until_ms),
            )

    def unban(self, network: str) -> bool:
        """End the ban of a network; return whether there was one."""
        with self._database.writing() as db:
            delete_expired(db, self._now_ms())
            ended = db.execute("DELETE FROM network_bans WHERE network = ?", (network,))
            return bool(ended.rowcount)

    def expire(self) -> None:
        """Delete the bans that have expired."""
        with self._database.writing() as db:
            delete_expired(db, self._now_ms())


def _prune(db: Connection, pruning: Pruning) -> None:
    delete_expired(db, pruning.now_ms)


TABLES: Final = FeatureTables({13: SCHEMA}, (Table("network_bans"),), on_prune=_prune)
