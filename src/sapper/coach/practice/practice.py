"""Practise patterns: today's exercises, and the schedule after each answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from sapper._util.clock import EARLIEST_MS
from sapper._util.glicko2 import Rating, rated
from sapper._util.shortening import shown
from sapper.coach.patterns import pattern as pattern_of
from sapper.coach.practice.cards import Asked, Card, Cards
from sapper.coach.practice.exercise import Exercise, exercises, exercises_of
from sapper.coach.practice.judging import judge_exercise
from sapper.coach.practice.scheduling import recalled, reviewed
from sapper.coach.trainer.judging import Answer, Place, Verdict
from sapper.coach.trainer.puzzle import BadPuzzle
from sapper.coach.trainer.records import NEW_PLAYER
from sapper.coach.trainer.training import Transaction

__all__ = ["NEW_PER_DAY", "Practice", "PracticeResult", "PracticeStanding", "ServedExercise"]

NEW_PER_DAY: Final = 3
"""Number of new patterns per day, which keeps daily practice near five minutes."""

_LEVELS: Final = {1: 1000.0, 2: 1300.0, 3: 1600.0}
"""The rating of an exercise by the level of its pattern."""
_DEVIATION: Final = 150.0
_DAY_S: Final = 86_400.0
_LONGEST_S: Final = 600.0
"""Longer times are capped, because nobody looks at one exercise for that long."""


@dataclass(frozen=True, slots=True)
class ServedExercise:
    """An exercise awaiting an answer.

    Attributes:
        exercise: The exercise.
        chosen: The pattern that the player chose to practise; empty for the daily queue.
        elapsed_s: Seconds since it was first shown.
    """

    exercise: Exercise
    chosen: str
    elapsed_s: float

    def to_json(self) -> dict[str, Any]:
        """Return the public form, without the solution and, in the queue, without the pattern."""
        position = self.exercise.position
        return {
            "id": self.exercise.id,
            "rows": position.rows,
            "mines": position.mines,
            "numbers": [list(cell) for cell in self.exercise.numbers],
            "chosen": self.chosen,
            "elapsed_s": self.elapsed_s,
        }


class PracticeStanding(NamedTuple):
    """The state of a player's practice.

    Attributes:
        due: Number of patterns to practise again today.
        new: Number of new patterns for today.
        answered: Answers today.
        solved: Right answers today.
        seconds: Time taken by today's answers.
        streak: Consecutive days with answers, up to today or yesterday.
        next_due: When the next pattern is due, in seconds since 1970; None without cards.
        cards: The cards by pattern.
        now: The time in seconds since 1970.
    """

    due: int
    new: int
    answered: int
    solved: int
    seconds: float
    streak: int
    next_due: float | None
    cards: dict[str, Card]
    now: float

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "due": self.due,
            "new": self.new,
            "answered": self.answered,
            "solved": self.solved,
            "seconds": round(self.seconds),
            "streak": self.streak,
            "next_due_s": self.next_due and max(0, round(self.next_due - self.now)),
            "cards": {name: _card_json(card, self.now) for name, card in self.cards.items()},
        }


def _card_json(card: Card, now: float) -> dict[str, Any]:
    return {
        "rating": round(card.rating.rating),
        "deviation": round(card.rating.deviation),
        "answered": card.answered,
        "solved": card.solved,
        "seconds": round(card.seconds / card.solved, 1) if card.solved else None,
        "recalled": round(recalled(card, now), 3),
        "due_s": round(card.due - now),
    }


@dataclass(frozen=True, slots=True)
class PracticeResult:
    """The result of an answer.

    Attributes:
        verdict: The judgement.
        exercise: The exercise.
        counted: Whether it changed the card; only the first answer to an exercise does.
        seconds: Seconds taken.
        change: The change in the player's rating in this pattern.
        card: The card afterwards; None if the player has none.
    """

    verdict: Verdict
    exercise: Exercise
    counted: bool
    seconds: float
    change: float
    card: Card | None

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        names = {id: pattern_of(id).name for id in (self.exercise.pattern, self.exercise.shown)}
        return {
            **self.verdict.to_json(),
            "counted": self.counted,
            "seconds": round(self.seconds, 1),
            "change": round(self.change),
            "pattern": self.exercise.pattern,
            "name": names[self.exercise.pattern],
            "friend": "" if self.exercise.shown == self.exercise.pattern else self.exercise.shown,
            "friend_name": names[self.exercise.shown],
            "interval_s": None if self.card is None else round(self.card.due - self.card.reviewed),
        }


class Practice:
    """Serves exercises and accepts answers; methods save before they return.

    Args:
        transaction: Opens and commits a transaction on a database with the tables of practice.
        clock: Seconds since 1970; days are UTC days.
    """

    def __init__(self, transaction: Transaction, clock: Callable[[], float] = time.time) -> None:
        self._transaction, self._clock = transaction, clock

    def standing(self, player: str) -> PracticeStanding:
        """Return the state of a player's practice."""
        now = self._clock()
        with self._transaction() as db:
            return _standing(Cards(db, player), now)

    def next(
        self, player: str, chosen: str = "", missed: Sequence[str] = ()
    ) -> ServedExercise | None:
        """Return the exercise awaiting the player's answer, or a new one.

        Args:
            player: The player.
            chosen: A pattern to practise at any time; empty for the daily queue.
            missed: Patterns to add first, when it is time for a new one.

        Returns:
            None if nothing is left for today.

        Raises:
            BadPuzzle: If the pattern is unknown or has no exercises.
        """
        if chosen and chosen not in exercises_of():
            raise BadPuzzle(f"there are no exercises for the pattern {shown(chosen)}")
        now = self._clock()
        with self._transaction() as db:
            cards = Cards(db, player)
            asked = cards.asked()
            waiting = None if asked is None else exercises().get(asked.exercise)
            if asked is None or waiting is None or asked.chosen != chosen:
                waiting = _next(cards, now, chosen, missed)
                if waiting is None:
                    cards.close()
                    return None
                asked = Asked(waiting.id, now, chosen)
                cards.ask(asked)
        return ServedExercise(waiting, chosen, _elapsed(asked, now))

    def answer(
        self,
        player: str,
        exercise_id: str,
        answer: Answer,
        *,
        nothing: bool = False,
        place: Place = str,
    ) -> PracticeResult:
        """Judge an answer, and update the card if it is the first one to this exercise.

        Args:
            player: The player.
            exercise_id: The exercise.
            answer: The answer; an empty one gives up unless `nothing`.
            nothing: Whether the answer is that the ringed numbers prove nothing.
            place: Formats a cell in text.

        Raises:
            BadPuzzle: If there is no such exercise.
            BadSetting: If `nothing` is combined with marked cells.
        """
        exercise = exercises().get(exercise_id)
        if exercise is None:
            raise BadPuzzle(f"there is no exercise {shown(exercise_id)}")
        verdict = judge_exercise(exercise, answer, nothing=nothing, place=place)
        now, name = self._clock(), exercise.pattern
        with self._transaction() as db:
            cards = Cards(db, player)
            asked, card = cards.asked(), cards.all().get(name)
            if asked is None or asked.exercise != exercise_id:
                return PracticeResult(verdict, exercise, False, 0.0, 0.0, card)
            seconds, own = _elapsed(asked, now), card.rating if card else NEW_PLAYER
            rating = rated(own, [(_rating(name), float(verdict.solved))])
            # Extra practice on a pattern that is not due changes its date only after a mistake.
            if card is None or not verdict.solved or card.due < _end_of_day(now):
                card = reviewed(name, card, now, seconds, solved=verdict.solved)
            card = card.after(rating, seconds, solved=verdict.solved)
            cards.save(card)
            cards.add_answer(_day(now), seconds, solved=verdict.solved)
            cards.close()
        change = rating.rating - own.rating
        return PracticeResult(verdict, exercise, True, seconds, change, card)


