"""Durations and moments on the command line."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from sapper._util.shortening import shown
from sapper.errors import BadSetting

__all__ = ["moment_ms", "parse_duration_ms", "shown_moment"]

_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_DURATION: Final = re.compile(r"(\d{1,6})([smhd])", re.ASCII)
_LATEST_MS: Final = 253_370_764_800_000
"""The year 9999."""


def parse_duration_ms(option: str, text: str) -> int:
    """Return a positive duration such as ``90s``, ``10m``, ``2h`` or ``7d`` in milliseconds.

    Args:
        option: The option, for the message.
        text: The duration.

    Raises:
        BadSetting: If the text is not a positive duration.
    """
    match = _DURATION.fullmatch(text.strip())
    if match is None or not int(match[1]):
        raise BadSetting(
            f"{option}: expected a duration such as 90s, 10m, 2h or 7d, got {shown(text)}"
        )
    return int(match[1]) * _SECONDS[match[2]] * 1000


def moment_ms(option: str, text: str, now_ms: int) -> int:
    """Return a later moment in milliseconds since 1970.

    Args:
        option: The option, for the messages.
        text: A duration from now, or a date with an optional time in local time.
        now_ms: The current time.

    Raises:
        BadSetting: If the text is neither, or the moment has passed.
    """
    if _DURATION.fullmatch(text.strip()):
        return now_ms + parse_duration_ms(option, text)
    try:
        found = int(datetime.fromisoformat(text.strip()).astimezone().timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        raise BadSetting(
            f"{option}: expected a duration such as 7d, a date such as 2030-01-31, or a date and "
            f"time such as 2030-01-31T18:00, got {shown(text)}"
        ) from None
    if not now_ms < found < _LATEST_MS:
        raise BadSetting(f"{option}: expected a time in the future, got {shown(text)}")
    return found


def shown_moment(ms: int | None) -> str:
    """Return a moment in local time, accurate to a minute, or ``-`` for None."""
    if ms is None:
        return "-"
    return datetime.fromtimestamp(ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M")
