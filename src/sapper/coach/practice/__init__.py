"""Pattern practice: exercises from dealt games, repeated at growing intervals."""

from sapper.coach.practice.cards import Card
from sapper.coach.practice.exercise import Exercise, exercises, exercises_of
from sapper.coach.practice.judging import judge_exercise
from sapper.coach.practice.practice import (
    NEW_PER_DAY,
    Practice,
    PracticeResult,
    PracticeStanding,
    ServedExercise,
)

__all__ = [
    "NEW_PER_DAY",
    "Card",
    "Exercise",
    "Practice",
    "PracticeResult",
    "PracticeStanding",
    "ServedExercise",
    "exercises",
    "exercises_of",
    "judge_exercise",
]
