"""Find the easiest proof of each proved cell in a position, with flags as known mines."""

from __future__ import annotations

from typing import Final

from sapper.coach.trainer.puzzle import Need, Question, given
from sapper.errors import BadSetting
from sapper.position import Position
from sapper.solver import Deduction, analyze, deduce
from sapper.solver.search import WinChance
from sapper.solver.winning import win_chance
from sapper.solver.witnesses import Witnesses
from sapper.topology import Cell

__all__ = [
    "EQUAL",
    "ORDER",
    "best_cells",
    "can_fail",
    "goals",
    "need_of",
    "proof_of",
    "target",
]

EQUAL: Final = 1e-9
"""Rounding error of two chances that count the same wins."""

ORDER: Final = tuple(Need)
"""The needs from easy to hard."""


def proof_of(position: Position, cell: Cell, *, mined: bool) -> Deduction:
    """Return the easiest proof of a proved cell.

    Raises:
        BadSetting: If the cell is not proved.
    """
    found = deduce(given(position), cell, mined=mined)
    if found is None:
        raise BadSetting(f"{cell} is not proved {'a mine' if mined else 'safe'}")
    return found


def need_of(proof: Deduction) -> Need:
    """Return the kind of deduction that a proof needs."""
    if proof.mines is not None:
        return Need.TOTAL
    return ORDER[min(len(proof.witnesses), 3) - 1]


def goals(position: Position) -> dict[Cell, Deduction]:
    """Return a proof for each proved cell without a flag, in row order."""
    known = analyze(given(position))
    return {
        cell: proof_of(position, cell, mined=cell in known.mined)
        for cell in sorted(known.safe | known.mined)
    }


def target(question: Question, position: Position) -> Need:
    """Return the kind of deduction that a question about a position needs.

    Raises:
        BadSetting: If the question has no solution there.
    """
    proofs = goals(position).values()
    if question is Question.ALL and proofs:
        return max(map(need_of, proofs), key=ORDER.index)
    easiest = min((need_of(p) for p in proofs if not p.mined), key=ORDER.index, default=Need.GUESS)
    wanted = (Question.GUESS,) if easiest is Need.GUESS else (Question.SAFE, Question.ALL)
    if question not in wanted:
        raise BadSetting(f"the question {question!r} has no solution here")
    return easiest


def best_cells(position: Position) -> tuple[WinChance, frozenset[Cell]]:
    """Return the win chances and the best cells, if perfect play is known.

    Raises:
        BadSetting: If perfect play is unknown.
    """
    found = win_chance(given(position), seed=0)
    if found.kind != "exact":
        raise BadSetting("the win chance is not exact here")
    best = found.win_chance - EQUAL
    return found, frozenset(at.cell for at in found.cells if at.win_chance >= best)


def can_fail(question: Question, position: Position) -> bool:
    r"""Return whether a question has plausible wrong answers.

    At least one cell next to a number must be a wrong answer. If the answer is a single cell, at
    most half of all cells may be right, so that a random click is at best an even bet.

    >>> can_fail(Question.SAFE, Position.parse("F1.\n11."))
    False

    Raises:
        BadSetting: If the question is a guess without an exactly known best cell.
    """
    if question is Question.GUESS:
        right = best_cells(position)[1]
    else:
        right = frozenset(analyze(given(position)).safe)
    shape, witnesses = position.topology, Witnesses(given(position)).all().values()
    beside = {shape.cell(at) for witness in witnesses for at in witness.cells}
    if question is not Question.ALL and 2 * len(right) > position.cells.count(b"."):
        return False
    return not beside <= right
