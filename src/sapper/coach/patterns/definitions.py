"""Patterns: small partial boards with a name and a proof."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from sapper.errors import SapperError
from sapper.position import Position
from sapper.topology import Cell, topology
from sapper.translation import LabelledEnum, Text, t

__all__ = ["NUMBERS", "UNOPENED", "BadPattern", "Elsewhere", "Family", "Form", "Pattern"]

NUMBERS: Final = "12345678"
"""The characters of numbers."""
UNOPENED: Final = ".smgSM"
"""The characters of cells that must be unopened."""


class BadPattern(SapperError, ValueError):
    """A pattern that cannot be read, does not exist, or does not prove what it claims."""

    code = "bad_pattern"


class Family(LabelledEnum):
    """A group of patterns."""

    BASIC = "basic", t("Basic patterns")
    WALL = "wall", t("Walls and corners")
    REDUCED = "reduced", t("Reduced patterns")
    HOLE = "hole", t("Holes")
    TRIANGLE = "triangle", t("Triangles")
    BOX = "box", t("Box logic")
    CHAIN = "chain", t("Chains")
    END = "end", t("Counting the last mines")
    DEAD = "dead", t("Forced guesses")
    FALSE = "false-friend", t("False friends")


class Elsewhere(LabelledEnum):
    """The unopened cells outside the picture of an end game."""

    NONE = "none", t("There are none")
    SAFE = "safe", t("They are safe")


@dataclass(frozen=True)
class Form:
    """One picture of a pattern.

    Attributes:
        rows: The picture, one character per cell: ``1`` to ``8`` a number, ``.`` unopened, ``s``
            unopened and proved safe, ``m`` unopened and proved mined, ``+`` anything, but safe if
            unopened, ``o`` known: opened with any number, or outside the board, ``#`` outside the
            board, ``*`` a known mine, ``?`` anything, ``g`` unopened, to be guessed, ``S`` and
            ``M`` unopened, looks safe or mined but is not proved.
        remaining: For end games, the mines on the whole board that are not known yet.
        elsewhere: For end games, the unopened cells outside the picture.
    """

    rows: tuple[str, ...]
    remaining: int | None = None
    elsewhere: Elsewhere = Elsewhere.NONE

    def at(self, characters: str) -> tuple[tuple[int, int], ...]:
        """Return the (row, col) in the picture of all cells with one of these characters."""
        return tuple(
            (row, col)
            for row, line in enumerate(self.rows)
            for col, char in enumerate(line)
            if char in characters
        )

    def left(self, row: int, col: int) -> int:
        """Return the number at a location, less the known mines of the picture around it."""
        known = sum(abs(row - r) < 2 and abs(col - c) < 2 for r, c in self.at("*"))
        return int(self.rows[row][col]) - known

    @cached_property
    def position(self) -> Position:
        """The picture as a small position without its walls.

        Known mines are opened mines, and cells that may be anything show a 0, which is drawn as an
        empty cell. These 0s are placeholders: prove cells from `numbers` alone.
        """
        rows = [line.strip("#") for line in self.rows if line.strip("#")]
        cells = "".join(rows)
        text = "".join(
            char if char in NUMBERS + "*" else "." if char in UNOPENED else "0" for char in cells
        )
        known = None if self.remaining is None else self.remaining + text.count("*")
        shape = topology("rectangle", len(rows[0]), len(rows))
        # It is a part of a board, whose other cells may be clear.
        return Position(shape, text.encode(), known, running=False)

    @property
    def numbers(self) -> tuple[Cell, ...]:
        """The cells of `position` with the numbers of the pattern."""
        return self._cells(NUMBERS)

    @property
    def safe(self) -> tuple[Cell, ...]:
        """The cells of `position` proved safe."""
        return self._cells("s")

    @property
    def mined(self) -> tuple[Cell, ...]:
        """The cells of `position` proved mined."""
        return self._cells("m")

    @property
    def guessed(self) -> tuple[Cell, ...]:
        """The cells of `position` between which a player has to guess."""
        return self._cells("g")

    @property
    def claimed_safe(self) -> tuple[Cell, ...]:
        """The cells of `position` that look safe, but are not proved."""
        return self._cells("S")

    @property
    def claimed_mined(self) -> tuple[Cell, ...]:
        """The cells of `position` that look mined, but are not proved."""
        return self._cells("M")

    def _cells(self, characters: str) -> tuple[Cell, ...]:
        down = sum(not line.strip("#") for line in self.rows[:1])
        right = int(all(line[0] == "#" for line in self.rows))
        return tuple(Cell(row - down, col - right) for row, col in self.at(characters))


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern that players know by name.

    Attributes:
        id: Its name in files and URLs.
        name: Its name for players.
        family: Its family.
        level: 1 basic, 2 intermediate, 3 advanced.
        order: Its place in the library.
        source: The URL of a guide that uses the name; empty if the name is Sapper's.
        summary: The cells that it proves, and the reason.
        looks_like: For a false friend, the id of the pattern that it resembles.
        forms: Its pictures, the most typical one first.
    """

    id: str
    name: Text
    family: Family
    level: int
    order: int
    source: str
    summary: Text
    looks_like: str
    forms: tuple[Form, ...]

    @property
    def proves(self) -> bool:
        """Whether it proves a cell."""
        return self.family not in (Family.DEAD, Family.FALSE)
