"""Stored accounts: names, passkeys, recovery codes and logins.

Tokens and recovery codes are stored as hashes only.
"""

from __future__ import annotations

import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from sapper.database.connection import Connection
from sapper.history.tables import Tables
from sapper.server.accounts.challenges import refused
from sapper.server.accounts.errors import BadCode, BadPasskey, NameTaken, SignedOut, TooSoon
from sapper.server.accounts.names import Name
from sapper.server.accounts.passkeys import copied
from sapper.server.accounts.records import (
    Account,
    Details,
    Login,
    NewPasskey,
    Passkey,
    SignedIn,
)
from sapper.translation import t

__all__ = ["LOGIN_DAYS", "RENAME_DAYS", "SCHEMA", "Accounts", "Challenge"]

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS accounts (
    id TEXT PRIMARY KEY,
    player TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    renamed_ms INTEGER
);
-- The looks of names that are in use, and until a time those of former names.
CREATE TABLE IF NOT EXISTS account_names (
    look TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    until_ms INTEGER
);
CREATE INDEX IF NOT EXISTS account_names_by_account ON account_names (account);
CREATE TABLE IF NOT EXISTS passkeys (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    public_key TEXT NOT NULL,
    sign_count INTEGER NOT NULL,
    transports TEXT NOT NULL,
    device TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    used_ms INTEGER,
    locked_ms INTEGER
);
CREATE INDEX IF NOT EXISTS passkeys_by_account ON passkeys (account);
CREATE TABLE IF NOT EXISTS recovery_codes (
    digest TEXT PRIMARY KEY,
    account TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS recovery_codes_by_account ON recovery_codes (account);
CREATE TABLE IF NOT EXISTS logins (
    digest TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    device TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    seen_ms INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS logins_by_account ON logins (account);
-- Challenges that were answered, until they expire.
CREATE TABLE IF NOT EXISTS used_challenges (
    digest TEXT PRIMARY KEY,
    expires_s INTEGER NOT NULL
);
"""

RENAME_DAYS: Final = 30
"""Days between two renames, for which the former name stays reserved."""
LOGIN_DAYS: Final = 90
"""Days after which an unused login expires."""

_DAY_MS: Final = 86_400_000
_SEEN_MS: Final = 3_600_000
_MOST_LOGINS: Final = 50
_MOST_PASSKEYS: Final = 20
_OWN: Final = ("account_names", "passkeys", "recovery_codes", "logins")
_PLAYED: Final = {
    "sessions": "id",
    "actions": "session",
    "daily_starts": "session",
    "dailies": "session",
    "games": "owner",
    "moves": "owner",
    "replay_files": "owner",
    "trainees": "player",
    "puzzle_answers": "player",
    "lessons_done": "player",
    "mistakes": "player",
}
"""The tables with data of players, and the column that names the player."""

_ACCOUNT: Final = "accounts.id, player, name, accounts.created_ms, renamed_ms"
_PASSKEY: Final = (
    "account, id, public_key, sign_count, transports, device, created_ms, used_ms, locked_ms"
)

Challenge = tuple[str, int]
"""The digest of an answered challenge, and when it expires in seconds since 1970."""


class Accounts:
    """The accounts of a store; methods save before they return. Thread-safe.

    Args:
        database: A database with these tables.
        clock: Seconds since 1970.
    """

    def __init__(self, database: Tables, clock: Callable[[], float] = time.time) -> None:
        self._database, self._clock = database, clock

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)

    # Who is signed in.

    def signed_in(self, login: str) -> SignedIn | None:
        """Return the account of a login by its digest; None if it has expired or was ended."""
        now = self._now_ms()
        with self._database.reading() as db:
            row = db.execute(
                f"SELECT {_ACCOUNT}, seen_ms FROM logins "
                "JOIN accounts ON accounts.id = account WHERE digest = ?",
                (login,),
            ).fetchone()
        if row is None or row[-1] < now - LOGIN_DAYS * _DAY_MS:
            return None
        if row[-1] < now - _SEEN_MS:
            with self._database.writing() as db:
                db.execute("UPDATE logins SET seen_ms = ? WHERE digest = ?", (now, login))
        return SignedIn(Account(*row[:-1]), login)

    def is_claimed(self, player: str) -> bool:
        """Return whether the games of a session belong to an account."""
        with self._database.reading() as db:
            found = db.execute("SELECT 1 FROM accounts WHERE player = ?", (player,)).fetchone()
        return found is not None

    def details(self, account: str) -> Details:
        """Return all that belongs to an account, the latest logins first."""
        oldest = self._now_ms() - LOGIN_DAYS * _DAY_MS
        with self._database.reading() as db:
            [codes] = db.execute(
                "SELECT count(*) FROM recovery_codes WHERE account = ?", (account,)
            ).fetchone()
            logins = db.execute(
                "SELECT digest, device, created_ms, seen_ms FROM logins "
                "WHERE account = ? AND seen_ms >= ? ORDER BY seen_ms DESC, digest",
                (account, oldest),
            ).fetchall()
            return Details(_passkeys(db, account), codes, [Login(*row) for row in logins])

    # Names.

    def check_free(self, name: Name, account: str = "") -> None:
        """Check that no other account has a name that looks like this one.

        Raises:
            NameTaken: If one has.
        """
        with self._database.reading() as db:
            _check_free(db, name, account, self._now_ms())

    def claim(
        self,
        account: str,
        player: str,
        name: Name,
        passkey: NewPasskey,
        codes: Iterable[str],
        login: str,
        device: str,
        challenge: Challenge,
    ) -> Account:
        """Create an account with its first passkey, its recovery codes and a login.

        Args:
            account: Its id.
            player: The session whose games become those of the account.
            name: Its name.
            passkey: The passkey.
            codes: Digests of the recovery codes.
            login: Digest of the login's token.
            device: The browser and system.
            challenge: The challenge that was answered.

        Raises:
            NameTaken: If another account has such a name.
            ChallengeRefused: If the challenge was answered before.
            BadPasskey: If the passkey belongs to an account.
            SignedOut: If the session belongs to an account.
        """
        now = self._now_ms()
        with self._database.writing() as db:
            self._use(db, challenge)
            _take(db, name, account, now)
            made = db.execute(
                "INSERT INTO accounts VALUES (?, ?, ?, ?, NULL) ON CONFLICT DO NOTHING",
                (account, player, name.shown, now),
            )
            if not made.rowcount:
                raise SignedOut(t("you are not signed in"))
            _add_passkey(db, account, passkey, device, now)
            _add_codes(db, account, codes)
            _add_login(db, account, login, device, now)
        return Account(account, player, name.shown, now, None)

    def rename(self, account: Account, name: Name) -> None:
        """Rename an account; its former name stays reserved for `RENAME_DAYS`.

        Raises:
            TooSoon: If it was renamed less than `RENAME_DAYS` ago.
            NameTaken: If another account has such a name.
        """
        now = self._now_ms()
        until = now + RENAME_DAYS * _DAY_MS
        with self._database.writing() as db:
            row = db.execute(
                "SELECT renamed_ms FROM accounts WHERE id = ?", (account.id,)
            ).fetchone()
            if row is None:
                raise SignedOut(t("you are not signed in"))
            if row[0] is not None and row[0] + RENAME_DAYS * _DAY_MS > now:
                raise TooSoon(t("a name can be changed once in {days} days", days=RENAME_DAYS))
            db.execute(
                "UPDATE account_names SET until_ms = ? WHERE account = ? AND until_ms IS NULL",
                (until, account.id),
            )
            _take(db, name, account.id, now)
            db.execute(
                "UPDATE accounts SET name = ?, renamed_ms = ? WHERE id = ?",
                (name.shown, now, account.id),
            )

    # Passkeys and recovery codes.

    def passkey(self, passkey_id: bytes) -> Passkey:
        """Return a passkey.

        Raises:
            BadPasskey: If there is none with this id.
        """
        with self._database.reading() as db:
            row = db.execute(
                f"SELECT {_PASSKEY} FROM passkeys WHERE id = ?", (_text(passkey_id),)
            ).fetchone()
        if row is None:
            raise BadPasskey(t("this passkey belongs to no account"))
        return _passkey(row)

    def sign_in(
        self, passkey: Passkey, count: int, login: str, device: str, challenge: Challenge
    ) -> Account:
        """Sign in with a passkey that was verified.

        Args:
            passkey: The passkey.
            count: Its new counter.
            login: Digest of the login's token.
            device: The browser and system.
            challenge: The challenge that was answered.

        Raises:
            ChallengeRefused: If the challenge was answered before.
            CopiedPasskey: If the passkey is locked, or another use has reached this counter.
        """
        now = self._now_ms()
        with self._database.writing() as db:
            self._use(db, challenge)
            used = db.execute(
                "UPDATE passkeys SET sign_count = ?, used_ms = ? "
                "WHERE id = ? AND locked_ms IS NULL AND (sign_count < ? OR sign_count + ? = 0)",
                (count, now, _text(passkey.key.id), count, count),
            )
            if not used.rowcount:
                raise copied()
            _add_login(db, passkey.account, login, device, now)
            return _account(db, passkey.account)

    def lock(self, passkey: Passkey, challenge: Challenge) -> None:
        """Lock a passkey of which there is a copy."""
        with self._database.writing() as db:
            self._use(db, challenge)
            db.execute(
                "UPDATE passkeys SET locked_ms = ? WHERE id = ? AND locked_ms IS NULL",
                (self._now_ms(), _text(passkey.key.id)),
            )

    def recover(self, code: bytes | None, login: str, device: str) -> Account:
        """Sign in with a recovery code, which becomes invalid.

        Args:
            code: Digest of the code.
            login: Digest of the login's token.
            device: The browser and system.

        Raises:
            BadCode: If no account has this code.
        """
        digest = "" if code is None else code.hex()
        with self._database.writing() as db:
            row = db.execute(
                "SELECT account FROM recovery_codes WHERE digest = ?", (digest,)
            ).fetchone()
            used = db.execute("DELETE FROM recovery_codes WHERE digest = ?", (digest,))
            if row is None or not used.rowcount:
                raise BadCode(t("this recovery code is wrong or was used before"))
            _add_login(db, row[0], login, device, self._now_ms())
            return _account(db, row[0])

    def replace_codes(self, account: str, codes: Iterable[str]) -> None:
        """Replace the recovery codes of an account, given by their digests."""
        with self._database.writing() as db:
            db.execute("DELETE FROM recovery_codes WHERE account = ?", (account,))
            _add_codes(db, account, codes)

    def add_passkey(
        self, account: str, passkey: NewPasskey, device: str, challenge: Challenge
    ) -> None:
        """Add a passkey to an account.

        Raises:
            ChallengeRefused: If the challenge was answered before.
            BadPasskey: If it belongs to an account, or the account has too many.
        """
        with self._database.writing() as db:
            self._use(db, challenge)
            if len(_passkeys(db, account)) >= _MOST_PASSKEYS:
                raise BadPasskey(t("an account has at most {most} passkeys", most=_MOST_PASSKEYS))
            _add_passkey(db, account, passkey, device, self._now_ms())

    def remove_passkey(self, account: str, passkey_id: str) -> None:
        """Remove a passkey of an account, but not the last one that works.

        Raises:
            BadPasskey: If it is the last one, or there is none with this id.
        """
        with self._database.writing() as db:
            working = [
                _text(each.key.id) for each in _passkeys(db, account) if each.locked_ms is None
            ]
            if working == [passkey_id]:
                raise BadPasskey(t("this is your last passkey; add another one first"))
            removed = db.execute(
                "DELETE FROM passkeys WHERE account = ? AND id = ?", (account, passkey_id)
            )
            if not removed.rowcount:
                raise BadPasskey(t("this passkey belongs to no account"))

    # Logins and the end of an account.

    def end_login(self, account: str, login: str) -> None:
        """End a login of an account, given by its digest."""
        with self._database.writing() as db:
            db.execute("DELETE FROM logins WHERE account = ? AND digest = ?", (account, login))

    def end_other_logins(self, account: str, login: str) -> None:
        """End all logins of an account except one."""
        with self._database.writing() as db:
            db.execute("DELETE FROM logins WHERE account = ? AND digest <> ?", (account, login))

    def delete(self, account: Account) -> None:
        """Delete an account with all games and results of its player."""
        with self._database.erasing() as db:
            for table in _OWN:
                db.execute(f"DELETE FROM {table} WHERE account = ?", (account.id,))
            db.execute("DELETE FROM accounts WHERE id = ?", (account.id,))
            for table, column in _PLAYED.items():
                db.execute(f"DELETE FROM {table} WHERE {column} = ?", (account.player,))
        self._database.erased()

    def _use(self, db: Connection, challenge: Challenge) -> None:
        """Note that a challenge was answered, and forget those that have expired."""
        db.execute("DELETE FROM used_challenges WHERE expires_s < ?", (int(self._clock()),))
        used = db.execute(
            "INSERT INTO used_challenges VALUES (?, ?) ON CONFLICT DO NOTHING", challenge
        )
        if not used.rowcount:
            raise refused()


def _account(db: Connection, account: str) -> Account:
    row = db.execute(f"SELECT {_ACCOUNT} FROM accounts WHERE id = ?", (account,)).fetchone()
    return Account(*row)


def _check_free(db: Connection, name: Name, account: str, now: int) -> None:
    for look in sorted(name.looks):
        row = db.execute(
            "SELECT 1 FROM account_names WHERE look = ? AND account <> ? "
            "AND (until_ms IS NULL OR until_ms > ?)",
            (look, account, now),
        ).fetchone()
        if row is not None:
            raise NameTaken(t("this name is taken, or looks like one that is"))


def _take(db: Connection, name: Name, account: str, now: int) -> None:
    """Give a name to an account.

    Raises:
        NameTaken: If another account has such a name.
    """
    for look in sorted(name.looks):
        taken = db.execute(
            "INSERT INTO account_names VALUES (?, ?, NULL) ON CONFLICT (look) DO UPDATE "
            "SET account = excluded.account, until_ms = NULL "
            "WHERE account_names.account = excluded.account OR account_names.until_ms <= ?",
            (look, account, now),
        )
        if not taken.rowcount:
            raise NameTaken(t("this name is taken, or looks like one that is"))


def _add_passkey(db: Connection, account: str, passkey: NewPasskey, device: str, now: int) -> None:
    row = (
        _text(passkey.id),
        account,
        _text(passkey.public_key),
        passkey.sign_count,
        ",".join(passkey.transports),
        device,
        now,
    )
    added = db.execute(
        "INSERT INTO passkeys VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL) ON CONFLICT DO NOTHING", row
    )
    if not added.rowcount:
        raise BadPasskey(t("the passkey could not be verified"))


def _add_codes(db: Connection, account: str, codes: Iterable[str]) -> None:
    db.executemany("INSERT INTO recovery_codes VALUES (?, ?)", [(code, account) for code in codes])


def _add_login(db: Connection, account: str, login: str, device: str, now: int) -> None:
    """Add a login, and remove expired ones and the oldest of too many."""
    db.execute("INSERT INTO logins VALUES (?, ?, ?, ?, ?)", (login, account, device, now, now))
    db.execute("DELETE FROM logins WHERE seen_ms < ?", (now - LOGIN_DAYS * _DAY_MS,))
    db.execute(
        "DELETE FROM logins WHERE account = ? AND digest NOT IN (SELECT digest FROM logins "
        "WHERE account = ? ORDER BY seen_ms DESC, digest LIMIT ?)",
        (account, account, _MOST_LOGINS),
    )


def _passkeys(db: Connection, account: str) -> list[Passkey]:
    rows = db.execute(
        f"SELECT {_PASSKEY} FROM passkeys WHERE account = ? ORDER BY created_ms, id", (account,)
    )
    return [_passkey(row) for row in rows.fetchall()]


def _passkey(row: Sequence[Any]) -> Passkey:
    account, passkey_id, public_key, count, transports, device, created, used, locked = row
    names = tuple(filter(None, transports.split(",")))
    key = NewPasskey(_bytes(passkey_id), _bytes(public_key), count, names)
    return Passkey(account, key, device, created, used, locked)


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
