"""The tables of accounts, and their rows.

The functions run in the current transaction. Binary values are stored in base64url.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sapper.database.connection import Connection
from sapper.database.tables import Export, Table
from sapper.server.accounts.challenges import refused
from sapper.server.accounts.errors import BadPasskey, NameTaken
from sapper.server.accounts.names import Name
from sapper.server.accounts.records import Account, Identity, NewPasskey, Passkey
from sapper.server.storage.bans import SCHEMA as BAN_SCHEMA
from sapper.server.storage.bans import check_not_banned
from sapper.server.storage.feature_tables import Erased, FeatureTables, Pruning
from sapper.translation import t

__all__ = [
    "ACCOUNT_COLUMNS",
    "DAY_MS",
    "IDENTITIES",
    "LOGIN_DAYS",
    "PASSKEY_COLUMNS",
    "SCHEMA",
    "TABLES",
    "account_of",
    "check_free",
    "identities_of",
    "insert_codes",
    "insert_identity",
    "insert_login",
    "insert_passkey",
    "passkey_of_row",
    "passkeys_of",
    "take_name",
    "to_text",
]

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS accounts (
    id TEXT PRIMARY KEY,
    player TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    renamed_ms INTEGER
);
-- The looks of current names and, for a limited time, of former names.
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

IDENTITIES: Final = """
-- The people at providers of single sign-on who have accounts, one per provider and account.
CREATE TABLE IF NOT EXISTS identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    account TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE UNIQUE INDEX IF NOT EXISTS identities_by_account ON identities (account, issuer);
"""

_ACCOUNT: Final = Export("account.json")
_SHOWN: Final = Export("account.json", own_form=True)
"""These tables are exported without keys and codes, as on the Account page."""

_WITHOUT_IDS: Final = """
-- Until this version, the ids of erased players, which no server has in memory after an update.
DELETE FROM removed_players;
"""

ACCOUNT_COLUMNS: Final = "accounts.id, player, name, accounts.created_ms, renamed_ms"
PASSKEY_COLUMNS: Final = (
    "account, id, public_key, sign_count, transports, device, created_ms, used_ms, locked_ms"
)

LOGIN_DAYS: Final = 90
"""Days after which an unused login expires."""
DAY_MS: Final = 86_400_000
_MOST_LOGINS: Final = 50


def _note_erased(db: Connection, erased: Erased) -> None:
    """Let servers that have the player in memory forget it."""
    db.execute("DELETE FROM removed_players WHERE removed_ms < ?", (erased.now_ms - DAY_MS,))
    db.execute(
        "INSERT INTO removed_players VALUES (?, ?) ON CONFLICT (player) DO UPDATE "
        "SET removed_ms = excluded.removed_ms",
        (erased.alias, erased.now_ms),
    )


def _prune(db: Connection, pruning: Pruning) -> None:
    """Delete what has expired."""
    now = pruning.now_ms
    db.execute("DELETE FROM account_names WHERE until_ms <= ?", (now,))
    db.execute("DELETE FROM logins WHERE seen_ms < ?", (now - LOGIN_DAYS * DAY_MS,))
    db.execute("DELETE FROM used_challenges WHERE expires_s < ?", (now // 1000,))
    db.execute("DELETE FROM removed_players WHERE removed_ms < ?", (now - DAY_MS,))


TABLES: Final = FeatureTables(
    {4: SCHEMA, 5: BAN_SCHEMA, 6: IDENTITIES, 11: _WITHOUT_IDS},
    (
        Table("accounts", account=("id",), mentions=("player",), export=_SHOWN),
        Table("account_names", account=("account",), export=_ACCOUNT),
        Table("passkeys", account=("account",), export=_SHOWN),
        Table("recovery_codes", account=("account",), export=_SHOWN),
        Table("logins", account=("account",), export=_SHOWN),
        Table("used_challenges"),
        Table("identities", account=("account",), export=_SHOWN),
        Table("bans", account=("account",), export=_ACCOUNT),
        Table("removed_players"),
    ),
    on_erase=_note_erased,
    on_prune=_prune,
)


def account_of(db: Connection, account: str) -> Account:
    """Return an account by its id."""
    row = db.execute(f"SELECT {ACCOUNT_COLUMNS} FROM accounts WHERE id = ?", (account,)).fetchone()
    return Account(*row)


def check_free(db: Connection, name: Name, account: str, now: int) -> None:
    """Check that no other account has a name that looks like this one.

    Raises:
        NameTaken: If another account has such a name.
    """
    for look in sorted(name.looks):
        row = db.execute(
            "SELECT 1 FROM account_names WHERE look = ? AND account <> ? "
            "AND (until_ms IS NULL OR until_ms > ?)",
            (look, account, now),
        ).fetchone()
        if row is not None:
            raise NameTaken(t("this name is taken, or looks like one that is"))


def take_name(db: Connection, name: Name, account: str, now: int) -> None:
    """Give a name to an account.

    Raises:
        NameTaken: If another account has a name like it.
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


