"""Room codes, which people read out and type."""

from __future__ import annotations

import secrets
from typing import Final

__all__ = ["new_code", "parse_code"]

_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without letters and digits that are easily confused: I, L, O, 0 and 1."""
_LENGTH: Final = 6


def new_code() -> str:
    """Return a random code, one of 31**6 (887 million)."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def parse_code(text: str) -> str | None:
    """Return the code in a string in either case, or None.

    >>> parse_code("k7qm3x"), parse_code("K7QM30")
    ('K7QM3X', None)
    """
    code = text.upper()
    return code if len(code) == _LENGTH and set(code) <= set(_LETTERS) else None
