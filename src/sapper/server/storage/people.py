"""The people with accounts, for the operator, even while a server is using the database."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable
from typing import Any, Final

from sapper.database.connection import Connection
from sapper.history.tables import Tables
from sapper.server.accounts.errors import NoSuchPerson
from sapper.server.accounts.names import Name
from sapper.server.accounts.records import Account, Ban, Details, Person
from sapper.server.storage.account_rows import ACCOUNT_COLUMNS
from sapper.server.storage.accounts import Accounts
from sapper.server.storage.clocked import Clocked

__all__ = ["People"]

_PEOPLE: Final = f"""
SELECT {ACCOUNT_COLUMNS},
    (SELECT max(seen_ms) FROM logins WHERE logins.account = accounts.id),
    (SELECT count(*) FROM games WHERE owner = accounts.player),
    reason, since_ms, until_ms
FROM accounts
LEFT JOIN bans ON bans.account = accounts.id AND (until_ms IS NULL OR until_ms > ?)
"""


class People(Clocked):
    """The people in a database. Thread-safe.

    Servers notice bans and deletions within seconds.

    Args:
        database: The database.
        clock: Seconds since 1970.
    """

    def __init__(self, database: Tables, clock: Callable[[], float] = time.time) -> None:
        super().__init__(database, clock)
        self._accounts = Accounts(database, clock)

    def all(self, search: str = "") -> list[Person]:
        """Return everyone whose name contains a string in any case, sorted by name."""
        wanted = _folded(search)
        with self._database.reading() as db:
            rows = db.execute(_PEOPLE, (self._now_ms(),)).fetchall()
        people = (_person(row) for row in rows)
        found = [one for one in people if wanted in _folded(one.account.name)]
        return sorted(found, key=lambda one: (_folded(one.account.name), one.account.name))

    def find(self, text: str) -> Person:
        """Return the person with an id or name; case matters only if two names differ only in case.

        Raises:
            NoSuchPerson: If there is no such person.
        """
        with self._database.reading() as db:
            rows = db.execute(_PEOPLE, (self._now_ms(),)).fetchall()
        people = [_person(row) for row in rows]
        shown = unicodedata.normalize("NFKC", text).strip()
        for matches in (
            [one for one in people if text == one.account.id],
            [one for one in people if shown == one.account.name],
            [one for one in people if _folded(shown) == _folded(one.account.name)],
        ):
            if len(matches) == 1:
                return matches[0]
        raise NoSuchPerson.named(text)

    def details(self, person: Person) -> Details:
        """Return everything that belongs to an account."""
        return self._accounts.details(person.account.id)

    def rename(self, person: Person, name: Name) -> None:
        """Rename an account, even if it was renamed recently.

        Raises:
            NameTaken: If another account has such a name.
        """
        self._accounts.rename(person.account, name, soon=True)

    def ban(self, person: Person, reason: str, until_ms: int | None) -> None:
        """Ban an account, or change its ban."""
        now = self._now_ms()
        with self._database.writing() as db:
            self._expect(db, person)
            db.execute("DELETE FROM bans WHERE until_ms <= ?", (now,))
            db.execute(
                "INSERT INTO bans VALUES (?, ?, ?, ?) ON CONFLICT (account) DO UPDATE "
                "SET reason = excluded.reason, until_ms = excluded.until_ms",
                (person.account.id, reason, now, until_ms),
            )

    def unban(self, person: Person) -> bool:
        """End the ban of an account; return whether there was one."""
        with self._database.writing() as db:
            ended = db.execute("DELETE FROM bans WHERE account = ?", (person.account.id,))
            return bool(ended.rowcount)

    def delete(self, person: Person) -> None:
        """Delete an account with all of its player's games and results; see `Accounts.delete`."""
        with self._database.reading() as db:
            self._expect(db, person)
        self._accounts.delete(person.account)

    def _expect(self, db: Connection, person: Person) -> None:
        found = db.execute("SELECT 1 FROM accounts WHERE id = ?", (person.account.id,)).fetchone()
        if found is None:
            raise NoSuchPerson.named(person.account.name)


def _person(row: tuple[Any, ...]) -> Person:
    *account, seen_ms, games, reason, since_ms, until_ms = row
    own = Account(*account)
    ban = None if reason is None else Ban(own.name, reason, since_ms, until_ms)
    return Person(own, seen_ms, games, ban)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
