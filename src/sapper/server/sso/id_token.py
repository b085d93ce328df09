"""Check the provider's id tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sapper.server.sso.errors import UnknownKey, Untrusted
from sapper.server.sso.settings import SsoSettings

if TYPE_CHECKING:
    from joserfc.jwk import KeySet

__all__ = ["ALGORITHMS", "Person", "keys_of", "person_of"]

ALGORITHMS: Final = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512"),
)
"""Accepted signatures: with a public key only, never ``none`` or a shared secret."""

_LEEWAY_S: Final = 60
"""Difference allowed between the clocks of the provider and of this machine."""
_KINDS: Final = ("RSA", "EC")
_MOST_KEYS: Final = 100
_MOST_SUBJECT: Final = 255
_MOST_NAME: Final = 100
_NAMES: Final = ("preferred_username", "nickname", "name")


class Person(NamedTuple):
    """The person who signed in.

    Attributes:
        subject: The provider's id of the person, which never changes.
        names: Suggestions for the person's name, not checked yet.
    """

    subject: str
    names: tuple[str, ...]


def keys_of(document: Mapping[str, Any]) -> KeySet:
    """Return the public keys for signatures in a JSON Web Key Set; others are ignored.

    Raises:
        Untrusted: If there are no such keys, or too many.
    """
    from joserfc.jwk import ECKey, Key, KeySet, RSAKey

    listed = document.get("keys")
    if not isinstance(listed, list) or len(listed) > _MOST_KEYS:
        raise Untrusted("the document with the keys has no list of keys, or a long one")
    keys: list[Key] = []
    for each in listed:
        if not isinstance(each, dict) or each.get("kty") not in _KINDS:
            continue
        if each.get("use", "sig") != "sig":
            continue
        try:
            keys.append((RSAKey if each["kty"] == "RSA" else ECKey).import_key(each))
        except Exception:
            # A malformed key, or one on an unknown curve, must not make the other keys unusable.
            continue
    if not keys:
        raise Untrusted("the document with the keys has no usable key")
    return KeySet(keys)


def person_of(
    token: object,
    access_token: object,
    keys: KeySet,
    settings: SsoSettings,
    nonce: str,
) -> Person:
    """Return the person in a valid id token.

    Args:
        token: The id token.
        access_token: The access token that was issued with it.
        keys: The provider's keys.
        settings: The provider, and this site as its client.
        nonce: The nonce of the request.

    Raises:
        UnknownKey: If the token is signed with a key that is not in `keys`.
        Untrusted: If the token is invalid.
    """
    from authlib.oidc.core import CodeIDToken
    from joserfc import jwt
    from joserfc.errors import InvalidKeyIdError
    from joserfc.jws import JWSRegistry

    if not isinstance(token, str):
        raise Untrusted("the response of the token endpoint has no id token")
    try:
        registry = JWSRegistry(algorithms=list(ALGORITHMS), strict_check_header=False)
        read = jwt.decode(token, keys, registry=registry)
        options: Any = {
            "iss": {"essential": True, "value": settings.issuer},
            "aud": {"essential": True, "value": settings.client_id},
            "sub": {"essential": True},
        }
        given: dict[str, Any] = {"nonce": nonce, "client_id": settings.client_id}
        if isinstance(access_token, str):
            given["access_token"] = access_token
        claims = CodeIDToken(read.claims, read.header, options, given)
        claims.validate(leeway=_LEEWAY_S)
    except InvalidKeyIdError:
        raise UnknownKey("the id token is signed with an unknown key") from None
    except Exception as problem:
        # The token is untrusted, and malformed ones raise many kinds of errors.
        raise Untrusted(f"the id token is not valid ({type(problem).__name__})") from None
    subject = claims["sub"]
    if not isinstance(subject, str) or not 0 < len(subject) <= _MOST_SUBJECT:
        raise Untrusted("the id token has no subject of 1 to 255 characters")
    if not subject.isprintable():
        # Some of these characters are not accepted by databases or UTF-8.
        raise Untrusted("the id token has a subject with characters that cannot be printed")
    return Person(subject, tuple(_names(claims)))


def _names(claims: Mapping[str, Any]) -> list[str]:
    """Return the names in claims; of an e-mail address, the part before the @."""
    found = [claims.get(claim) for claim in _NAMES]
    return [name[:_MOST_NAME].partition("@")[0] for name in found if isinstance(name, str)]
