"""The reason and the end of a ban, given as options of operator commands."""

from __future__ import annotations

from typing import Annotated, Final

from sapper._util.shortening import shown
from sapper.cli.signatures import Option
from sapper.errors import BadSetting

__all__ = ["Reason", "Until", "checked_reason"]

_LONGEST: Final = 200

Reason = Annotated[str, Option(metavar="TEXT", help="Reason; the player sees it.")]
Until = Annotated[
    str | None,
    Option(
        metavar="WHEN",
        help="End: a duration such as 7d, or a local date and time such as 2030-01-31T18:00 "
        "(default: until it is unbanned).",
    ),
]


def checked_reason(given: str) -> str:
    """Return a reason on one line.

    Raises:
        BadSetting: If it is empty, too long or not printable.
    """
    text = " ".join(given.split())
    if not text.isprintable() or not 1 <= len(text) <= _LONGEST:
        raise BadSetting(
            f"--reason: expected 1 to {_LONGEST} printable characters, got {shown(given)}"
        )
    return text
