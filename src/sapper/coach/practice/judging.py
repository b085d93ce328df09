"""Judge answers to exercises, and explain them with the ringed numbers alone."""

from __future__ import annotations

from sapper.coach.practice.exercise import Exercise
from sapper.coach.trainer.judging import Answer, Place, Verdict, judge_goals
from sapper.coach.trainer.puzzle import given
from sapper.errors import BadSetting
from sapper.solver import Deduction, analyze, deduce
from sapper.topology import Cell
from sapper.translation import sentences, t

__all__ = ["judge_exercise"]


def judge_exercise(
    exercise: Exercise, answer: Answer, *, nothing: bool = False, place: Place = str
) -> Verdict:
    """Judge an answer to an exercise.

    An answer is right if it has every cell that the ringed numbers prove, and no cell that the
    position does not prove.

    Args:
        exercise: The exercise.
        answer: The cells marked as safe and as mines; an empty one gives up unless `nothing`.
        nothing: Whether the answer is that the ringed numbers prove nothing.
        place: Formats a cell in text (default: ``(row, column)``, counted from 0).

    Raises:
        BadSetting: If `nothing` is combined with marked cells.
    """
    marked = bool(answer.safe or answer.mined)
    if nothing and marked:
        raise BadSetting("an answer that nothing is proved cannot name cells")
    known = analyze(given(exercise.position))
    goals = {
        cell: _proof(exercise, cell, mined=cell in exercise.mined)
        for cell in sorted((*exercise.safe, *exercise.mined))
    }
    verdict = judge_goals(exercise.position, known, goals, answer, place)
    if exercise.proves:
        return verdict
    said = t("The ringed numbers prove nothing.")
    text = sentences(said, verdict.explanations[0].text) if marked else said
    return Verdict(nothing, text, (), (), verdict.explanations if marked else ())


def _proof(exercise: Exercise, cell: Cell, *, mined: bool) -> Deduction:
    found = deduce(given(exercise.position), cell, mined=mined, numbers=exercise.numbers)
    if found is None:
        raise BadSetting(f"the ringed numbers do not prove {cell}")
    return found
