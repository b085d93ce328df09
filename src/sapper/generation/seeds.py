"""Seeds: the source of every random result in Sapper."""

from __future__ import annotations

from hashlib import blake2b

from sapper._util.arguments import SEEDS, seed_of, seed_or_new

__all__ = ["SEEDS", "check_seed", "new_seed", "substream"]


def new_seed() -> int:
    """Return a new seed from the system, below 2**53 so that JavaScript reads it exactly."""
    return seed_or_new(None)


def check_seed(seed: object) -> int:
    """Return the seed if it is an integer from 0 to 2**64 - 1.

    Raises:
        BadSetting: If the seed is anything else.
    """
    return seed_of(seed)


def substream(seed: int, purpose: str, number: int = 0) -> int:
    """Derive a seed for one purpose from a game's seed, unrelated to the seeds for other purposes.

    It is the first 8 bytes, little-endian, of the BLAKE2b hash (8-byte digest) of the ASCII
    text ``"SEED/PURPOSE/NUMBER"``. This never changes, so a seed always gives the same game.

    >>> substream(7, "deal") == substream(7, "deal") != substream(8, "deal")
    True
    """
    text = f"{seed}/{purpose}/{number}".encode("ascii")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little")
