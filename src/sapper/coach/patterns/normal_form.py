"""The simplest picture of a deduction, the same for all symmetries."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from sapper.coach.patterns.definitions import Form
from sapper.coach.patterns.proving import conclusions
from sapper.coach.patterns.symmetry import SYMMETRIES, turned

__all__ = ["simplest"]


@cache
def simplest(rows: tuple[str, ...]) -> tuple[str, ...]:
    """Return the simplest picture that proves the same cells as one of numbers, ``o`` and ``?``.

    It is the same for all symmetries of the picture. Known cells that are not needed may be
    anything, and proved cells are marked as in pattern files.
    """
    rows = min(turned(rows, symmetry) for symmetry in SYMMETRIES)
    wanted = conclusions(Form(rows))
    proved = wanted.safe | wanted.mined
    for row, col in Form(rows).at("o"):
        line = rows[row]
        fewer = (*rows[:row], line[:col] + "?" + line[col + 1 :], *rows[row + 1 :])
        found = conclusions(Form(fewer))
        if proved <= found.safe | found.mined:
            rows = fewer
    marked = _trimmed(_marked(rows))
    return min(turned(marked, symmetry) for symmetry in SYMMETRIES)


def _marked(rows: tuple[str, ...]) -> tuple[str, ...]:
    found = conclusions(Form(rows))
    return tuple(
        "".join(
            "+" if (row, col) in found.safe else "m" if (row, col) in found.mined else char
            for col, char in enumerate(line)
        )
        for row, line in enumerate(rows)
    )


def _trimmed(rows: tuple[str, ...]) -> tuple[str, ...]:
    """Return a picture without rows and columns at its sides in which every cell is ``?``."""
    for _ in range(4):
        rows = tuple(_without_blank(list(rows)))
        rows = tuple(map("".join, zip(*rows, strict=True)))[::-1]
    return rows


def _without_blank(rows: list[str]) -> Iterator[str]:
    started = False
    for row in rows:
        started = started or set(row) != {"?"}
        if started:
            yield row
