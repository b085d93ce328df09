"""The pages of leaderboards and rating lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

__all__ = ["PAGE_ROWS", "first_row", "limited_to"]

PAGE_ROWS: Final = 100
"""Maximum number of rows on a page."""


def first_row(start: int | None, number: int) -> int:
    """Return the number of the first row of a page, from 1.

    Args:
        start: The requested number; None for the page with the player's row in the middle.
        number: The number of the player's row.
    """
    return start or max(1, number - PAGE_ROWS // 2)


def limited_to(column: str, players: Sequence[str] | None) -> tuple[str, tuple[str, ...]]:
    """Return an SQL condition on a column and its values; both are empty if players is None."""
    if players is None:
        return "", ()
    return f" AND {column} IN ({', '.join('?' * len(players))})", tuple(players)
