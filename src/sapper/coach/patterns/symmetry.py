"""The eight symmetries of the square, numbered from 0 (none) to 7."""

from __future__ import annotations

from typing import Final

__all__ = ["SYMMETRIES", "turned", "turned_place"]

SYMMETRIES: Final = range(8)
"""Bit 2 swaps rows and columns, then bit 0 mirrors the columns and bit 1 the rows."""


def turned(rows: tuple[str, ...], symmetry: int) -> tuple[str, ...]:
    """Return a picture after a symmetry.

    >>> turned(("12", "34"), 5)
    ('31', '42')
    """
    if symmetry & 4:
        rows = tuple(map("".join, zip(*rows, strict=True)))
    if symmetry & 1:
        rows = tuple(row[::-1] for row in rows)
    return rows[::-1] if symmetry & 2 else rows


def turned_place(place: tuple[int, int], height: int, width: int, symmetry: int) -> tuple[int, int]:
    """Return the new location of a cell in a picture of this height and width."""
    row, col = place
    if symmetry & 4:
        row, col, height, width = col, row, width, height
    if symmetry & 1:
        col = width - 1 - col
    return (height - 1 - row if symmetry & 2 else row), col
