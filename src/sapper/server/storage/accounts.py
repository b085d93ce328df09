"""Stored accounts: names, passkeys, recovery codes and logins.

Tokens and recovery codes are stored as hashes only.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sapper.database.connection import Connection
from sapper.server.accounts.challenges import refused
from sapper.server.accounts.errors import BadCode, BadPasskey, TooSoon, signed_out
from sapper.server.accounts.names import Name
from sapper.server.accounts.passkeys import copied
from sapper.server.accounts.records import (
    Account,
    Ban,
    Details,
    Identity,
    Login,
    NewPasskey,
    Passkey,
    SignedIn,
)
from sapper.server.storage.account_rows import (
    ACCOUNT_COLUMNS,
    DAY_MS,
    LOGIN_DAYS,
    PASSKEY_COLUMNS,
    account_of,
    check_free,
    identities_of,
    insert_codes,
    insert_identity,
    insert_login,
    insert_passkey,
    passkey_of_row,
    passkeys_of,
    take_name,
    to_text,
)
from sapper.server.storage.bans import ban_of_login
from sapper.server.storage.clocked import Clocked
from sapper.server.storage.feature_tables import Erased
from sapper.server.storage.schema import SCHEMA
from sapper.translation import t

__all__ = ["RENAME_DAYS", "Accounts", "Challenge", "next_rename_ms"]

RENAME_DAYS: Final = 30
"""Days between two renames, for which the former name stays reserved."""

_SEEN_MS: Final = 3_600_000
_MOST_PASSKEYS: Final = 20

Challenge = tuple[str, int]
"""The digest of an answered challenge, and when it expires in seconds since 1970."""


def next_rename_ms(renamed_ms: int | None) -> int | None:
    """Return when an account can be renamed again, given its last rename; None if it can now."""
    return None if renamed_ms is None else renamed_ms + RENAME_DAYS * DAY_MS


class Accounts(Clocked):
    """The accounts of a store; methods save before they return. Thread-safe.

    Args:
        database: A database with these tables.
        clock: Seconds since 1970.
    """

    # Signed-in browsers.

    def signed_in(self, login: str) -> SignedIn | None:
        """Return the account of a login by its digest.

        None if the login has expired or been ended, or the account is banned.
        """
        now = self._now_ms()
        with self._database.reading() as db:
            row = db.execute(
                f"SELECT {ACCOUNT_COLUMNS}, seen_ms FROM logins "
                "JOIN accounts ON accounts.id = account WHERE digest = ? AND NOT EXISTS "
                "(SELECT 1 FROM bans WHERE bans.account = accounts.id "
                "AND (until_ms IS NULL OR until_ms > ?))",
                (login, now),
            ).fetchone()
        if row is None or row[-1] < now - LOGIN_DAYS * DAY_MS:
            return None
        if row[-1] < now - _SEEN_MS:
            with self._database.writing() as db:
                db.execute("UPDATE logins SET seen_ms = ? WHERE digest = ?", (now, login))
        return SignedIn(Account(*row[:-1]), login)

    def ban_of_login(self, login: str) -> Ban | None:
        """Return the ban of the account of a login, given by its digest, or None."""
        with self._database.reading() as db:
            return ban_of_login(db, login, self._now_ms())

    def is_claimed(self, player: str) -> bool:
        """Return whether the games of a session belong to an account."""
        with self._database.reading() as db:
            found = db.execute("SELECT 1 FROM accounts WHERE player = ?", (player,)).fetchone()
        return found is not None

    def details(self, account: str) -> Details:
        """Return everything that belongs to an account, latest logins first."""
        oldest = self._now_ms() - LOGIN_DAYS * DAY_MS
        with self._database.reading() as db:
            [codes] = db.execute(
                "SELECT count(*) FROM recovery_codes WHERE account = ?", (account,)
            ).fetchone()
            logins = db.execute(
                "SELECT digest, device, created_ms, seen_ms FROM logins "
                "WHERE account = ? AND seen_ms >= ? ORDER BY seen_ms DESC, digest",
                (account, oldest),
            ).fetchall()
            private = db.execute(
                "SELECT private FROM profiles JOIN accounts ON accounts.player = profiles.player "
                "WHERE accounts.id = ?",
                (account,),
            ).fetchone()
            return Details(
                passkeys_of(db, account),
                codes,
                [Login(*row) for row in logins],
                identities_of(db, account),
                private is not None and bool(private[0]),
            )

    # Names.

    def check_free(self, name: Name, account: str = "") -> None:
        """Check that no other account has a name that looks like this one.

        Raises:
            NameTaken: If another account has such a name.
        """
        with self._database.reading() as db:
            check_free(db, name, account, self._now_ms())

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
        next_guest: str = "",
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
            next_guest: The browser's session after signing out.

        Raises:
            NameTaken: If another account has a name like it.
            ChallengeRefused: If the challenge was answered before.
            BadPasskey: If the passkey belongs to an account.
            SignedOut: If the session belongs to an account.
        """
        now = self._now_ms()
        with self._database.writing() as db:
            self._use(db, challenge)
            created = _create(db, account, player, name, now, next_guest)
            insert_passkey(db, account, passkey, device, now)
            insert_codes(db, account, codes)
            insert_login(db, account, login, device, now)
        return created

    def rename(self, account: Account, name: Name, *, soon: bool = False) -> None:
        """Rename an account; its former name stays reserved for `RENAME_DAYS`.

        Args:
            account: The account.
            name: Its new name.
            soon: Whether to allow renaming even if the last one was recent.

        Raises:
            TooSoon: If it was renamed less than `RENAME_DAYS` days ago.
            NameTaken: If another account has a name like it.
        """
        now = self._now_ms()
        until = now + RENAME_DAYS * DAY_MS
        with self._database.writing() as db:
            row = db.execute(
                "SELECT renamed_ms FROM accounts WHERE id = ?", (account.id,)
            ).fetchone()
            if row is None:
                raise signed_out()
            if not soon and (next_rename_ms(row[0]) or 0) > now:
                raise TooSoon(t("a name can be changed once every {days} days", days=RENAME_DAYS))
            db.execute(
                "UPDATE account_names SET until_ms = ? WHERE account = ? AND until_ms IS NULL",
                (until, account.id),
            )
            take_name(db, name, account.id, now)
            db.execute(
                "UPDATE accounts SET name = ?, renamed_ms = ? WHERE id = ?",
                (name.shown, now, account.id),
            )

    # Passkeys and recovery codes.

    def passkey(self, passkey_id: bytes) -> Passkey:
        """Return a passkey.

        Raises:
            BadPasskey: If there is no account with this id.
        """
        with self._database.reading() as db:
            row = db.execute(
                f"SELECT {PASSKEY_COLUMNS} FROM passkeys WHERE id = ?", (to_text(passkey_id),)
            ).fetchone()
        if row is None:
            raise BadPasskey(t("this passkey does not belong to any account"))
        return passkey_of_row(row)

    def sign_in(
        self, passkey: Passkey, count: int, login: str, device: str, challenge: Challenge
    ) -> Account:
        """Sign in with a passkey that has been verified.

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
                (count, now, to_text(passkey.key.id), count, count),
            )
            if not used.rowcount:
                raise copied()
            insert_login(db, passkey.account, login, device, now)
            return account_of(db, passkey.account)

    def lock(self, passkey: Passkey, challenge: Challenge) -> None:
        """Lock a passkey that has been copied."""
        with self._database.writing() as db:
            self._use(db, challenge)
            db.execute(
                "UPDATE passkeys SET locked_ms = ? WHERE id = ? AND locked_ms IS NULL",
                (self._now_ms(), to_text(passkey.key.id)),
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
                raise BadCode(t("this recovery code is wrong or has already been used"))
            insert_login(db, row[0], login, device, self._now_ms())
            return account_of(db, row[0])

    def replace_codes(self, account: str, codes: Iterable[str]) -> None:
        """Replace an account's recovery codes, given by their digests."""
        with self._database.writing() as db:
            db.execute("DELETE FROM recovery_codes WHERE account = ?", (account,))
            insert_codes(db, account, codes)

    def add_passkey(
        self, account: str, passkey: NewPasskey, device: str, challenge: Challenge
    ) -> None:
        """Add a passkey to an account.

        Raises:
            ChallengeRefused: If the challenge was answered before.
            BadPasskey: If the passkey already belongs to an account, or this account has too many.
        """
        with self._database.writing() as db:
            self._use(db, challenge)
            if len(passkeys_of(db, account)) >= _MOST_PASSKEYS:
                raise BadPasskey(
                    t("an account can have at most {most} passkeys", most=_MOST_PASSKEYS)
                )
            insert_passkey(db, account, passkey, device, self._now_ms())

    def remove_passkey(self, account: str, passkey_id: str) -> None:
        """Remove a passkey from an account, unless it is the last one that works.

        Raises:
            BadPasskey: If it is the last one, or there is no passkey with this id.
        """
        with self._database.writing() as db:
            working = [
                to_text(each.key.id) for each in passkeys_of(db, account) if each.locked_ms is None
            ]
            if working == [passkey_id]:
                raise BadPasskey(t("this is your last passkey; add another one first"))
            removed = db.execute(
                "DELETE FROM passkeys WHERE account = ? AND id = ?", (account, passkey_id)
            )
            if not removed.rowcount:
                raise BadPasskey(t("this passkey does not belong to any account"))

    # Single sign-on.

    def use(self, challenge: Challenge) -> None:
        """Record that a challenge was answered.

        Raises:
            ChallengeRefused: If it was answered before.
        """
        with self._database.writing() as db:
            self._use(db, challenge)

    def claim_with_identity(
        self,
        account: str,
        player: str,
        name: Name,
        identity: Identity,
        login: str,
        device: str,
        challenge: Challenge,
        next_guest: str = "",
    ) -> Account:
        """Create an account for a person at a provider, and a login.

        Args:
            account: Its id.
            player: The session whose games become those of the account.
            name: Its name.
            identity: The person.
            login: Digest of the login's token.
            device: The browser and system.
            challenge: The challenge that was answered.
            next_guest: The browser's session after signing out.

        Raises:
            NameTaken: If another account has a name like it.
            ChallengeRefused: If the challenge was answered before, or the person has an account.
            SignedOut: If the session belongs to an account.
        """
        now = self._now_ms()
        with self._database.writing() as db:
            self._use(db, challenge)
            created = _create(db, account, player, name, now, next_guest)
            insert_identity(db, account, identity, now)
            insert_login(db, account, login, device, now)
        return created

    def sign_in_with_identity(self, identity: Identity, login: str, device: str) -> Account | None:
        """Sign in a person at a provider.

        Args:
            identity: The person, whose id token was verified.
            login: Digest of the login's token.
            device: The browser and system.

        Returns:
            The account, or None if the person has none yet.
        """
        with self._database.writing() as db:
            row = db.execute(
                "SELECT account FROM identities WHERE issuer = ? AND subject = ?", identity
            ).fetchone()
            if row is None:
                return None
            insert_login(db, row[0], login, device, self._now_ms())
            return account_of(db, row[0])

    def connect(self, account: str, identity: Identity) -> None:
        """Let a person at a provider sign in to an account.

        Raises:
            ChallengeRefused: If the person has an account, or the account another person.
        """
        with self._database.writing() as db:
            insert_identity(db, account, identity, self._now_ms())

    # Logins, and the deletion of accounts.

    def end_login(self, account: str, login: str) -> None:
        """End a login of an account, given by its digest."""
        with self._database.writing() as db:
            db.execute("DELETE FROM logins WHERE account = ? AND digest = ?", (account, login))

    def replace_login(self, login: str, new: str) -> None:
        """Replace a login by another one of the same account, both given by their digests."""
        with self._database.writing() as db:
            db.execute("UPDATE logins SET digest = ? WHERE digest = ?", (new, login))

    def end_other_logins(self, account: str, login: str) -> None:
        """End all logins of an account except one."""
        with self._database.writing() as db:
            db.execute("DELETE FROM logins WHERE account = ? AND digest <> ?", (account, login))

    def delete(self, account: Account) -> None:
        """Delete an account with all of its player's games and results.

        Servers that have the player in memory forget it within seconds, and delete again anything
        saved in the meantime.
        """
        now = self._now_ms()
        with self._database.erasing() as db:
            SCHEMA.erase(db, Erased(account.player, account.id, account.name, now))
        self._database.erased()

    def delete_player(self, player: str) -> None:
        """Delete all games and results from a player without an account."""
        now = self._now_ms()
        with self._database.erasing() as db:
            SCHEMA.erase(db, Erased(player, now_ms=now))
        self._database.erased()

    def _use(self, db: Connection, challenge: Challenge) -> None:
        """Record that a challenge was answered, and remove expired ones."""
        db.execute("DELETE FROM used_challenges WHERE expires_s < ?", (int(self._clock()),))
        used = db.execute(
            "INSERT INTO used_challenges VALUES (?, ?) ON CONFLICT DO NOTHING", challenge
        )
        if not used.rowcount:
            raise refused()


def _create(
    db: Connection, account: str, player: str, name: Name, now: int, next_guest: str
) -> Account:
    """Create an account with its name."""
    take_name(db, name, account, now)
    made = db.execute(
        "INSERT INTO accounts VALUES (?, ?, ?, ?, NULL) ON CONFLICT DO NOTHING",
        (account, player, name.shown, now),
    )
    if not made.rowcount:
        raise signed_out()
    SCHEMA.claim(db, player)
    if next_guest:
        # A browser has one attempt at a daily board, regardless of the account.
        db.execute(
            "INSERT INTO daily_starts (session, day) "
            "SELECT ?, max(day) FROM daily_starts WHERE session = ? HAVING count(*) > 0",
            (next_guest, player),
        )
    return Account(account, player, name.shown, now, None)
