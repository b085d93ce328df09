"""The trainer: puzzles from real games, lessons, and a rating."""

from typing import TYPE_CHECKING

from sapper._util.glicko2 import Rating, rated
from sapper._util.renamed import renamed_names
from sapper.coach.trainer.judging import Answer, Explanation, Verdict, judge
from sapper.coach.trainer.lesson import Lesson, LessonBoard, lesson_board, lessons
from sapper.coach.trainer.mistake_set import MistakeSet
from sapper.coach.trainer.mistakes import Mistake, judge_mistake, mistake_of, mistakes_of
from sapper.coach.trainer.puzzle import BadPuzzle, Need, Puzzle, Question, puzzles
from sapper.coach.trainer.records import Records, Trainee
from sapper.coach.trainer.training import FOCUSES, Served, Standing, Training, TrainingResult

__all__ = [
    "FOCUSES",
    "Answer",
    "BadPuzzle",
    "Explanation",
    "Lesson",
    "LessonBoard",
    "Mistake",
    "MistakeSet",
    "Need",
    "Puzzle",
    "Question",
    "Rating",
    "Records",
    "Served",
    "Standing",
    "Trainee",
    "Training",
    "TrainingResult",
    "Verdict",
    "judge",
    "judge_mistake",
    "lesson_board",
    "lessons",
    "mistake_of",
    "mistakes_of",
    "puzzles",
    "rated",
]

if not TYPE_CHECKING:  # otherwise type checkers would accept any name
    __getattr__ = renamed_names(__name__, {"Outcome": "TrainingResult"})
