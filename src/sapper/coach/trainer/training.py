"""Training: choose a puzzle near a player's rating, and update both ratings after the answer."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, Final

from sapper._util.clock import EARLIEST_MS
from sapper._util.glicko2 import Rating, rated
from sapper._util.shortening import shown
from sapper.coach.trainer.judging import Answer, Place, Verdict, judge
from sapper.coach.trainer.puzzle import BadPuzzle, Need, Puzzle, Question, puzzles
from sapper.coach.trainer.records import Point, Records, Trainee
from sapper.database.connection import Connection
from sapper.errors import BadSetting
from sapper.translation import Text, t

__all__ = ["FOCUSES", "LIMIT_S", "Served", "Standing", "Training", "TrainingResult"]

FOCUSES: Final[Mapping[str, Text]] = {
    "mixed": t("A bit of everything"),
    **{str(need): need.label for need in Need},
}
"""The kinds of puzzles to practise, with their labels."""

LIMIT_S: Final = {Question.SAFE: 30, Question.ALL: 90, Question.GUESS: 45}
"""Seconds for a timed answer."""

_GRACE_S: Final = 1.0
"""Seconds allowed for transmitting an answer."""
_PUZZLE_DEVIATION: Final = 150.0
"""The deviation of a puzzle without answers, whose rating is an estimate."""
_MOST_LOST: Final = 120.0
"""Maximum loss of rating for one answer.

Without it, a new player's first wrong answer costs up to 190 points, and leads below the easiest
puzzles. In a simulation of 3,000 players, the mean error of the rating is the same with and without
it: 68 points after 20 answers. A smaller deviation of new players (200) gives 79.
"""
_NEAREST: Final = 12
"""The next puzzle is one of this many whose ratings are closest to the player's."""
_NOT_AGAIN: Final = 200
"""A puzzle is not repeated within this many answers, if there are enough others."""
_EASY: Final = 3
"""Number of first puzzles for a new player that one number solves."""
_HISTORY: Final = 200

Transaction = Callable[[], AbstractContextManager[Connection]]


