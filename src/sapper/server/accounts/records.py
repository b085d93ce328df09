"""The stored data of accounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = [
    "Account",
    "Ban",
    "Details",
    "Identity",
    "Login",
    "NewPasskey",
    "Passkey",
    "Person",
    "SignedIn",
]


class NewPasskey(NamedTuple):
    """A passkey that has just been created.

    Attributes:
        id: The credential id.
        public_key: Its public key, in COSE form.
        sign_count: The authenticator's counter.
        transports: The transports that browsers use to reach the authenticator.
    """

    id: bytes
    public_key: bytes
    sign_count: int
    transports: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Passkey:
    """A stored passkey.

    Attributes:
        account: Id of its account.
        key: Its id, public key and current counter.
        device: The browser and system that created it.
        created_ms: When it was created, in milliseconds since 1970.
        used_ms: When it was last used, or None.
        locked_ms: When it was locked because a copy of it was used, or None.
    """

    account: str
    key: NewPasskey
    device: str
    created_ms: int
    used_ms: int | None
    locked_ms: int | None


class Account(NamedTuple):
    """An account.

    Attributes:
        id: Its random id, also stored in its passkeys.
        player: The session id under which its games are stored.
        name: The name as shown.
        created_ms: When it was created, in milliseconds since 1970.
        renamed_ms: When it was last renamed, or None.
    """

    id: str
    player: str
    name: str
    created_ms: int
    renamed_ms: int | None


class Login(NamedTuple):
    """A browser that is signed in.

    Attributes:
        digest: Hash of the token in its cookie.
        device: The browser and system.
        created_ms: When it signed in, in milliseconds since 1970.
        seen_ms: When it was last used, accurate to an hour.
    """

    digest: str
    device: str
    created_ms: int
    seen_ms: int


class Identity(NamedTuple):
    """A person at a provider of single sign-on.

    Attributes:
        issuer: The provider's issuer identifier.
        subject: The provider's id of the person.
    """

    issuer: str
    subject: str


class SignedIn(NamedTuple):
    """The account of a browser, and the digest of its login."""

    account: Account
    login: str


class Details(NamedTuple):
    """Everything that belongs to an account.

    Attributes:
        passkeys: Its passkeys.
        codes: The number of recovery codes left.
        logins: The browsers that are signed in.
        identities: Its identities at providers of single sign-on.
        private: Whether its profile is private.
    """

    passkeys: list[Passkey]
    codes: int
    logins: list[Login]
    identities: list[Identity]
    private: bool


class Ban(NamedTuple):
    """The ban of an account.

    Attributes:
        name: The name of the account.
        reason: The operator's reason, shown to the player.
        since_ms: When it began, in milliseconds since 1970.
        until_ms: When it ends, or None.
    """

    name: str
    reason: str
    since_ms: int
    until_ms: int | None


class Person(NamedTuple):
    """A person with an account, as seen by the operator.

    Attributes:
        account: The account.
        seen_ms: When a signed-in browser last visited, accurate to an hour, or None.
        games: The number of finished games.
        ban: Its ban, or None.
    """

    account: Account
    seen_ms: int | None
    games: int
    ban: Ban | None
