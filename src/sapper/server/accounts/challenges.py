"""Challenges: random, signed, bound to a browser and a purpose, and valid for a few minutes.

A challenge contains its expiry time, so nothing is stored until it is answered and recorded as
used.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from typing import Final

from sapper.server.accounts.errors import ChallengeRefused
from sapper.translation import t

__all__ = ["LIFETIME_S", "Challenges"]

LIFETIME_S: Final = 300
"""How long a challenge is valid, in seconds."""

_NONCE: Final = 16
_TIME: Final = 8


class Challenges:
    """Issues challenges and checks answers to them.

    Args:
        secret: The key that signs challenges.
        clock: Seconds since 1970.
        random: Function that returns a number of random bytes.
    """

    def __init__(
        self, secret: bytes, clock: Callable[[], float], random: Callable[[int], bytes]
    ) -> None:
        self._key = hmac.digest(secret, b"challenges of passkeys", hashlib.sha256)
        self._clock, self._random = clock, random

    def issue(self, purpose: str, bound_to: str, lifetime_s: int | None = None) -> bytes:
        """Return a challenge.

        Args:
            purpose: The purpose of the response.
            bound_to: The id of the browser or account that may answer it.
            lifetime_s: How long it is valid, in seconds (default: `LIFETIME_S`).
        """
        expires = int(self._clock()) + (LIFETIME_S if lifetime_s is None else lifetime_s)
        body = self._random(_NONCE) + expires.to_bytes(_TIME, "big")
        return body + self._signature(body, purpose, bound_to)

    def expiry_of(self, challenge: bytes, purpose: str, bound_to: str) -> int:
        """Return when a valid challenge expires, in seconds since 1970.

        Raises:
            ChallengeRefused: If the challenge has expired or was issued for another purpose.
        """
        body = challenge[: _NONCE + _TIME]
        expires = int.from_bytes(body[_NONCE:], "big")
        signature = self._signature(body, purpose, bound_to)
        if not hmac.compare_digest(challenge[len(body) :], signature) or expires < self._clock():
            raise refused()
        return expires

    def _signature(self, body: bytes, purpose: str, bound_to: str) -> bytes:
        return hmac.digest(self._key, body + f"{purpose} {bound_to}".encode(), hashlib.sha256)


def refused() -> ChallengeRefused:
    """Return the error for an invalid challenge."""
    return ChallengeRefused(t("this request has expired or has already been used; try again"))
