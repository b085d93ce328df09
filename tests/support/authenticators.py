"""A software authenticator, and the responses that a browser makes from it."""

from __future__ import annotations

import hashlib
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

__all__ = ["SoftAuthenticator"]

_PRESENT_AND_VERIFIED = 0b101
_WITH_KEY = 0b0100_0000


class SoftAuthenticator:
    """A passkey with a counter.

    Args:
        number: Its private key, so that tests are the same in every run.
        count: Its counter; None if it does not count.
    """

    def __init__(self, number: int, count: int | None = 0) -> None:
        self._key = ec.derive_private_key(number, ec.SECP256R1())
        self._id = hashlib.sha256(b"id %d" % number).digest()[:16]
        self.count = count
        self._account = b""

    def create(self, options: dict[str, Any], origin: str) -> dict[str, Any]:
        """Return the response to registration options."""
        self._account = _bytes(options["user"]["id"])
        point = self._key.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (point.x, point.y))
        public_key = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        known = bytes(16) + len(self._id).to_bytes(2, "big") + self._id + public_key
        data = self._data(options["rp"]["id"], _WITH_KEY) + known
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = _client("webauthn.create", options["challenge"], origin)
        return self._credential(
            {"clientDataJSON": _text(client), "attestationObject": _text(attestation)}
        )

    def sign(self, options: dict[str, Any], origin: str) -> dict[str, Any]:
        """Return the response to sign-in options."""
        if self.count is not None:
            self.count += 1
        client = _client("webauthn.get", options["challenge"], origin)
        data = self._data(options["rpId"])
        signed = data + hashlib.sha256(client).digest()
        return self._credential(
            {
                "clientDataJSON": _text(client),
                "authenticatorData": _text(data),
                "signature": _text(self._key.sign(signed, ec.ECDSA(SHA256()))),
                "userHandle": _text(self._account),
            }
        )

    def _data(self, site: str, flags: int = 0) -> bytes:
        count = (self.count or 0).to_bytes(4, "big")
        return (
            hashlib.sha256(site.encode()).digest() + bytes([_PRESENT_AND_VERIFIED | flags]) + count
        )

    def _credential(self, response: dict[str, str]) -> dict[str, Any]:
        name = _text(self._id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response}


def _client(kind: str, challenge: str, origin: str) -> bytes:
    return json.dumps({"type": kind, "challenge": challenge, "origin": origin}).encode()


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
