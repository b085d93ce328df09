"""The profiles of players with a name, and their follow lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sapper.community import FollowList
from sapper.database.connection import Connection
from sapper.server.accounts.names import Name
from sapper.server.accounts.records import Account
from sapper.server.storage.account_rows import ACCOUNT_COLUMNS
from sapper.server.storage.bans import NOT_BANNED
from sapper.server.storage.clocked import Clocked

__all__ = ["Profile", "Profiles"]


class Profile(NamedTuple):
    """A profile.

    Attributes:
        account: The account.
        private: Whether only its owner can see it.
    """

    account: Account
    private: bool


class Profiles(Clocked):
    """The profiles in a database. Thread-safe.

    Args:
        database: A database with these tables.
        clock: Seconds since 1970.
    """

    def find(self, name: Name) -> Profile | None:
        """Return the profile with a name, or with one that looks like it or is still reserved.

        The profiles of banned players are not found.
        """
        now = self._now_ms()
        with self._database.reading() as db:
            for look in sorted(name.looks):
                row = db.execute(
                    f"SELECT {ACCOUNT_COLUMNS}, coalesce((SELECT private FROM profiles "
                    "WHERE profiles.player = accounts.player), 0) FROM account_names "
                    "JOIN accounts ON accounts.id = account_names.account "
                    "WHERE look = ? AND (account_names.until_ms IS NULL "
                    f"OR account_names.until_ms > ?) AND {NOT_BANNED}",
                    (look, now, now),
                ).fetchone()
                if row is not None:
                    return Profile(Account(*row[:-1]), bool(row[-1]))
        return None

    def is_private(self, player: str) -> bool:
        """Return whether the profile of a player is private."""
        with self._database.reading() as db:
            row = db.execute("SELECT private FROM profiles WHERE player = ?", (player,)).fetchone()
        return row is not None and bool(row[0])

    def set_private(self, player: str, *, private: bool) -> None:
        """Hide a profile from everyone else, or show it."""
        with self._database.writing() as db:
            db.execute(
                "INSERT INTO profiles VALUES (?, ?) ON CONFLICT (player) DO UPDATE "
                "SET private = excluded.private",
                (player, int(private)),
            )

    def names(self, players: Iterable[str]) -> dict[str, tuple[str, bool]]:
        """Return the names of players, and whether their profiles are private.

        Players without a name are left out.
        """
        found = {}
        with self._database.reading() as db:
            for player in players:
                row = db.execute(
                    "SELECT name, coalesce(private, 0) FROM accounts "
                    "LEFT JOIN profiles ON profiles.player = accounts.player "
                    "WHERE accounts.player = ?",
                    (player,),
                ).fetchone()
                if row is not None:
                    found[player] = row[0], bool(row[1])
        return found

    # Follow lists.

    def followed(self, player: str) -> list[str]:
        """Return the players whom a player follows, in the order in which they were added."""
        with self._database.reading() as db:
            return _followed(db, player)

    def follow(self, player: str, other: str) -> None:
        """Follow a player.

        Raises:
            BadSetting: If the players are the same, or the list is full.
        """
        with self._database.writing() as db:
            FollowList(player, _followed(db, player)).add(other)
            db.execute(
                "INSERT INTO follows VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                (player, other, self._now_ms()),
            )

    def unfollow(self, player: str, other: str) -> None:
        """Stop following a player."""
        with self._database.writing() as db:
            db.execute("DELETE FROM follows WHERE player = ? AND followed = ?", (player, other))


def _followed(db: Connection, player: str) -> list[str]:
    rows = db.execute(
        "SELECT followed FROM follows WHERE player = ? ORDER BY since_ms, followed", (player,)
    ).fetchall()
    return [followed for (followed,) in rows]
