"""Exercises come from dealt games, are judged exactly, and include false friends."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sapper.coach.patterns import Family, pattern, patterns
from sapper.coach.practice import Exercise, exercises, exercises_of, judge_exercise
from sapper.coach.practice.exercise import read_exercises
from sapper.coach.practice.making import exercises_in, make, proves_no_more
from sapper.coach.trainer import Answer
from sapper.coach.trainer.puzzle import BadPuzzle, given
from sapper.solver import analyze, deduce


def an_exercise(**wanted: Any) -> Exercise:
    """Return the first exercise with these properties."""
    return next(
        one
        for one in exercises().values()
        if all(getattr(one, name) == value for name, value in wanted.items())
    )


def test_most_patterns_can_be_practised() -> None:
    """Rare patterns do not appear in small games; the common ones have false friends."""
    real = [name for name, one in patterns().items() if one.family is not Family.FALSE]
    assert len(exercises_of()) >= 0.8 * len(real)
    assert set(exercises_of()) <= set(real)
    friends = {one.pattern for one in exercises().values() if one.shown != one.pattern}
    assert {"1-1", "1-2"} <= friends


def test_exercises_are_made_again_from_the_same_seed() -> None:
    """The file can be regenerated, and every exercise survives a JSON round trip."""
    made = make(3, games=4)
    assert made == make(3, games=4)
    lines = [json.dumps(one.to_json()) for one in made]
    assert list(read_exercises(lines)) == made


@pytest.mark.parametrize("number", range(0, 400, 40))
def test_ringed_numbers_prove_the_answer_alone(number: int) -> None:
    """Flags are proved mines, and the ringed numbers prove exactly the cells of the answer."""
    check(list(exercises().values())[number % len(exercises())])


@pytest.mark.slow
def test_every_exercise_is_proved() -> None:
    """Every exercise in the file agrees with the exact engine."""
    for exercise in exercises().values():
        check(exercise)


def check(exercise: Exercise) -> None:
    """Compare an exercise with the exact engine."""
    position = exercise.position
    flags = {at for at in position.unopened_cells() if position[at] == "F"}
    assert flags <= analyze(position.without_flags()).mined
    known = analyze(given(position))
    assert set(exercise.safe) <= known.safe
    assert set(exercise.mined) <= known.mined
    for cells, mined in ((exercise.safe, False), (exercise.mined, True)):
        for cell in cells:
            assert deduce(given(position), cell, mined=mined, numbers=exercise.numbers), cell
    assert proves_no_more(exercise)
    near = {at for cell in exercise.numbers for at in position.topology.neighbours(cell)}
    if not exercise.proves:
        assert not near & (known.safe | known.mined)


def test_right_answer_has_every_cell() -> None:
    """Some of the cells are not enough, and the explanation shows the others."""
    exercise = next(one for one in exercises().values() if len(one.safe) + len(one.mined) > 1)
    right = Answer.of(exercise.position, exercise.safe, exercise.mined)
    assert judge_exercise(exercise, right).solved
    cells = sorted((*exercise.safe, *exercise.mined))
    some = Answer.of(
        exercise.position,
        [at for at in cells[1:] if at in exercise.safe],
        [at for at in cells[1:] if at in exercise.mined],
    )
    verdict = judge_exercise(exercise, some)
    assert not verdict.solved
    assert [one.cell for one in verdict.explanations] == [cells[0]]
    assert set(verdict.explanations[0].steps[0].numbers) <= set(exercise.numbers)


def test_nothing_is_the_answer_to_a_false_friend() -> None:
    """Any marked cell is wrong, and an arrangement shows why."""
    exercise = an_exercise(shown="not-1-1")
    assert judge_exercise(exercise, Answer(), nothing=True).solved
    assert not judge_exercise(exercise, Answer()).solved
    near = {at for cell in exercise.numbers for at in exercise.position.topology.neighbours(cell)}
    cell = next(at for at in sorted(near) if exercise.position[at] == ".")
    verdict = judge_exercise(exercise, Answer.of(exercise.position, [cell]))
    assert not verdict.solved
    assert verdict.text.startswith("The ringed numbers prove nothing.")
    assert verdict.explanations[0].board is not None


def test_nothing_is_wrong_where_cells_are_proved() -> None:
    """The explanation proves the missed cells."""
    exercise = next(one for one in exercises().values() if one.proves)
    verdict = judge_exercise(exercise, Answer(), nothing=True)
    assert not verdict.solved
    assert verdict.explanations[0].steps


def test_exercises_come_from_their_game() -> None:
    """The level and seed of an exercise deal the game that contains it."""
    exercise = an_exercise(pattern="1-2-1", shown="1-2-1")
    level, _, seed, *_ = exercise.game.split()
    assert exercise in list(exercises_in(level, int(seed)))
    assert pattern(exercise.pattern).proves


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pattern": "gone"}, "line 1: not an exercise: .*gone"),
        ({"numbers": [[99, 0]]}, "line 1: not an exercise"),
        ({"rows": None}, "line 1: not an exercise"),
    ],
)
def test_damaged_lines_are_refused(change: dict[str, Any], message: str) -> None:
    """The error names the line."""
    line = {**next(iter(exercises().values())).to_json(), **change}
    with pytest.raises(BadPuzzle, match=message):
        list(read_exercises([json.dumps(line)]))
