"""Recovery codes: random, stored only as hashes, and valid once each."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

__all__ = ["CODES", "digest_of", "new_codes"]

CODES: Final = 8
"""Number of codes per account."""

_BYTES: Final = 10
_DIGITS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32, without letters that look like digits."""
_LENGTH: Final = _BYTES * 8 // 5
_READ_AS: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": "", " ": ""})
_LONGEST: Final = 100


def new_codes(random: Callable[[int], bytes]) -> list[str]:
    """Return new codes, in groups of four characters.

    Args:
        random: Function that returns a number of random bytes.
    """
    return [_written(random(_BYTES)) for _ in range(CODES)]


def _written(data: bytes) -> str:
    number = int.from_bytes(data, "big")
    digits = "".join(_DIGITS[number >> 5 * at & 31] for at in reversed(range(_LENGTH)))
    return "-".join(digits[at : at + 4] for at in range(0, _LENGTH, 4))


def digest_of(code: str) -> bytes | None:
    """Return the hash of a code as typed by a person; None if the text cannot be a code.

    A code has 80 random bits, so a fast hash is enough.
    """
    digits = code[:_LONGEST].upper().translate(_READ_AS)
    if len(digits) != _LENGTH or not set(digits) <= set(_DIGITS):
        return None
    return hashlib.sha256(b"recovery code " + digits.encode()).digest()
