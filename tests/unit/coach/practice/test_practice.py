"""The daily queue: new and due patterns, streaks and ratings."""

from __future__ import annotations

from itertools import pairwise

import pytest

from sapper.coach.patterns import patterns
from sapper.coach.practice import NEW_PER_DAY, Exercise, Practice, PracticeResult, exercises_of
from sapper.coach.trainer import Answer
from sapper.coach.trainer.puzzle import BadPuzzle
from sapper.errors import BadSetting
from sapper.server.storage.database import Database

_DAY = 86_400.0
_MINUTE = 60.0


class Clock:
    """A clock that tests can set."""

    def __init__(self) -> None:
        self.now = 20_000 * _DAY + 3_600

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock in the first hour of a day."""
    return Clock()


@pytest.fixture
def practice(database: Database, clock: Clock) -> Practice:
    """Practice on each database engine in turn."""
    return Practice(database.writing, clock)


def solve(practice: Practice, exercise: Exercise, *, right: bool = True) -> PracticeResult:
    """Answer an exercise; a wrong answer gives up."""
    if not right:
        return practice.answer("ann", exercise.id, Answer())
    answer = Answer.of(exercise.position, exercise.safe, exercise.mined)
    result = practice.answer("ann", exercise.id, answer, nothing=not exercise.proves)
    assert result.verdict.solved
    return result


def served(practice: Practice, chosen: str = "") -> Exercise:
    """Return the exercise to answer."""
    found = practice.next("ann", chosen)
    assert found is not None
    return found.exercise


def test_a_day_adds_a_few_new_patterns(practice: Practice) -> None:
    """New patterns follow the order of the library until the day's share is used up."""
    assert practice.standing("ann")[:2] == (0, NEW_PER_DAY)
    names = []
    for _ in range(NEW_PER_DAY):
        names.append(served(practice).pattern)
        solve(practice, served(practice))
    assert names == list(exercises_of())[:NEW_PER_DAY]
    assert practice.next("ann") is None
    standing = practice.standing("ann")
    assert (standing.due, standing.new, standing.answered, standing.streak) == (0, 0, 3, 1)


def test_missed_patterns_are_added_first(practice: Practice) -> None:
    """Missed patterns come first, and names that no longer exist are skipped."""
    wanted = list(exercises_of())[-1]
    found = practice.next("ann", missed=["gone", wanted])
    assert found is not None
    assert found.exercise.pattern == wanted


def test_exercise_stays_until_it_is_answered(practice: Practice, clock: Clock) -> None:
    """After a reload, the exercise is the same and the clock has kept running."""
    first = served(practice)
    clock.now += 30
    again = practice.next("ann")
    assert again is not None
    assert (again.exercise.id, again.elapsed_s) == (first.id, 30)


def test_intervals_grow(practice: Practice, clock: Clock) -> None:
    """Each right answer on the due day at least doubles the interval."""
    name = served(practice).pattern
    days = []
    for _ in range(4):
        exercise = served(practice, name)
        clock.now += 10
        card = solve(practice, exercise).card
        assert card is not None
        days.append((card.due - card.reviewed) / _DAY)
        clock.now = card.due
        assert practice.standing("ann").due == 1
    assert all(later >= 2 * sooner for sooner, later in pairwise(days))


def test_missed_pattern_comes_back_today(practice: Practice, clock: Clock) -> None:
    """A missed pattern is asked again after the new ones, or earlier after ten minutes."""
    missed = served(practice)
    card = solve(practice, missed, right=False).card
    assert card is not None
    assert card.due == clock.now + 10 * _MINUTE
    assert served(practice).pattern != missed.pattern
    clock.now = card.due
    solve(practice, served(practice))
    assert served(practice).pattern == missed.pattern


def test_rating_follows_the_answers(practice: Practice) -> None:
    """Each pattern has its own rating."""
    name, other = list(exercises_of())[:2]
    assert solve(practice, served(practice, name)).change > 0
    assert solve(practice, served(practice, other), right=False).change < 0
    cards = practice.standing("ann").cards
    assert cards[name].rating.rating > 1000 > cards[other].rating.rating


def test_extra_practice_keeps_the_date_unless_it_fails(practice: Practice, clock: Clock) -> None:
    """Right answers ahead of time do not postpone a pattern, but a miss brings it back."""
    name = next(iter(exercises_of()))
    first = solve(practice, served(practice, name)).card
    second = solve(practice, served(practice, name)).card
    assert first is not None
    assert second is not None
    assert (second.due, second.answered) == (first.due, 2)
    third = solve(practice, served(practice, name), right=False).card
    assert third is not None
    assert third.due < clock.now + _DAY


def test_only_the_first_answer_counts(practice: Practice) -> None:
    """A second answer to the same exercise is judged, but changes nothing."""
    exercise = served(practice)
    solve(practice, exercise)
    again = solve(practice, exercise)
    assert not again.counted
    assert practice.standing("ann").answered == 1


def test_exercises_of_a_pattern_alternate(practice: Practice) -> None:
    """Every exercise of a pattern, including false friends, appears once before any repeats."""
    name = max(exercises_of(), key=lambda name: len(exercises_of()[name]))
    shown = []
    for _ in exercises_of()[name]:
        shown.append(served(practice, name).id)
        solve(practice, served(practice, name))
    assert len(set(shown)) == len(shown) == len(exercises_of()[name])
    assert served(practice, name).id == shown[0]


def test_streak_counts_days_in_a_row(practice: Practice, clock: Clock) -> None:
    """Today may still be unanswered, but a day without answers ends the streak."""
    name = next(iter(exercises_of()))
    for expected in (1, 2, 3):
        solve(practice, served(practice, name))
        assert practice.standing("ann").streak == expected
        clock.now += _DAY
    assert practice.standing("ann").streak == 3
    clock.now += _DAY
    assert practice.standing("ann").streak == 0


def test_players_are_separate(practice: Practice) -> None:
    """One player's answers do not affect another's practice."""
    solve(practice, served(practice))
    assert practice.standing("bob").cards == {}


def test_unknown_names_are_refused(practice: Practice) -> None:
    """Unknown patterns and exercises raise an error."""
    with pytest.raises(BadPuzzle, match="no exercises for the pattern 'gone'"):
        practice.next("ann", "gone")
    with pytest.raises(BadPuzzle, match="no exercise 'gone'"):
        practice.answer("ann", "gone", Answer())


def test_nothing_cannot_name_cells(practice: Practice) -> None:
    """An answer either lists cells or says that nothing is proved."""
    exercise = next(one for listed in exercises_of().values() for one in listed if one.safe)
    answer = Answer.of(exercise.position, exercise.safe)
    with pytest.raises(BadSetting, match="cannot name cells"):
        practice.answer("ann", exercise.id, answer, nothing=True)


def test_standing_has_a_json_form(practice: Practice, clock: Clock) -> None:
    """Cards show the time per answer and when they are due."""
    exercise = served(practice)
    clock.now += 8
    solve(practice, exercise)
    found = practice.standing("ann").to_json()
    card = found["cards"][exercise.pattern]
    assert (card["seconds"], card["answered"], card["recalled"]) == (8.0, 1, 1.0)
    assert found["next_due_s"] == card["due_s"] > _DAY
    assert exercise.pattern in patterns()