def _standing(cards: Cards, now: float) -> PracticeStanding:
    today, found = cards.day(_day(now)), cards.all()
    known = [card for name, card in found.items() if name in exercises_of()]
    return PracticeStanding(
        due=sum(card.due < _end_of_day(now) for card in known),
        new=len(_new(found, now, ())),
        answered=today.answered,
        solved=today.solved,
        seconds=today.seconds,
        streak=cards.streak(today.day),
        next_due=min((card.due for card in known), default=None),
        cards=found,
        now=now,
    )


def _next(cards: Cards, now: float, chosen: str, missed: Sequence[str]) -> Exercise | None:
    found = cards.all()
    name = chosen or _next_pattern(found, now, missed)
    if not name:
        return None
    offered, card = exercises_of()[name], found.get(name)
    return offered[(card.answered if card else 0) % len(offered)]


def _next_pattern(found: dict[str, Card], now: float, missed: Sequence[str]) -> str:
    """Return the pattern due longest ago, else a new one, else one due later today."""
    today = sorted(
        (card.due, name)
        for name, card in found.items()
        if name in exercises_of() and card.due < _end_of_day(now)
    )
    if today and today[0][0] <= now:
        return today[0][1]
    new = _new(found, now, missed)
    if new:
        return new[0]
    return today[0][1] if today else ""


def _new(found: dict[str, Card], now: float, missed: Sequence[str]) -> list[str]:
    """Return the new patterns that are left for today."""
    added = sum(card.added_day == _day(now) for card in found.values())
    wanted = dict.fromkeys([*missed, *exercises_of()])
    new = [name for name in wanted if name in exercises_of() and name not in found]
    return new[: max(0, NEW_PER_DAY - added)]


def _rating(name: str) -> Rating:
    return Rating(_LEVELS[pattern_of(name).level], _DEVIATION)


def _elapsed(asked: Asked, now: float) -> float:
    if asked.served < EARLIEST_MS / 1000 <= now:
        # The system clock was changed, so the time taken is unknown.
        return 0.0
    return min(_LONGEST_S, max(0.0, now - asked.served))


def _day(now: float) -> str:
    return datetime.fromtimestamp(now, UTC).date().isoformat()


def _end_of_day(now: float) -> float:
    return (now // _DAY_S + 1) * _DAY_S
