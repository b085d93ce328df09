"""Mistakes in a reviewed game as questions: find a safe cell, or a better one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, Self

import numpy as np

from sapper._util.shortening import shortened
from sapper.coach.decisions import EQUAL, GOOD, Decision, Kind, Value, verdict
from sapper.coach.review_result import Review
from sapper.coach.trainer.judging import Answer, Explanation, Verdict
from sapper.coach.trainer.puzzle import BadPuzzle, Question
from sapper.coach.values import ChoiceChances, Values
from sapper.errors import BadSetting, LimitReached
from sapper.position import Position
from sapper.solver import Analysis, Deduction, Limit, Solver, both_ways, deduce, proof_steps
from sapper.solver.deduction import easiest
from sapper.solver.limit import Cancel
from sapper.topology import Cell
from sapper.translation import capital, percent, sentences, t

__all__ = ["Mistake", "judge_mistake", "mistake_of", "mistakes_of"]

_STATES: Final = 5_000_000
"""The budget for analysing one position, equal to that of reviews, so that chances agree."""

Place = Callable[[Cell], str]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A needless guess or a blunder as a question.

    Attributes:
        question: ``SAFE`` if a cell was proved safe, otherwise ``GUESS``.
        position: The player's view before the mistake, without flags.
        cell: The cell that was opened.
        move: The index of the decision.
    """

    question: Question
    position: Position
    cell: Cell
    move: int

    @property
    def id(self) -> str:
        """A short name, made from the position and the question."""
        text = f"{self.question} {self.position}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, which `from_json` reads, without the solution."""
        return {
            "id": self.id,
            "question": str(self.question),
            "cell": list(self.cell),
            "move": self.move,
            "position": self.position.to_json(),
        }

    @classmethod
    def from_json(cls, obj: Any) -> Self:
        """Read the JSON form.

        Raises:
            BadPuzzle: If the object is invalid.
        """
        try:
            position = Position.from_json(obj["position"])
            row, col = obj["cell"]
            cell = position.topology.cell(position.topology.index((row, col)))
            question, move = Question(obj["question"]), obj["move"]
        except (KeyError, TypeError, ValueError) as problem:
            raise BadPuzzle(f"not a mistake: {shortened(str(problem), 120)}") from None
        if type(move) is not int:
            raise BadPuzzle("not a mistake: 'move' must be an integer")
        return cls(question, position, cell, move)


def mistake_of(decision: Decision, position: Position) -> Mistake | None:
    """Return a decision as a question; None if it was not a mistake, or no better cell is known.

    Args:
        decision: A decision with its win chances.
        position: The player's view before the decision.
    """
    if decision.kind not in (Kind.NEEDLESS_GUESS, Kind.BLUNDER):
        return None
    if decision.safe:
        return Mistake(Question.SAFE, position, decision.cell, decision.index)
    # Rules that forbid this guess may forbid other guesses too, so there is an answer only if some
    # cell is better.
    mined = decision.p_mine >= 1 - EQUAL
    judged = verdict(replace(decision, forbidden=False), mined=mined, choice=True)
    if judged is not Kind.BLUNDER or decision.best in (None, decision.cell):
        return None
    return Mistake(Question.GUESS, position, decision.cell, decision.index)


def mistakes_of(review: Review) -> tuple[Mistake, ...]:
    """Return the mistakes in a game in order, including undone ones, each question once.

    >>> from sapper import review
    >>> from sapper.simulation import Match
    >>> [found] = mistakes_of(review(Match("autosweeper", "10x10:18").game(seed=36)))
    >>> found.question.value, found.cell
    ('safe', Cell(row=0, col=5))
    """
    found: dict[str, Mistake] = {}
    for decision in review.decisions:
        if decision.kind in (Kind.NEEDLESS_GUESS, Kind.BLUNDER):
            mistake = mistake_of(decision, review.position(decision.index))
            if mistake is not None:
                found.setdefault(mistake.id, mistake)
    return tuple(found.values())


def judge_mistake(
    mistake: Mistake, answer: Answer, place: Place = str, cancel: Cancel | None = None
) -> Verdict:
    """Judge an answer to a mistake.

    A wrong answer is explained without the solution, so that the player can try again; an empty
    answer shows it.

    Args:
        mistake: The mistake.
        answer: One cell, or none.
        place: Formats a cell in text (default: ``(row, column)``, counted from 0).
        cancel: Stops the work, for example from another thread.

    Raises:
        BadSetting: If the answer is more than one cell.
        Cancelled: If the flag is set.
    """
    if answer.mined or len(answer.safe) > 1:
        raise BadSetting("the answer is one cell")
    limit = Limit(states=_STATES, cancel=cancel)
    known = Solver().analyze(mistake.position, limit=limit)
    chosen = next(iter(answer.safe), None)
    judged = _safe if mistake.question is Question.SAFE else _better
    return judged(mistake, known, chosen, limit, place)


