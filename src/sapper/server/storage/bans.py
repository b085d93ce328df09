"""Banned accounts.

The functions run in the current transaction. A ban with an end expires by itself.
"""

from __future__ import annotations

from typing import Final

from sapper.database.connection import Connection
from sapper.server.accounts.errors import banned
from sapper.server.accounts.records import Ban

__all__ = [
    "NOT_BANNED",
    "SCHEMA",
    "ban_of",
    "ban_of_login",
    "banned_players",
    "check_not_banned",
    "removed_players",
]

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS bans (
    account TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    since_ms INTEGER NOT NULL,
    until_ms INTEGER
);
-- The aliases of erased players, for servers that still have them in memory.
CREATE TABLE IF NOT EXISTS removed_players (
    player TEXT PRIMARY KEY,
    removed_ms INTEGER NOT NULL
);
"""

NOT_BANNED: Final = """NOT EXISTS (
    SELECT 1 FROM bans WHERE bans.account = accounts.id AND (until_ms IS NULL OR until_ms > ?)
)"""
"""The SQL condition for accounts that are not banned at a given time."""

_FOUND: Final = (
    "SELECT name, reason, since_ms, until_ms FROM bans JOIN accounts ON accounts.id = bans.account"
)
_RUNS: Final = "(until_ms IS NULL OR until_ms > ?)"


def ban_of(db: Connection, account: str, now: int) -> Ban | None:
    """Return the ban of an account, or None."""
    row = db.execute(f"{_FOUND} WHERE bans.account = ? AND {_RUNS}", (account, now)).fetchone()
    return None if row is None else Ban(*row)


def ban_of_login(db: Connection, login: str, now: int) -> Ban | None:
    """Return the ban of the account of a login, given by its digest, or None."""
    row = db.execute(
        f"{_FOUND} JOIN logins ON logins.account = bans.account WHERE digest = ? AND {_RUNS}",
        (login, now),
    ).fetchone()
    return None if row is None else Ban(*row)


def check_not_banned(db: Connection, account: str, now: int) -> None:
    """Check that an account is not banned.

    Raises:
        Banned: If the account is banned.
    """
    if (ban := ban_of(db, account, now)) is not None:
        raise banned(ban)


def banned_players(db: Connection, now: int) -> set[str]:
    """Return the session ids of all banned accounts."""
    rows = db.execute(
        f"SELECT player FROM bans JOIN accounts ON accounts.id = bans.account WHERE {_RUNS}",
        (now,),
    )
    return {player for (player,) in rows.fetchall()}


def removed_players(db: Connection) -> dict[str, int]:
    """Return the times when players were erased, by alias."""
    return dict(db.execute("SELECT player, removed_ms FROM removed_players").fetchall())
