"""Puzzles: positions from real games, each with a question that the exact engine can judge."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any, Self

from sapper._util.shortening import shortened
from sapper.errors import SapperError
from sapper.position import EXPLODED, FLAGGED, Position, json_part
from sapper.translation import LabelledEnum, t

__all__ = ["BadPuzzle", "Need", "Puzzle", "Question", "given", "puzzles", "read_puzzles"]


class BadPuzzle(SapperError, ValueError):
    """A puzzle that cannot be read, or does not exist."""

    code = "bad_puzzle"


class Question(StrEnum):
    """The task of a puzzle."""

    SAFE = "safe"
    """One proved safe cell."""
    ALL = "all"
    """Every proved safe cell and every proved mine."""
    GUESS = "guess"
    """The cell with the best win chance, if no cell is proved safe."""


class Need(LabelledEnum):
    """The deduction that a puzzle needs, from easy to hard."""

    ONE = "one", t("One number")
    """One number."""
    TWO = "two", t("Two numbers")
    """Two numbers together; nothing easier suffices."""
    COMPONENT = "component", t("Several numbers")
    """Three or more numbers together; no two suffice."""
    TOTAL = "total", t("The mine total")
    """The mine total too."""
    GUESS = "guess", t("The best guess")
    """A guess: nothing is proved."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position and a question.

    Attributes:
        question: The question.
        need: The deduction needed: the hardest one if there are several cells to find.
        position: The position. Its flags are proved mines, given to the player.
        rating: An estimate of its difficulty, used as its initial rating.
        game: The game it comes from: level, seed and number of cells already open.
    """

    question: Question
    need: Need
    position: Position
    rating: int
    game: str

    @property
    def id(self) -> str:
        """A short name, made from the position and the question."""
        text = f"{self.question} {self.position}"
        return hashlib.sha256(text.encode()).hexdigest()[:10]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, which `from_json` reads."""
        known = self.position.to_json()
        return {
            "id": self.id,
            "question": str(self.question),
            "need": str(self.need),
            "rating": self.rating,
            "game": self.game,
            **{key: known[key] for key in ("mines", "density", "rows") if key in known},
        }

    @classmethod
    def from_json(cls, obj: Any) -> Self:
        """Read the JSON form.

        Raises:
            BadPuzzle: If the object is invalid.
        """
        try:
            position = Position.from_json(json_part(obj))
            question, need = Question(obj["question"]), Need(obj["need"])
            rating, game = obj["rating"], obj["game"]
        except KeyError as problem:
            raise BadPuzzle(f"a puzzle needs {problem}") from None
        except ValueError as problem:
            raise BadPuzzle(f"not a puzzle: {shortened(str(problem), 120)}") from None
        if type(rating) is not int or not isinstance(game, str):
            raise BadPuzzle("not a puzzle: 'rating' must be an integer, and 'game' text")
        return cls(question, need, position, rating, game)


def given(position: Position) -> Position:
    r"""Return the position with its flags as known mines, since solvers ignore flags.

    >>> str(given(Position.parse("F.\n11")))
    '*.\n11'
    """
    cells = position.cells.replace(FLAGGED.encode(), EXPLODED.encode())
    return position.showing(cells)


def read_puzzles(lines: Iterable[str]) -> Iterator[Puzzle]:
    """Read puzzles from JSON Lines; empty lines are skipped.

    Raises:
        BadPuzzle: If a line is not a puzzle; the message gives its number.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield Puzzle.from_json(json.loads(line))
        except ValueError as problem:
            raise BadPuzzle(f"line {number}: {problem}") from None


@cache
def puzzles() -> dict[str, Puzzle]:
    """Return the puzzles that come with Sapper, by their ids, easiest first."""
    text = resources.files("sapper.coach.trainer").joinpath("puzzles.jsonl").read_text("utf-8")
    found = sorted(read_puzzles(text.splitlines()), key=lambda puzzle: (puzzle.rating, puzzle.id))
    return {puzzle.id: puzzle for puzzle in found}
