"""Reviews of games: every decision with its risks, win chances and proofs."""

from sapper.coach.cell_outcomes import Outcome, outcomes
from sapper.coach.decisions import Decision, Kind, Value
from sapper.coach.review_result import Review
from sapper.coach.review_steps import Progress, Reviewing, review
from sapper.coach.summary import Luck

__all__ = [
    "Decision",
    "Kind",
    "Luck",
    "Outcome",
    "Progress",
    "Review",
    "Reviewing",
    "Value",
    "outcomes",
    "review",
]
