"""When to practise a pattern again: FSRS, the Free Spaced Repetition Scheduler."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Final

from sapper.coach.practice.cards import Card

if TYPE_CHECKING:
    import fsrs

__all__ = ["recalled", "reviewed"]

_AGAIN: Final = (timedelta(minutes=10),)
"""A missed pattern comes back on the same day."""
_LONGEST_DAYS: Final = 365
_QUICK_S: Final = 6.0
"""Right answers within this time count as easy,"""
_SLOW_S: Final = 30.0
"""and those after this time as hard."""


@cache
def _scheduler() -> fsrs.Scheduler:
    # Imported here, and below, because the server should start without it.
    import fsrs

    return fsrs.Scheduler(
        learning_steps=_AGAIN,
        relearning_steps=_AGAIN,
        maximum_interval=_LONGEST_DAYS,
        # Random intervals would spread large decks; here they would only make tests unstable.
        enable_fuzzing=False,
    )


def reviewed(pattern: str, card: Card | None, now: float, seconds: float, *, solved: bool) -> Card:
    """Return a card after an answer, with its next date.

    Args:
        pattern: The id of the pattern.
        card: The card before the answer; None for a new pattern.
        now: The time in seconds since 1970.
        seconds: The time taken.
        solved: Whether the answer was right.
    """
    import fsrs

    moment = datetime.fromtimestamp(now, UTC)
    before = fsrs.Card(card_id=0, due=moment) if card is None else _to_fsrs(card)
    after, _ = _scheduler().review_card(before, _grade(seconds, solved=solved), moment)
    assert after.stability is not None
    assert after.difficulty is not None
    start = card or Card(pattern, moment.date().isoformat(), now, now, 1, 0, 0.0, 0.0)
    return replace(
        start,
        due=after.due.timestamp(),
        reviewed=now,
        state=int(after.state),
        step=after.step,
        stability=after.stability,
        difficulty=after.difficulty,
    )


def recalled(card: Card, now: float) -> float:
    """Return the probability that the pattern is recalled, from 0 to 1."""
    moment = datetime.fromtimestamp(now, UTC)
    return _scheduler().get_card_retrievability(_to_fsrs(card), moment)


def _grade(seconds: float, *, solved: bool) -> fsrs.Rating:
    import fsrs

    if not solved:
        return fsrs.Rating.Again
    if seconds <= _QUICK_S:
        return fsrs.Rating.Easy
    return fsrs.Rating.Good if seconds <= _SLOW_S else fsrs.Rating.Hard


def _to_fsrs(card: Card) -> fsrs.Card:
    import fsrs

    return fsrs.Card(
        card_id=0,
        state=fsrs.State(card.state),
        step=card.step,
        stability=card.stability,
        difficulty=card.difficulty,
        due=datetime.fromtimestamp(card.due, UTC),
        last_review=datetime.fromtimestamp(card.reviewed, UTC),
    )
