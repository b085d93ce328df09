"""The trainer: puzzles from real games, lessons, and a rating."""

from sapper.coach.trainer.glicko2 import Rating, rated
from sapper.coach.trainer.judging import Answer, Explanation, Verdict, judge
from sapper.coach.trainer.puzzle import BadPuzzle, Need, Puzzle, Question, puzzles

__all__ = [
    "Answer",
    "BadPuzzle",
    "Explanation",
    "Need",
    "Puzzle",
    "Question",
    "Rating",
    "Verdict",
    "judge",
    "puzzles",
    "rated",
]
