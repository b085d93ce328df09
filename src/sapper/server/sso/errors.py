"""Single sign-on errors."""

from __future__ import annotations

from sapper._util.installing import pip_install
from sapper.errors import MissingExtra, SapperError

__all__ = ["ProviderFailed", "SignInRefused", "UnknownKey", "Untrusted", "not_installed"]


class ProviderFailed(SapperError, RuntimeError):
    """The provider does not respond, or its response cannot be used."""

    code = "provider_failed"


class SignInRefused(SapperError, PermissionError):
    """The provider refused the sign-in, or its id token is not valid."""

    code = "sign_in_refused"


class Untrusted(Exception):
    """A response from the provider cannot be used; the message is for the log."""


class UnknownKey(Untrusted):
    """An id token is signed with an unknown key."""


def not_installed() -> MissingExtra:
    """Return the error for a server without the libraries for single sign-on."""
    return MissingExtra(f"single sign-on is not installed: {pip_install('sso')}")