def _safe(
    mistake: Mistake, analysis: Analysis, chosen: Cell | None, limit: Limit, place: Place
) -> Verdict:
    if chosen is not None and chosen not in analysis.safe:
        told = _not_safe(analysis, chosen, limit, place)
        said = told.text
        if chosen not in analysis.mined:
            risk = percent(float(analysis.p_mine[chosen]))
            said = capital(
                t(
                    "{cell} is not proved safe: its mine risk is {risk}.",
                    cell=place(chosen),
                    risk=risk,
                )
            )
        return Verdict(False, said, (), (), (told,))
    if chosen is None:
        proof = easiest(mistake.position, sorted(analysis.safe_indices))
        chosen = min(analysis.safe) if proof is None else proof.cell
        solved = False
    else:
        proof = deduce(mistake.position, chosen, limit=limit)
        solved = True
    said = capital(t("{cell} is safe.", cell=place(chosen)))
    told = Explanation(chosen, "safe", said, _steps(mistake.position, proof, place))
    return Verdict(solved, said, tuple(sorted(analysis.safe)), (), (told,))


def _not_safe(analysis: Analysis, cell: Cell, limit: Limit, place: Place) -> Explanation:
    """Explain why a cell is not safe, with a proof or an arrangement with a mine there."""
    if cell in analysis.mined:
        return _mined(analysis, cell, limit, place)
    try:
        boards = both_ways(analysis.position, cell, seed=0, limit=limit)
    except LimitReached:
        boards = None
    if boards is None:
        return Explanation(cell, "open", capital(t("{cell} is not proved.", cell=place(cell))))
    mines = tuple(at for at in analysis.position.unopened_cells() if boards[0].is_mine(at))
    said = t("{cell} can be a mine: this arrangement fits every number.", cell=place(cell))
    return Explanation(cell, "open", capital(said), board=mines)


def _mined(analysis: Analysis, cell: Cell, limit: Limit, place: Place) -> Explanation:
    proof = deduce(analysis.position, cell, limit=limit, mined=True)
    said = capital(t("{cell} is a mine.", cell=place(cell)))
    return Explanation(cell, "mined", said, _steps(analysis.position, proof, place))


def _steps(position: Position, proof: Deduction | None, place: Place) -> tuple[Any, ...]:
    return () if proof is None else proof_steps(position, proof, place=place)


def _better(
    mistake: Mistake, analysis: Analysis, chosen: Cell | None, limit: Limit, place: Place
) -> Verdict:
    if chosen is not None and chosen in analysis.mined:
        told = _mined(analysis, chosen, limit, place)
        return Verdict(False, told.text, (), (), (told,))
    values = Values(limit)
    found = values.choice(analysis, chosen or mistake.cell)
    if found is None or found.chosen is None:
        return _less_risky(analysis, chosen, place)
    if chosen is None:
        return _solution(mistake, analysis, found, place)
    lost = max(0.0, found.before.win_chance - found.chosen.win_chance)
    # As in reviews, differences within the sampling error do not count against the player.
    noise = (found.before.error or 0.0) + (found.chosen.error or 0.0)
    if lost <= max(GOOD, noise) + EQUAL:
        return _solution(mistake, analysis, found, place, chosen)
    said = sentences(
        _worth(analysis, chosen, found.chosen, place),
        t("The best cell wins {chance} of the time.", chance=percent(found.before.win_chance)),
    )
    return Verdict(False, said, (), (), (Explanation(chosen, "open", said),))


def _solution(
    mistake: Mistake,
    analysis: Analysis,
    found: ChoiceChances,
    place: Place,
    chosen: Cell | None = None,
) -> Verdict:
    """Return the verdict with the best cell, or with the chosen one if it is as good."""
    win = found.before if chosen is None else found.chosen
    assert win is not None
    cell = found.best.cell if chosen is None else chosen
    said = _worth(analysis, cell, win, place)
    if chosen is not None:
        said = sentences(said, t("No cell is better."))
    chances = [(cell, float(analysis.p_mine[cell]), win.win_chance)]
    if chosen is None and found.chosen is not None and mistake.cell != cell:
        risk = float(analysis.p_mine[mistake.cell])
        chances.append((mistake.cell, risk, found.chosen.win_chance))
    told = (Explanation(cell, "open", said),)
    return Verdict(chosen is not None, said, (cell,), (), told, tuple(chances))


def _worth(analysis: Analysis, cell: Cell, win: Value, place: Place) -> str:
    words = {
        "cell": place(cell),
        "chance": percent(win.win_chance),
        "risk": percent(float(analysis.p_mine[cell])),
    }
    said = (
        t("{cell} wins {chance} of the time, with a mine risk of {risk}.", **words)
        if win.kind == "exact"
        else t("{cell} wins about {chance} of the time, with a mine risk of {risk}.", **words)
    )
    return capital(said)


def _less_risky(analysis: Analysis, chosen: Cell | None, place: Place) -> Verdict:
    """Return the verdict if no win chance is known: a cell with the lowest risk is right."""
    risks = analysis.p_mine.ravel()
    least = int(np.nanargmin(risks))
    cell = analysis.position.topology.cell(least) if chosen is None else chosen
    risk = float(analysis.p_mine[cell])
    said = capital(t("{cell} has a mine risk of {risk}.", cell=place(cell), risk=percent(risk)))
    right = risk <= float(risks[least]) + EQUAL
    if not right:
        said = sentences(said, t("Another cell is less risky."))
    told = (Explanation(cell, "open", said),)
    return Verdict(right and chosen is not None, said, (cell,) if right else (), (), told)