def insert_passkey(
    db: Connection, account: str, passkey: NewPasskey, device: str, now: int
) -> None:
    """Add a passkey.

    Raises:
        BadPasskey: If the session already belongs to an account.
    """
    row = (
        to_text(passkey.id),
        account,
        to_text(passkey.public_key),
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


def insert_identity(db: Connection, account: str, identity: Identity, now: int) -> None:
    """Add an identity.

    Raises:
        ChallengeRefused: If it belongs to an account, or the account has another one.
    """
    added = db.execute(
        "INSERT INTO identities VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (*identity, account, now),
    )
    if not added.rowcount:
        raise refused()


def identities_of(db: Connection, account: str) -> list[Identity]:
    """Return the identities of an account."""
    rows = db.execute(
        "SELECT issuer, subject FROM identities WHERE account = ? ORDER BY issuer", (account,)
    )
    return [Identity(*row) for row in rows.fetchall()]


def insert_codes(db: Connection, account: str, codes: Iterable[str]) -> None:
    """Add recovery codes, given by their digests."""
    db.executemany("INSERT INTO recovery_codes VALUES (?, ?)", [(code, account) for code in codes])


def insert_login(db: Connection, account: str, login: str, device: str, now: int) -> None:
    """Add a login; remove expired ones and, if there are too many, the oldest.

    Raises:
        Banned: If the account is banned.
    """
    check_not_banned(db, account, now)
    db.execute("INSERT INTO logins VALUES (?, ?, ?, ?, ?)", (login, account, device, now, now))
    db.execute("DELETE FROM logins WHERE seen_ms < ?", (now - LOGIN_DAYS * DAY_MS,))
    db.execute(
        "DELETE FROM logins WHERE account = ? AND digest NOT IN (SELECT digest FROM logins "
        "WHERE account = ? ORDER BY seen_ms DESC, digest LIMIT ?)",
        (account, account, _MOST_LOGINS),
    )


def passkeys_of(db: Connection, account: str) -> list[Passkey]:
    """Return the passkeys of an account, oldest first."""
    rows = db.execute(
        f"SELECT {PASSKEY_COLUMNS} FROM passkeys WHERE account = ? ORDER BY created_ms, id",
        (account,),
    )
    return [passkey_of_row(row) for row in rows.fetchall()]


def passkey_of_row(row: Sequence[Any]) -> Passkey:
    """Return the passkey in a row with `PASSKEY_COLUMNS`."""
    account, passkey_id, public_key, count, transports, device, created, used, locked = row
    names = tuple(filter(None, transports.split(",")))
    key = NewPasskey(_to_bytes(passkey_id), _to_bytes(public_key), count, names)
    return Passkey(account, key, device, created, used, locked)


def to_text(data: bytes) -> str:
    """Return the stored form of binary data."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _to_bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