@dataclass(frozen=True, slots=True)
class Served:
    """A puzzle awaiting an answer.

    Attributes:
        puzzle: The puzzle.
        rating: Its current rating.
        limit_s: Seconds for the answer, or None.
        elapsed_s: Seconds since it was first shown.
        focus: The puzzles the player chose.
    """

    puzzle: Puzzle
    rating: Rating
    limit_s: int | None
    elapsed_s: float
    focus: str

    def to_json(self) -> dict[str, Any]:
        """Return the public form, without the solution and the deduction it needs."""
        position = self.puzzle.position
        return {
            "id": self.puzzle.id,
            "question": str(self.puzzle.question),
            "rows": position.rows,
            "mines": position.mines,
            "limit_s": self.limit_s,
            "elapsed_s": self.elapsed_s,
            "focus": self.focus,
        }


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating and its history."""

    trainee: Trainee
    history: list[Point]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        own = self.trainee
        return {
            "rating": round(own.rating.rating),
            "deviation": round(own.rating.deviation),
            "answered": own.answered,
            "solved": own.solved,
            "streak": own.streak,
            "best_streak": own.best_streak,
            "history": [[round(at.rating), at.solved] for at in self.history],
        }


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """The result of an answer.

    Attributes:
        verdict: The judgement.
        solved: Whether it counts as solved: right and in time.
        late: Whether it was right but too late.
        counted: Whether it changed the ratings; only the first answer to a puzzle does.
        seconds: Seconds taken.
        change: The change in the player's rating.
        puzzle: The puzzle.
        puzzle_rating: The puzzle's rating before the answer.
    """

    verdict: Verdict
    solved: bool
    late: bool
    counted: bool
    seconds: float
    change: float
    puzzle: Puzzle
    puzzle_rating: Rating

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            **self.verdict.to_json(),
            "solved": self.solved,
            "late": self.late,
            "counted": self.counted,
            "seconds": round(self.seconds, 1),
            "change": round(self.change),
            "need": str(self.puzzle.need),
            "puzzle_rating": round(self.puzzle_rating.rating),
        }


class Training:
    """Serves puzzles and accepts answers; methods save before they return.

    Args:
        transaction: Opens and commits a transaction on a database with the trainer's tables.
        clock: Seconds since 1970.
    """

    def __init__(self, transaction: Transaction, clock: Callable[[], float] = time.time) -> None:
        self._transaction, self._clock = transaction, clock

    def standing(self, player: str) -> Standing:
        """Return a player's rating and its history."""
        with self._transaction() as db:
            records = Records(db)
            return Standing(records.trainee(player), records.history(player, _HISTORY))

    def puzzle(self, player: str, focus: str | None = None, timed: bool | None = None) -> Served:
        """Return the puzzle awaiting the player's answer, or a new one.

        Args:
            player: The player.
            focus: One of `FOCUSES`; changing it selects another puzzle. None keeps it.
            timed: Whether the answer has a time limit; None keeps it.

        Raises:
            BadSetting: If the focus is unknown.
        """
        if focus is not None and focus not in FOCUSES:
            raise BadSetting(f"unknown focus {shown(focus)}; choose from: {', '.join(FOCUSES)}")
        with self._transaction() as db:
            records = Records(db)
            trainee = records.trainee(player)
            focus = trainee.focus if focus is None else focus
            timed = trainee.timed if timed is None else timed
            ratings = records.puzzle_ratings()
            waiting = puzzles().get(trainee.puzzle or "")
            if waiting is None or (trainee.focus, trainee.timed) != (focus, timed):
                waiting = self._next(records, player, replace(trainee, focus=focus), ratings)
                trainee = replace(
                    trainee,
                    puzzle=waiting.id,
                    served=self._clock(),
                    timed=timed,
                    focus=focus,
                )
                records.save(player, trainee)
        limit_s = LIMIT_S[waiting.question] if timed else None
        return Served(waiting, _rating(waiting, ratings), limit_s, self._elapsed(trainee), focus)

    def _next(
        self, records: Records, player: str, trainee: Trainee, ratings: dict[str, Rating]
    ) -> Puzzle:
        found = list(puzzles().values())
        if trainee.focus != "mixed":
            found = [puzzle for puzzle in found if puzzle.need == trainee.focus]
        elif trainee.answered < _EASY:
            first = (Question.SAFE, Need.ONE)
            found = [puzzle for puzzle in found if (puzzle.question, puzzle.need) == first]
        recent = set(records.recent(player, min(_NOT_AGAIN, 2 * len(found) // 3)))
        fresh = [puzzle for puzzle in found if puzzle.id not in recent]
        own = trainee.rating.rating
        if trainee.answered < _EASY and trainee.focus == "mixed":
            own = 0
        fresh.sort(key=lambda puzzle: abs(_rating(puzzle, ratings).rating - own))
        # Players with the same results get the same seed, so that a sequence is reproducible.
        seed = f"{trainee.answered} {trainee.rating.rating:.3f}"
        return random.Random(seed).choice(fresh[:_NEAREST])

    def answer(
        self, player: str, puzzle_id: str, answer: Answer, place: Place = str
    ) -> TrainingResult:
        """Judge an answer, and update both ratings if it is the first one to this puzzle.

        Args:
            player: The player.
            puzzle_id: The puzzle.
            answer: The answer; an empty one gives up.
            place: Formats a cell in text.

        Raises:
            BadPuzzle: If there is no such puzzle.
            BadSetting: If the answer does not fit the question.
        """
        puzzle = puzzles().get(puzzle_id)
        if puzzle is None:
            raise BadPuzzle(f"there is no puzzle {shown(puzzle_id)}")
        verdict = judge(puzzle.question, puzzle.position, answer, place)
        with self._transaction() as db:
            records = Records(db)
            trainee, ratings = records.trainee(player), records.puzzle_ratings()
            theirs = _rating(puzzle, ratings)
            if trainee.puzzle != puzzle_id:
                return TrainingResult(
                    verdict, verdict.solved, False, False, 0.0, 0.0, puzzle, theirs
                )
            seconds = self._elapsed(trainee)
            late = trainee.timed and seconds > LIMIT_S[puzzle.question] + _GRACE_S
            solved = verdict.solved and not late
            own = _rated(trainee.rating, theirs, solved=solved)
            after = trainee.after(own, solved=solved)
            records.save(player, after)
            records.add_answer(player, puzzle_id, after, solved=solved, seconds=seconds)
            records.rate_puzzle(puzzle_id, rated(theirs, [(trainee.rating, float(not solved))]))
        change = own.rating - trainee.rating.rating
        late = late and verdict.solved
        return TrainingResult(verdict, solved, late, True, seconds, change, puzzle, theirs)

    def _elapsed(self, trainee: Trainee) -> float:
        now = self._clock()
        served = now if trainee.served is None else trainee.served
        if served < EARLIEST_MS / 1000 <= now:
            # The system clock was changed, so the time taken is unknown.
            return 0.0
        return max(0.0, now - served)


def _rated(own: Rating, puzzle: Rating, *, solved: bool) -> Rating:
    """Return the rating of a player after an answer."""
    after = rated(own, [(puzzle, float(solved))])
    return replace(after, rating=max(after.rating, own.rating - _MOST_LOST))


def _rating(puzzle: Puzzle, ratings: dict[str, Rating]) -> Rating:
    return ratings.get(puzzle.id) or Rating(puzzle.rating, _PUZZLE_DEVIATION)
