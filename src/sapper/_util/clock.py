"""The time of day, if this machine's clock is set.

A computer without a clock battery, such as a Raspberry Pi, shows 1970 until it connects to a
network. Games may be played and saved before that.
"""

from __future__ import annotations

import time
from typing import Final

__all__ = ["EARLIEST_MS", "LATEST_MS", "YEARS", "known_ms", "now_ms"]

YEARS: Final = range(2000, 2100)
"""Years in which the clock counts as set."""
EARLIEST_MS: Final = 946_684_800_000
"""Start of the first of these years, in milliseconds since 1970."""
LATEST_MS: Final = 4_102_444_800_000
"""End of the last of these years. Time zone data does not extend much further."""


def now_ms() -> int:
    """Return the milliseconds since 1970 (UTC); 0 if the clock is not set."""
    return known_ms(time.time_ns() // 1_000_000)


def known_ms(ms: int) -> int:
    """Return a clock reading, or 0 if the clock was not set.

    >>> known_ms(1_700_000_000_000), known_ms(5_000), known_ms(2**50)
    (1700000000000, 0, 0)
    """
    return ms if EARLIEST_MS <= ms < LATEST_MS else 0
