"""The time of day, as far as this machine's clock can be believed.

A computer without a battery for its clock, such as a Raspberry Pi, starts in 1970 and is set once
it finds a network. Games are played and saved before that, too.
"""

from __future__ import annotations

import time
from typing import Final

__all__ = ["EARLIEST_MS", "LATEST_MS", "YEARS", "known_ms", "now_ms"]

YEARS: Final = range(2000, 2100)
"""The years in which a clock is taken to be set."""
EARLIEST_MS: Final = 946_684_800_000
"""The beginning of the first of these years, in milliseconds since 1970."""
LATEST_MS: Final = 4_102_444_800_000
"""The end of the last one. Time zones know nothing about much later days."""


def now_ms() -> int:
    """Return the milliseconds since 1970 (UTC); 0 if the clock is not set."""
    return known_ms(time.time_ns() // 1_000_000)


def known_ms(ms: int) -> int:
    """Return a time that a clock told; 0 if the clock was not set.

    >>> known_ms(1_700_000_000_000), known_ms(5_000), known_ms(2**50)
    (1700000000000, 0, 0)
    """
    return ms if EARLIEST_MS <= ms < LATEST_MS else 0
