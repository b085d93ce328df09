"""What is wrong with a replay file, in the words of players; all readers of formats use these."""

from __future__ import annotations

from sapper.errors import BadReplay
from sapper.translation import t

__all__ = [
    "cut_short",
    "misplaced_mine",
    "no_board",
    "no_cells",
    "no_events",
    "no_pixels",
    "repeated_mine",
    "unknown_event",
    "wrong_row",
    "wrong_total",
    "wrong_version",
]


def cut_short() -> BadReplay:
    """Return the error for a file that ends before its content does."""
    return BadReplay(t("the file ends too early"))


def no_events() -> BadReplay:
    """Return the error for a file without events."""
    return BadReplay(t("the file has no events"))


def no_board() -> BadReplay:
    """Return the error for a file without a board."""
    return BadReplay(t("the file has no board"))


def no_cells(width: int, height: int) -> BadReplay:
    """Return the error for a board without cells."""
    size = f"{width}x{height}"
    return BadReplay(t("a board needs at least one row and one column, got {size}", size=size))


def no_pixels() -> BadReplay:
    """Return the error for cells without a size."""
    return BadReplay(t("the cells of the board have a size of 0 pixels"))


def misplaced_mine(row: int, col: int, width: int, height: int) -> BadReplay:
    """Return the error for a mine off the board, given its row and column, counted from 0."""
    return BadReplay(
        t(
            "a mine at row {row}, column {column} is off the board of {size}",
            row=row + 1,
            column=col + 1,
            size=f"{width}x{height}",
        )
    )


def repeated_mine(row: int, col: int) -> BadReplay:
    """Return the error for a mine that is listed twice."""
    return BadReplay(
        t("the mine at row {row}, column {column} is listed twice", row=row + 1, column=col + 1)
    )


def wrong_row(row: int, found: int, width: int) -> BadReplay:
    """Return the error for a row of a wrong length, given its number, counted from 0."""
    return BadReplay(
        t(
            "row {row} of the board has {found} cells instead of {width}",
            row=row + 1,
            found=found,
            width=width,
        )
    )


def wrong_total(stated: int | str, found: int) -> BadReplay:
    """Return the error for a mine total that is not that of the board."""
    return BadReplay(
        t("the file says {stated} mines, but its board has {found}", stated=stated, found=found)
    )


def wrong_version(first: int, last: int, version: int) -> BadReplay:
    """Return the error for an unknown version of a format."""
    return BadReplay(
        t(
            "the version of the format must be between {first} and {last}, got {version}",
            first=first,
            last=last,
            version=version,
        )
    )


def unknown_event(place: int, kind: int | str) -> BadReplay:
    """Return the error for an event of an unknown kind, given its place, counted from 0."""
    return BadReplay(t("event {number} is of an unknown kind: {kind}", number=place + 1, kind=kind))
