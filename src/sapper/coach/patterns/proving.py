"""Prove the claims of a pattern's picture, without assumptions about cells outside it.

The exact engine gets the numbers of the picture and, as unopened cells, every cell around them
that is not known. A cell that is clear or mined in every arrangement is proved whatever the
surroundings. Otherwise, there are surroundings that reveal nothing more: mines and walls in place
of all other cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

import sapper._core as _core
from sapper.coach.patterns.definitions import (
    NUMBERS,
    UNOPENED,
    BadPattern,
    Elsewhere,
    Family,
    Form,
    Pattern,
)
from sapper.errors import InconsistentPosition

__all__ = ["Conclusions", "conclusions", "needless", "prove"]

Place = tuple[int, int]
_PROVED: Final = {"s": "safe", "+": "safe", "m": "mined"}


@dataclass(frozen=True, slots=True)
class Conclusions:
    """The conclusions from a picture.

    Attributes:
        safe: The proved safe cells as (row, col) in the picture; -1 and the number of rows or
            columns are just outside it.
        mined: The proved mines.
        elsewhere_safe: Whether all cells that touch no number of the picture are safe.
    """

    safe: frozenset[Place]
    mined: frozenset[Place]
    elsewhere_safe: bool = False


def conclusions(form: Form) -> Conclusions:
    """Return everything that follows from a picture.

    Raises:
        BadPattern: If no arrangement fits the picture.
    """
    height, width = len(form.rows) + 2, len(form.rows[0]) + 2
    numbers = {(row, col): form.left(row, col) for row, col in form.at(NUMBERS)}
    unknown = _unknown(form, numbers)
    floating = 0 if form.remaining is None or form.elsewhere is Elsewhere.NONE else form.remaining
    # One more floating cell than mines: adding more cells would not allow anything new.
    floating += bool(floating)
    rows: list[list[int]] = [[] for _ in range(height * width + floating)]
    cells = bytearray(b"0" * (height * width) + b"." * floating)
    index = {
        (row, col): (row + 1) * width + col + 1
        for row, col in product(range(-1, height - 1), range(-1, width - 1))
    }
    for place in unknown:
        cells[index[place]] = ord(".")
    for place, number in numbers.items():
        cells[index[place]] = ord("0") + number
        for near in _around(place):
            if near in unknown:
                rows[index[place]].append(index[near])
                rows[index[near]].append(index[place])
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.uint32)
    near_all = np.array([at for row in rows for at in sorted(row)], np.uint32)
    try:
        found = _core.analyze(
            _core.Graph(offsets, near_all), bytes(cells), form.remaining, running=False
        )
    except InconsistentPosition:
        raise BadPattern("no arrangement of mines fits the picture") from None
    safe, mined = set(found.safe), set(found.mined)
    return Conclusions(
        frozenset(place for place in unknown if index[place] in safe),
        frozenset(place for place in unknown if index[place] in mined),
        floating > 0 and height * width in safe,
    )


def _unknown(form: Form, numbers: dict[Place, int]) -> set[Place]:
    """Return the cells of the picture and around it that may be unopened and matter."""
    inside = set(form.at(UNOPENED))
    if form.remaining is not None and form.elsewhere is Elsewhere.NONE:
        return inside
    known = set(form.at("o#*" + NUMBERS))
    touched = {near for place in numbers for near in _around(place)} - known
    walls = {near for near in touched if _is_wall(form, near)}
    return (inside | touched if form.remaining is not None else touched | inside) - walls


def _is_wall(form: Form, place: Place) -> bool:
    """Return whether a cell outside the picture lies beyond one of its walls."""
    row, col = place
    rows, last = form.rows, len(form.rows[0]) - 1
    return (
        (row < 0 and set(rows[0]) == {"#"})
        or (row >= len(rows) and set(rows[-1]) == {"#"})
        or (col < 0 and all(line[0] == "#" for line in rows))
        or (col > last and all(line[-1] == "#" for line in rows))
    )


def _around(place: Place) -> list[Place]:
    row, col = place
    return [(row + r, col + c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


def prove(pattern: Pattern) -> None:
    """Prove that each picture of a pattern shows exactly the cells that follow from it.

    For a forced guess, also prove that nothing outside the cells to guess can ever tell its
    arrangements apart.

    Raises:
        BadPattern: If it does not; the message gives the pattern, the picture and the cell.
    """
    for number, form in enumerate(pattern.forms, 1):
        try:
            _prove(pattern.family, form)
        except BadPattern as problem:
            raise BadPattern(f"{pattern.id}, picture {number}: {problem}") from None


def _prove(family: Family, form: Form) -> None:
    found = conclusions(form)
    told = {"safe": set(form.at("s+")), "mined": set(form.at("m"))}
    for kind, cells in (("safe", found.safe), ("mined", found.mined)):
        if missing := sorted(cells - told[kind]):
            raise BadPattern(f"{missing[0]} is {kind}, which the picture does not show")
        if wrong := sorted(told[kind] - cells):
            raise BadPattern(f"{wrong[0]} is not proved {kind}")
    if found.elsewhere_safe != (form.elsewhere is Elsewhere.SAFE):
        raise BadPattern("'elsewhere: safe' must be given exactly if it is proved")
    if family is Family.DEAD:
        _prove_dead(form)
    elif family is Family.FALSE:
        if not form.at("SM"):
            raise BadPattern("a false friend needs a cell that looks proved")
    elif not (form.at("sm+") or form.elsewhere is Elsewhere.SAFE):
        raise BadPattern("nothing is proved")


def _prove_dead(form: Form) -> None:
    """Prove that opening other cells never helps to choose between the cells to guess."""
    cells = form.at("g")
    if len(cells) < 2 or form.at(".sm+"):
        raise BadPattern("a forced guess has two or more cells g, and no other unopened cells")
    if _unknown(form, dict.fromkeys(form.at(NUMBERS), 0)) != set(cells):
        raise BadPattern("every other cell around the numbers of a forced guess must be known")
    height, width = len(form.rows), len(form.rows[0])
    for row, col in {near for cell in cells for near in _around(cell)}:
        inside = 0 <= row < height and 0 <= col < width
        if (inside and form.rows[row][col] == "?") or not (inside or _is_wall(form, (row, col))):
            raise BadPattern(f"{(row, col)} touches a cell to guess, and could tell more")
    fitting = list(_arrangements(form))
    if len({sum(mined.values()) for mined in fitting}) != 1:
        raise BadPattern("the mine total tells the arrangements apart")
    for place in form.at("o" + NUMBERS):
        if len({sum(mined.get(near, 0) for near in _around(place)) for mined in fitting}) != 1:
            raise BadPattern(f"the number at {place} tells the arrangements apart")


def _arrangements(form: Form) -> list[dict[Place, int]]:
    """Return every arrangement of mines in the cells to guess that fits the numbers."""
    cells = form.at("g")
    numbers = {place: form.left(*place) for place in form.at(NUMBERS)}
    every = (dict(zip(cells, mines, strict=True)) for mines in product((0, 1), repeat=len(cells)))
    return [
        mined
        for mined in every
        if all(
            sum(mined.get(near, 0) for near in _around(place)) == number
            for place, number in numbers.items()
        )
    ]


def needless(form: Form) -> list[Place]:
    """Return the numbers and known cells that the proof does not need."""
    found = conclusions(form)
    shown = set(form.at("sm+"))

    def proved(rows: tuple[str, ...]) -> bool:
        less = conclusions(Form(rows, form.remaining, form.elsewhere))
        same = less.elsewhere_safe == found.elsewhere_safe
        return same and shown <= less.safe | less.mined

    return [
        place
        for place in form.at(NUMBERS + "o")
        if (form.rows[place[0]][place[1]] in "o" or len(form.at(NUMBERS)) > 1)
        and proved(_without(form.rows, place))
    ]


def _without(rows: tuple[str, ...], place: Place) -> tuple[str, ...]:
    row, col = place
    other = "o" if rows[row][col] in NUMBERS else "?"
    line = rows[row][:col] + other + rows[row][col + 1 :]
    return (*rows[:row], line, *rows[row + 1 :])
