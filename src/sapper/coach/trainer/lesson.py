"""Lessons on well-known patterns, with explanations and boards to try. See ``lessons.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from sapper._util.shortening import shown
from sapper.coach.trainer.puzzle import BadPuzzle, Question
from sapper.position import Position
from sapper.topology import Cell
from sapper.translation import Text

__all__ = ["Lesson", "LessonBoard", "lesson_board", "lessons"]


@dataclass(frozen=True, slots=True)
class LessonBoard:
    """A board to try.

    Attributes:
        id: The lesson's id and the board's number in it, from 1.
        question: The question.
        prompt: The question in words.
        position: The position; its flags are mines given to the player.
        safe: The proved safe cells; for a guess, the best cells.
        mined: The proved mines without a flag.
    """

    id: str
    question: Question
    prompt: str
    position: Position
    safe: frozenset[Cell]
    mined: frozenset[Cell]

    def to_json(self) -> dict[str, Any]:
        """Return the public form, without the solution."""
        return {
            "id": self.id,
            "question": str(self.question),
            "prompt": Text(self.prompt, {}),
            "rows": self.position.rows,
            "mines": self.position.mines,
        }


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson.

    Attributes:
        id: A short name for URLs.
        title: Its title.
        text: One idea in two or three sentences.
        boards: Boards to try.
    """

    id: str
    title: str
    text: str
    boards: tuple[LessonBoard, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "id": self.id,
            "title": Text(self.title, {}),
            "text": Text(self.text, {}),
            "boards": [board.to_json() for board in self.boards],
        }


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return the lessons in order."""
    text = resources.files("sapper.coach.trainer").joinpath("lessons.toml").read_text("utf-8")
    return tuple(
        Lesson(
            obj["id"],
            obj["title"],
            " ".join(obj["text"].split()),
            tuple(_board(f"{obj['id']}-{n}", board) for n, board in enumerate(obj["board"], 1)),
        )
        for obj in tomllib.loads(text)["lesson"]
    )


def lesson_board(board_id: str) -> LessonBoard:
    """Return a board by its id.

    Raises:
        BadPuzzle: If there is no such board.
    """
    for lesson in lessons():
        for board in lesson.boards:
            if board.id == board_id:
                return board
    raise BadPuzzle(f"there is no lesson board {shown(board_id)}")


def _board(board_id: str, obj: dict[str, Any]) -> LessonBoard:
    position = Position.parse(obj["rows"], obj.get("mines"))
    marks = "".join(obj["proved"].split())
    safe, mined = (
        position.topology.cells_at(at for at, mark in enumerate(marks) if mark in wanted)
        for wanted in ("sb", "m")
    )
    return LessonBoard(board_id, Question(obj["question"]), obj["prompt"], position, safe, mined)
