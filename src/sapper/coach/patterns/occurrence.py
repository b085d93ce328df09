"""A pattern in a position."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from sapper.coach.patterns.definitions import Elsewhere, Family, Pattern
from sapper.coach.patterns.planes import MARGIN, Planes
from sapper.coach.patterns.templates import Matcher, Template
from sapper.position import Position
from sapper.topology import Cell
from sapper.translation import Text, t

__all__ = ["Found", "Occurrence"]


class Found:
    """A template at a location where it fits, with sets of cells; `Occurrence` has lists.

    Attributes:
        template: The template.
        bit: The bit of its first number.
        safe: The unopened cells that it proves safe.
        mined: Those that it proves mined.
        numbers: Its numbers.
        marked: The cells of a guess or of a false friend.
    """

    __slots__ = ("bit", "marked", "mined", "numbers", "safe", "template")

    def __init__(self, template: Template, bit: int, matcher: Matcher, planes: Planes) -> None:
        stride, unknown = planes.frame.stride, planes.unknown
        numbers, safe, mined, marked, unopened = matcher.masks(template, stride)
        low = MARGIN * (stride + 1)
        self.template, self.bit = template, bit
        self.numbers = numbers << bit >> low
        self.safe = (safe << bit >> low) & unknown
        self.mined = (mined << bit >> low) & unknown
        self.marked = marked << bit >> low
        if template.picture.elsewhere is Elsewhere.SAFE:
            inside = planes.near(self.numbers) | unopened << bit >> low
            self.safe |= unknown & ~inside


class Occurrence:
    """A pattern in a position.

    Two are equal if they are the same picture of a pattern at the same location, turned the same
    way.
    """

    def __init__(self, found: Found, planes: Planes, position: Position) -> None:
        self._found, self._frame, self._position = found, planes.frame, position
        self._known = planes.mines

    @property
    def pattern(self) -> Pattern:
        """The pattern."""
        return self._found.template.pattern

    @property
    def form(self) -> int:
        """The index of its picture."""
        return self._found.template.form

    @property
    def symmetry(self) -> int:
        """How the picture is turned, from 0 (as written) to 7."""
        return self._found.template.symmetry

    @cached_property
    def _origin(self) -> Cell:
        """The cell of the first number of the turned picture."""
        return self._frame.cell(self._found.bit)

    @cached_property
    def numbers(self) -> tuple[Cell, ...]:
        """The cells of its numbers in row order."""
        return tuple(sorted(self._written))

    @cached_property
    def _written(self) -> list[Cell]:
        """The cells of its numbers in the order of the picture as written."""
        top, left = self._origin
        return [Cell(top + row, left + col) for row, col in self._found.template.numbers]

    @cached_property
    def safe(self) -> tuple[Cell, ...]:
        """The unopened cells that it proves safe, in row order."""
        return tuple(self._frame.cells(self._found.safe))

    @cached_property
    def mined(self) -> tuple[Cell, ...]:
        """The unopened cells that it proves mined, in row order."""
        return tuple(self._frame.cells(self._found.mined))

    @cached_property
    def guessed(self) -> tuple[Cell, ...]:
        """The cells between which a player has to guess."""
        return self._cells("g")

    @cached_property
    def claimed_safe(self) -> tuple[Cell, ...]:
        """The cells that look safe, but are not proved by this picture."""
        return self._cells("S")

    @cached_property
    def claimed_mined(self) -> tuple[Cell, ...]:
        """The cells that look mined, but are not proved by this picture."""
        return self._cells("M")

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Its numbers, and the cells that it proves, claims or leaves to a guess, in row order."""
        shown = {*self.numbers, *self.safe, *self.mined, *self._cells("gSM")}
        return tuple(sorted(shown))

    @cached_property
    def mines(self) -> tuple[Cell, ...]:
        """The known mines around its numbers."""
        around = {near for at in self.numbers for near in self._position.topology.neighbours(at)}
        bit = self._frame.bit
        return tuple(sorted(cell for cell in around if self._known >> bit(*cell) & 1))

    @cached_property
    def reduced_from(self) -> str:
        """The numbers on the board, such as ``2-3-2``, if they differ from those of the picture."""
        shown = "-".join(str(self._position.number(cell)) for cell in self._written)
        return "" if shown == self._found.template.raw else shown

    @cached_property
    def place(self) -> str:
        """``wall`` or ``corner`` if its numbers are at the sides of the board, otherwise empty."""
        last_row, last_col = self._position.height - 1, self._position.width - 1
        rows = any(cell.row in (0, last_row) for cell in self.numbers)
        cols = any(cell.col in (0, last_col) for cell in self.numbers)
        return "corner" if rows and cols else "wall" if rows or cols else ""

    @property
    def title(self) -> Text:
        """Its name and place, and the numbers before known mines are subtracted."""
        name, numbers = self.pattern.name, self.reduced_from
        place = "" if self.pattern.family is Family.WALL else self.place
        if place == "wall":
            if numbers:
                return t(
                    "{pattern} at the wall, reduced from {numbers}", pattern=name, numbers=numbers
                )
            return t("{pattern} at the wall", pattern=name)
        if place == "corner":
            if numbers:
                return t(
                    "{pattern} in the corner, reduced from {numbers}",
                    pattern=name,
                    numbers=numbers,
                )
            return t("{pattern} in the corner", pattern=name)
        if numbers:
            return t("{pattern}, reduced from {numbers}", pattern=name, numbers=numbers)
        return name

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, with cells as ``[row, col]``."""
        lists = ("numbers", "cells", "safe", "mined", "guessed", "claimed_safe", "claimed_mined")
        return {
            "pattern": self.pattern.id,
            "name": self.pattern.name,
            "title": self.title,
            "family": str(self.pattern.family),
            **{name: [list(cell) for cell in getattr(self, name)] for name in lists},
            "mines": [list(cell) for cell in self.mines],
            "reduced_from": self.reduced_from,
            "place": self.place,
        }

    def _cells(self, characters: str) -> tuple[Cell, ...]:
        places, (top, left) = self._found.template.places, self._origin
        width, height = self._position.width, self._position.height
        cells = (
            Cell(top + row, left + col) for char in characters for row, col in places.get(char, ())
        )
        return tuple(
            sorted(cell for cell in cells if 0 <= cell.row < height and 0 <= cell.col < width)
        )

    @property
    def _key(self) -> tuple[str, int, int, Cell]:
        return self.pattern.id, self.form, self.symmetry, self._origin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Occurrence):
            return NotImplemented
        return self._key == other._key and self._position == other._position

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"<Occurrence {self.pattern.id} at {', '.join(map(str, self.numbers))}>"
