"""The operator's settings for single sign-on."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from sapper._util.shortening import shown
from sapper.errors import BadSetting

__all__ = ["SECRET_VARIABLE", "SsoSettings", "is_safe", "read_settings"]

SECRET_VARIABLE: Final = "SAPPER_SSO_SECRET"
"""The environment variable with the client secret."""

_SCOPES: Final = "openid profile"
_MOST_NAME: Final = 40
_MOST_SECRET: Final = 2_000


@dataclass(frozen=True, slots=True)
class SsoSettings:
    """The provider, and this site as its client.

    Attributes:
        issuer: The provider's issuer identifier, a URL.
        client_id: The client id of this site.
        client_secret: The client secret.
        name: Name of the provider, as shown to players.
        scopes: The requested scopes, separated by spaces.
    """

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    name: str
    scopes: str = _SCOPES


def is_safe(url: object) -> bool:
    """Return whether a URL uses HTTPS, or HTTP on this machine."""
    if not isinstance(url, str):
        return False
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        valid = bool(host) and parts.port != 0 and parts.username is None and not parts.fragment
    except ValueError:
        return False
    return valid and (parts.scheme == "https" or (parts.scheme == "http" and _is_local(host)))


def _is_local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def read_settings(
    issuer: str | None,
    client_id: str | None = None,
    secret_file: Path | None = None,
    name: str | None = None,
    scopes: str | None = None,
) -> SsoSettings | None:
    """Return the settings, or None without an issuer.

    Args:
        issuer: The provider's issuer identifier.
        client_id: The client id of this site.
        secret_file: The file with the client secret (default: the variable `SECRET_VARIABLE`).
        name: Name of the provider (default: its host name).
        scopes: The requested scopes (default: ``openid profile``).

    Raises:
        BadSetting: If a setting is missing or invalid.
    """
    if not issuer:
        if client_id or secret_file or name or scopes:
            raise BadSetting("single sign-on needs --sso-issuer")
        return None
    if not is_safe(issuer) or urlsplit(issuer).query:
        raise BadSetting(
            f"--sso-issuer: expected an https URL without a query, got {shown(issuer)}"
        )
    if not client_id:
        raise BadSetting("single sign-on needs --sso-client, the client id of this site")
    name = name or urlsplit(issuer).hostname or ""
    if not name.isprintable() or len(name) > _MOST_NAME:
        raise BadSetting(
            f"--sso-name: expected at most {_MOST_NAME} characters in one line, got {shown(name)}"
        )
    chosen = (scopes or _SCOPES).split()
    if "openid" not in chosen:
        raise BadSetting(f"--sso-scopes must include openid, got {shown(scopes)}")
    return SsoSettings(issuer, client_id, _secret(secret_file), name, " ".join(chosen))


def _secret(file: Path | None) -> str:
    """Return the client secret, which messages must not repeat."""
    if file is None:
        secret = os.environ.get(SECRET_VARIABLE, "")
        if not secret:
            raise BadSetting(
                f"single sign-on needs the client secret: set {SECRET_VARIABLE} or "
                "--sso-secret-file"
            )
        return secret
    try:
        with file.open(encoding="utf-8") as opened:
            secret = opened.read(_MOST_SECRET + 1).strip()
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "it is not a text"
        raise BadSetting(f"--sso-secret-file: cannot read {shown(str(file))}: {reason}") from None
    if not secret or len(secret) > _MOST_SECRET:
        raise BadSetting(
            f"--sso-secret-file: {shown(str(file))} must have 1 to {_MOST_SECRET} characters"
        )
    return secret
