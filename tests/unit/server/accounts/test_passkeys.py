"""Registering and signing in with passkeys, using a software authenticator."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("webauthn", reason="the extra accounts is not installed")

from sapper.server.accounts.errors import BadPasskey, CopiedPasskey, NoPasskeys
from sapper.server.accounts.passkeys import (
    RelyingParty,
    Response,
    check_registration,
    check_sign_in,
    local_address,
    registration_options,
    relying_party,
    sign_in_options,
)
from sapper.server.accounts.records import NewPasskey, Passkey
from support.authenticators import SoftAuthenticator

_SITE = RelyingParty("play.example.org", "https://play.example.org")
_CHALLENGE = b"c" * 56


def _stored(key: NewPasskey) -> Passkey:
    return Passkey("account", key, "Firefox, Linux", 0, None, None)


def _registered(device: SoftAuthenticator) -> Passkey:
    options = registration_options(_SITE, _CHALLENGE, "account", "Ann")
    response = Response.of(device.create(options, _SITE.origin))
    assert response.challenge == _CHALLENGE
    return _stored(check_registration(_SITE, response))


def _signed(device: SoftAuthenticator, passkey: Passkey, origin: str = _SITE.origin) -> int:
    options = sign_in_options(_SITE, _CHALLENGE)
    return check_sign_in(_SITE, Response.of(device.sign(options, origin)), passkey)


@pytest.mark.parametrize(
    ("host", "scheme", "party"),
    [
        ("localhost:8000", "http", ("localhost", "http://localhost:8000")),
        ("LOCALHOST", "http", ("localhost", "http://localhost")),
        ("play.example.org", "https", ("play.example.org", "https://play.example.org")),
        # This proxy does not report that the connection is encrypted.
        ("play.example.org", "http", ("play.example.org", "https://play.example.org")),
        ("Play.Example.Org:8443", "https", ("play.example.org", "https://play.example.org:8443")),
    ],
)
def test_site_is_a_host_name_given_by_the_operator(
    host: str, scheme: str, party: tuple[str, str]
) -> None:
    """Passkeys belong to a host name given by the operator, or to localhost."""
    assert relying_party(host, scheme, ("127.0.0.1", "localhost", "play.example.org")) == party


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "[::1]:8000", "evil.example", "", "::1"])
def test_addresses_and_unknown_names_have_no_passkeys(host: str) -> None:
    """A server that accepts any name supports passkeys only at localhost."""
    for sites in (("127.0.0.1", "::1", "localhost"), None):
        with pytest.raises(NoPasskeys, match="host name"):
            relying_party(host, "http", sites)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1:8000", "http://localhost:8000"),
        ("[::1]", "http://localhost"),
        ("127.0.0.1:99999999", None),
        ("192.168.0.1:8000", None),
        ("example.org", None),
        ("a@localhost", None),
    ],
)
def test_local_address_uses_localhost(host: str, address: str | None) -> None:
    """At the local address, the page can link to localhost, where passkeys work."""
    assert local_address(host, "http") == address


def test_counter_must_increase() -> None:
    """A counter that does not rise is refused, unless the authenticator does not count."""
    device = SoftAuthenticator(7)
    passkey = _registered(device)
    assert _signed(device, passkey) == 1
    later = _stored(passkey.key._replace(sign_count=2))
    with pytest.raises(CopiedPasskey, match="copy of it may exist"):
        _signed(device, later)
    assert _signed(device, later) == 3
    silent = SoftAuthenticator(8, count=None)
    passkey = _registered(silent)
    assert _signed(silent, passkey) == _signed(silent, passkey) == 0
    with pytest.raises(CopiedPasskey):
        _signed(silent, _stored(passkey.key._replace(sign_count=1)))


def test_foreign_responses_are_refused_without_details() -> None:
    """The response is for another origin, site, key or challenge."""
    device, thief = SoftAuthenticator(7), SoftAuthenticator(9)
    passkey = _registered(device)
    _registered(thief)
    options = sign_in_options(_SITE, _CHALLENGE)
    forged = device.sign(options, _SITE.origin)
    forged["response"]["clientDataJSON"] = thief.sign(
        sign_in_options(_SITE, b"d" * 56), _SITE.origin
    )["response"]["clientDataJSON"]
    for credential in (
        device.sign(options, "https://evil.example"),
        device.sign(options, "http://play.example.org"),
        device.sign(options | {"rpId": "evil.example"}, _SITE.origin),
        thief.sign(options, _SITE.origin),
        device.create(registration_options(_SITE, _CHALLENGE, "a", "Ann"), _SITE.origin),
        forged,
    ):
        with pytest.raises(BadPasskey) as caught:
            check_sign_in(_SITE, Response.of(credential), passkey)
        assert str(caught.value) == "the passkey could not be verified"
    made = device.create(
        registration_options(_SITE, _CHALLENGE, "a", "Ann"), "https://evil.example"
    )
    with pytest.raises(BadPasskey):
        check_registration(_SITE, Response.of(made))


@pytest.mark.parametrize(
    "credential",
    [
        None,
        [],
        "x",
        {},
        {"response": 1},
        {"rawId": 1, "response": {"clientDataJSON": "e30"}},
        {"rawId": "AA", "response": {"clientDataJSON": "W10"}},
        {"rawId": "AA", "response": {"clientDataJSON": "*"}},
    ],
)
def test_malformed_responses_are_refused(credential: Any) -> None:
    """A malformed response never causes an internal error."""
    with pytest.raises(BadPasskey, match="could not be verified"):
        Response.of(credential)
