"""The tasks of the trainer screen: rated puzzles and pattern practice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sapper.coach.patterns import pattern
from sapper.coach.practice import Practice, ServedExercise
from sapper.coach.trainer import FOCUSES, Answer, Question, Training
from sapper.position import Position
from sapper.topology import Cell, cell_name
from sapper.translation import sentences, t, tn
from sapper.tui.explaining import Page, pages, verdict_pages

__all__ = ["PatternTasks", "PuzzleTasks", "Tasks"]

_PLAYER: Final = "terminal"
"""Player name of `sapper train`, so that both share a rating."""

_ASKED: Final = {
    Question.SAFE: t("Find a cell that is proved safe, then press Space."),
    Question.ALL: t("Mark every proved cell: Space for safe, F for a mine, Enter when done."),
    Question.GUESS: t(
        "Nothing is proved safe. Press Space on the cell with the best chance of winning."
    ),
}


class PuzzleTasks:
    """Puzzles near the player's rating.

    Args:
        training: Serves them.
    """

    numbers: tuple[Cell, ...] = ()
    next_text: str = t("N: next puzzle.")

    def __init__(self, training: Training) -> None:
        self._training = training
        self.served = training.puzzle(_PLAYER)

    @property
    def question(self) -> Question:
        """The question of the puzzle."""
        return self.served.puzzle.question

    @property
    def position(self) -> Position:
        """The position of the puzzle."""
        return self.served.puzzle.position

    def text(self) -> str:
        """Return the question in words."""
        return _ASKED[self.question]

    def status(self) -> tuple[list[str], ...]:
        """Return the rating, the solved puzzles and the kind."""
        own = self._training.standing(_PLAYER).to_json()
        line: list[str] = [
            t("Rating {rating} ± {error}", rating=own["rating"], error=2 * own["deviation"]),
            t("{solved} of {total}", solved=own["solved"], total=own["answered"]),
            FOCUSES[self.served.focus],
        ]
        if self.served.limit_s is not None:
            line.insert(2, t("{seconds} s", seconds=self.served.limit_s))
        return line, line[:-1]

    def serve(self, focus: str | None = None, timed: bool | None = None) -> bool:
        """Go to the next puzzle, of another kind if given."""
        self.served = self._training.puzzle(_PLAYER, focus, timed)
        return True

    def next_kind(self) -> None:
        """Go to a puzzle of the next kind."""
        names = list(FOCUSES)
        self.serve(focus=names[(names.index(self.served.focus) + 1) % len(names)])

    def answer(
        self, safe: Iterable[Cell], mined: Iterable[Cell], *, nothing: bool = False
    ) -> tuple[Page, ...]:
        """Judge an answer and return its explanation."""
        puzzle = self.served.puzzle
        answer = Answer.of(puzzle.position, safe, mined)
        return pages(self._training.answer(_PLAYER, puzzle.id, answer, cell_name))


class PatternTasks:
    """The patterns to practise today.

    Args:
        practice: Serves them.
    """

    question = Question.ALL
    next_text: str = t("N: next pattern.")

    def __init__(self, practice: Practice) -> None:
        self._practice = practice
        self._served: ServedExercise | None = None

    @property
    def served(self) -> ServedExercise:
        """The current exercise, after `serve` has returned True."""
        assert self._served is not None
        return self._served

    @property
    def numbers(self) -> tuple[Cell, ...]:
        """The numbers in question."""
        return self.served.exercise.numbers

    @property
    def position(self) -> Position:
        """The position of the exercise."""
        return self.served.exercise.position

    def text(self) -> str:
        """Return the question in words."""
        return sentences(
            t("What do the marked numbers prove? Space for safe, F for a mine, Enter when done."),
            t("0: nothing is proved."),
        )

    def status(self) -> tuple[list[str], ...]:
        """Return the patterns left today and the streak."""
        own = self._practice.standing(_PLAYER)
        line: list[str] = [
            t("Patterns"),
            t("{due} due, {new} new", due=own.due, new=own.new),
            tn("{n} day in a row", "{n} days in a row", own.streak),
        ]
        return line, line[:-1]

    def serve(self) -> bool:
        """Go to the next exercise; return whether one is left today."""
        served = self._practice.next(_PLAYER)
        if served is not None:
            self._served = served
        return served is not None

    def answer(
        self, safe: Iterable[Cell], mined: Iterable[Cell], *, nothing: bool = False
    ) -> tuple[Page, ...]:
        """Judge an answer and return its explanation."""
        exercise = self.served.exercise
        answer = Answer.of(exercise.position, safe, mined)
        result = self._practice.answer(
            _PLAYER, exercise.id, answer, nothing=nothing, place=cell_name
        )
        name, shown = pattern(exercise.pattern).name, pattern(exercise.shown).name
        if exercise.shown != exercise.pattern:
            name = t("{friend}, which looks like {pattern}", friend=shown, pattern=name)
        head = t("Solved") if result.verdict.solved else t("Not solved")
        title = t("{result}: {pattern}.", result=head, pattern=name)
        return verdict_pages(exercise.position, result.verdict, title)


Tasks = PuzzleTasks | PatternTasks
"""A source of tasks on boards."""
