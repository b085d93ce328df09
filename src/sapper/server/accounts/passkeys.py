"""Passkey ceremonies (WebAuthn): options for browsers, and checks of their responses."""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from importlib.util import find_spec
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

from sapper.server.accounts.errors import BadPasskey, CopiedPasskey, NoPasskeys, not_installed
from sapper.server.accounts.records import NewPasskey, Passkey
from sapper.translation import t

__all__ = [
    "RelyingParty",
    "Response",
    "check_installed",
    "check_registration",
    "check_sign_in",
    "local_address",
    "registration_options",
    "relying_party",
    "sign_in_options",
]

_LOCAL: Final = "localhost"
_HOST: Final = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^:]+)(:(?P<port>\d{1,5}))?", re.ASCII | re.I)
_SITE_NAME: Final = "Sapper"
_TIMEOUT_MS: Final = 240_000
_TRANSPORTS: Final = ("usb", "nfc", "ble", "smart-card", "hybrid", "internal", "cable")

_Result = TypeVar("_Result")
_Given = ParamSpec("_Given")


class RelyingParty(NamedTuple):
    """The site for which passkeys are created.

    Attributes:
        id: Its host name.
        origin: Scheme, name and port of its pages.
    """

    id: str
    origin: str


@dataclass(frozen=True, slots=True)
class Response:
    """The response of a browser, not checked yet.

    Attributes:
        credential: Its JSON form.
        id: The credential id.
        challenge: The challenge that the response claims to answer.
    """

    credential: dict[str, Any]
    id: bytes
    challenge: bytes

    @classmethod
    def of(cls, credential: object) -> Response:
        """Read a response.

        Raises:
            BadPasskey: If the value does not have the form of a response.
        """
        check_installed()
        return _read(credential)


def check_installed() -> None:
    """Check that the extra is installed.

    Raises:
        MissingExtra: If the extra is not installed.
    """
    if find_spec("webauthn") is None:
        raise not_installed()


def relying_party(host: str, scheme: str, sites: Iterable[str] | None) -> RelyingParty:
    """Return the site of a request.

    Args:
        host: The ``Host`` header: a name with or without a port.
        scheme: ``http`` or ``https``.
        sites: The host names that this server serves; None if it serves all, in which case passkeys
            work only on localhost.

    Raises:
        NoPasskeys: If browsers do not support passkeys at this address, or its name is not a known
            one.
    """
    name, _ = _split(host.lower())
    known = {_LOCAL} if sites is None else {_LOCAL, *(site.lower() for site in sites)}
    if name not in known or _is_address(name):
        raise NoPasskeys(t("signing in needs a host name, not an address"))
    if name != _LOCAL:
        # Browsers support passkeys only on encrypted pages, and a proxy may not report the
        # encryption.
        scheme = "https"
    return RelyingParty(name, f"{scheme}://{host.lower()}")


def local_address(host: str, scheme: str) -> str | None:
    """Return the localhost origin for an address of this machine; None for others."""
    name, port = _split(host)
    if not _is_address(name) or not ipaddress.ip_address(name.strip("[]")).is_loopback:
        return None
    return f"{scheme}://{_LOCAL}{port and ':'}{port}"


def _split(host: str) -> tuple[str, str]:
    """Return the name and the port in a ``Host`` header."""
    parts = _HOST.fullmatch(host)
    return (parts["name"], parts["port"] or "") if parts else ("", "")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def registration_options(
    party: RelyingParty,
    challenge: bytes,
    account: str,
    name: str,
    known: Iterable[Passkey] = (),
) -> dict[str, Any]:
    """Return the options with which a browser creates a passkey.

    Args:
        party: The site.
        challenge: The challenge.
        account: Id of the account, to be stored in the passkey.
        name: Name of the account, to be shown by the browser.
        known: The account's existing passkeys, whose devices do not need another.
    """
    check_installed()
    import webauthn
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = webauthn.generate_registration_options(
        rp_id=party.id,
        rp_name=_SITE_NAME,
        user_name=name,
        user_id=account.encode(),
        challenge=challenge,
        timeout=_TIMEOUT_MS,
        authenticator_selection=AuthenticatorSelectionCriteria(
            # Players sign in without a name, so the authenticator must store the account.
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[_descriptor(passkey) for passkey in known],
    )
    return _json(options)


def _descriptor(passkey: Passkey) -> Any:
    from webauthn.helpers.structs import AuthenticatorTransport, PublicKeyCredentialDescriptor

    transports = [AuthenticatorTransport(name) for name in passkey.key.transports]
    return PublicKeyCredentialDescriptor(id=passkey.key.id, transports=transports)


def sign_in_options(party: RelyingParty, challenge: bytes) -> dict[str, Any]:
    """Return the options with which a browser signs in; it offers the passkeys of the site."""
    check_installed()
    import webauthn
    from webauthn.helpers.structs import UserVerificationRequirement

    options = webauthn.generate_authentication_options(
        rp_id=party.id,
        challenge=challenge,
        timeout=_TIMEOUT_MS,
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return _json(options)


def _json(options: Any) -> dict[str, Any]:
    import webauthn

    found: dict[str, Any] = json.loads(webauthn.options_to_json(options))
    return found


def _refusing(check: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
    """Replace every error in a check with a refusal that gives no details."""

    @wraps(check)
    def checking(*args: _Given.args, **named: _Given.kwargs) -> _Result:
        try:
            return check(*args, **named)
        except CopiedPasskey:
            raise
        except Exception:
            # The response is untrusted, and malformed ones raise many kinds of errors.
            raise BadPasskey(t("the passkey could not be verified")) from None

    return checking


@_refusing
def _read(credential: Any) -> Response:
    from webauthn.helpers import base64url_to_bytes

    client_data = base64url_to_bytes(credential["response"]["clientDataJSON"])
    challenge = base64url_to_bytes(json.loads(client_data)["challenge"])
    return Response(credential, base64url_to_bytes(credential["rawId"]), challenge)


@_refusing
def check_registration(party: RelyingParty, response: Response) -> NewPasskey:
    """Verify the response with a new passkey, whose challenge has been checked.

    Raises:
        BadPasskey: If the response cannot be verified, for example because it comes from another
            site.
    """
    import webauthn

    found = webauthn.verify_registration_response(
        credential=response.credential,
        expected_challenge=response.challenge,
        expected_rp_id=party.id,
        expected_origin=party.origin,
    )
    given = response.credential["response"].get("transports") or []
    transports = tuple(name for name in _TRANSPORTS if name in given)
    return NewPasskey(
        found.credential_id, found.credential_public_key, found.sign_count, transports
    )


@_refusing
def check_sign_in(party: RelyingParty, response: Response, passkey: Passkey) -> int:
    """Verify the response of a passkey, whose challenge has been checked; return its counter.

    Raises:
        BadPasskey: If the response cannot be verified.
        CopiedPasskey: If the counter is not higher than the last one.
    """
    import webauthn

    found = webauthn.verify_authentication_response(
        credential=response.credential,
        expected_challenge=response.challenge,
        expected_rp_id=party.id,
        expected_origin=party.origin,
        credential_public_key=passkey.key.public_key,
        # The counter is checked below, to distinguish a copy from other failures.
        credential_current_sign_count=0,
    )
    count = int(found.new_sign_count)
    if (count or passkey.key.sign_count) and count <= passkey.key.sign_count:
        raise copied()
    return count


def copied() -> CopiedPasskey:
    """Return the error for a copied passkey."""
    return CopiedPasskey(
        t(
            "this passkey has been locked, because a copy of it may exist; sign in with another "
            "passkey or a recovery code, and remove it"
        )
    )
