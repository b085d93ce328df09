"""Account errors."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Self

from sapper._util.installing import pip_install
from sapper._util.shortening import shown
from sapper.errors import MissingExtra, SapperError
from sapper.server.accounts.records import Ban
from sapper.translation import t

__all__ = [
    "BadCode",
    "BadName",
    "BadPasskey",
    "Banned",
    "ChallengeRefused",
    "CopiedPasskey",
    "NameTaken",
    "NoPasskeys",
    "NoSuchPerson",
    "SignedOut",
    "TooSoon",
    "banned",
    "not_installed",
    "signed_out",
]


class BadName(SapperError, ValueError):
    """The name is not allowed."""

    code = "bad_name"


class NameTaken(SapperError, ValueError):
    """Another account has this name or one that looks like it."""

    code = "name_taken"


class TooSoon(SapperError, RuntimeError):
    """The account was renamed a short time ago."""

    code = "too_soon"


class NoPasskeys(SapperError, RuntimeError):
    """Browsers do not offer passkeys at this address."""

    code = "no_passkeys"


class BadPasskey(SapperError, PermissionError):
    """The passkey is unknown, or its response cannot be verified."""

    code = "bad_passkey"


class CopiedPasskey(SapperError, PermissionError):
    """The authenticator's counter shows that the passkey was copied."""

    code = "copied_passkey"


class ChallengeRefused(SapperError, PermissionError):
    """The challenge has expired, has already been answered, or is not for this browser."""

    code = "bad_challenge"


class BadCode(SapperError, PermissionError):
    """The recovery code is wrong or has already been used."""

    code = "bad_code"


class SignedOut(SapperError, PermissionError):
    """The request needs an account, but the browser is not signed in."""

    code = "signed_out"


class Banned(SapperError, PermissionError):
    """The operator has banned the account."""

    code = "banned"


class NoSuchPerson(SapperError, LookupError):
    """No account has this name or id."""

    code = "no_such_person"

    @classmethod
    def named(cls, text: str) -> Self:
        """Return the error for a name or id."""
        return cls(f"no account has the name or id {shown(text)}; see sapper admin people list")


def banned(ban: Ban) -> Banned:
    """Return the error for a banned account."""
    if ban.until_ms is None:
        return Banned(t("this account is banned (reason: {reason})", reason=ban.reason))
    day = datetime.fromtimestamp(ban.until_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    return Banned(
        t("this account is banned until {date} (reason: {reason})", date=day, reason=ban.reason)
    )


def signed_out() -> SignedOut:
    """Return the error for a browser that is not signed in."""
    return SignedOut(t("you are not signed in"))


def not_installed() -> MissingExtra:
    """Return the error for a server without the libraries for accounts."""
    return MissingExtra(f"accounts are not installed: {pip_install('accounts')}")
