"""Exercises: positions from dealt games with ringed numbers, and the cells that these prove."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Self

from sapper._util.json_reading import cells as cells_of
from sapper._util.shortening import shortened
from sapper.coach.patterns import pattern
from sapper.coach.trainer.puzzle import BadPuzzle
from sapper.position import Position, json_part
from sapper.topology import Cell

__all__ = ["Exercise", "exercises", "exercises_of", "read_exercises"]


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position with ringed numbers.

    Attributes:
        pattern: The id of the pattern that it practises.
        shown: The id of the pattern that the numbers form: the same one, or a false friend.
        position: The position. Its flags are proved mines, given to the player.
        numbers: The ringed numbers, in row order.
        safe: The cells that they prove safe.
        mined: The cells that they prove mined.
        game: The game it comes from: level, seed and number of cells already open.
    """

    pattern: str
    shown: str
    position: Position
    numbers: tuple[Cell, ...]
    safe: tuple[Cell, ...]
    mined: tuple[Cell, ...]
    game: str

    @property
    def id(self) -> str:
        """A short name, made from the pattern, the position and the ringed numbers."""
        text = f"{self.pattern} {self.numbers} {self.position}"
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def proves(self) -> bool:
        """Whether the ringed numbers prove any cell."""
        return bool(self.safe or self.mined)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, which `from_json` reads."""
        known = self.position.to_json()
        return {
            "pattern": self.pattern,
            "shown": self.shown,
            "game": self.game,
            "mines": known["mines"],
            "rows": known["rows"],
            **{name: [list(cell) for cell in getattr(self, name)] for name in _CELLS},
        }

    @classmethod
    def from_json(cls, obj: Any) -> Self:
        """Read the JSON form.

        Raises:
            BadPuzzle: If the object is invalid.
        """
        try:
            position = Position.from_json(json_part(obj))
            found = [cells_of(obj[name], position.topology) for name in _CELLS]
            ids = [pattern(obj[name]).id for name in ("pattern", "shown")]
            return cls(ids[0], ids[1], position, found[0], found[1], found[2], str(obj["game"]))
        except KeyError as problem:
            raise BadPuzzle(f"an exercise needs {problem}") from None
        except (TypeError, ValueError) as problem:
            raise BadPuzzle(f"not an exercise: {shortened(str(problem), 120)}") from None


_CELLS = ("numbers", "safe", "mined")


def read_exercises(lines: Iterable[str]) -> Iterator[Exercise]:
    """Read exercises from JSON Lines.

    Raises:
        BadPuzzle: If a line is not an exercise; the message gives its number.
    """
    for number, line in enumerate(lines, 1):
        try:
            yield Exercise.from_json(json.loads(line))
        except ValueError as problem:
            raise BadPuzzle(f"line {number}: {problem}") from None


@cache
def exercises() -> dict[str, Exercise]:
    """Return the exercises that come with Sapper, by their ids, in the order of the file."""
    text = resources.files("sapper.coach.practice").joinpath("exercises.jsonl").read_text("utf-8")
    return {exercise.id: exercise for exercise in read_exercises(text.splitlines())}


@cache
def exercises_of() -> dict[str, tuple[Exercise, ...]]:
    """Return the exercises of each pattern in the order they are practised.

    Patterns without exercises are left out.
    """
    found: dict[str, list[Exercise]] = {}
    for exercise in exercises().values():
        found.setdefault(exercise.pattern, []).append(exercise)
    return {name: tuple(listed) for name, listed in found.items()}
