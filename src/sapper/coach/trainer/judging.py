"""Judge answers with the exact engine, and explain them with proofs and counterexamples."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from sapper.coach.trainer.needs import best_cells, goals, need_of, proof_of
from sapper.coach.trainer.puzzle import Question, given
from sapper.errors import BadSetting
from sapper.position import FLAGGED, Position
from sapper.solver import Analysis, Deduction, ProofStep, analyze, both_ways, proof_steps
from sapper.solver.search import WinChance
from sapper.topology import Cell
from sapper.translation import capital, percent, sentences, t

__all__ = ["Answer", "Explanation", "Place", "Verdict", "judge", "judge_goals"]

_MOST_EXPLAINED: Final = 8
"""The most mistakes explained per answer."""

Place = Callable[[Cell], str]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: one safe cell, or every cell marked as safe or mine; an empty answer gives up.

    Attributes:
        safe: Cells claimed safe; for a guess, the chosen cell.
        mined: Cells claimed to be mines.
    """

    safe: frozenset[Cell] = frozenset()
    mined: frozenset[Cell] = frozenset()

    @classmethod
    def of(
        cls,
        position: Position,
        safe: Iterable[tuple[int, int]] = (),
        mined: Iterable[tuple[int, int]] = (),
    ) -> Answer:
        """Return an answer about a position.

        Raises:
            BadSetting: If a cell does not exist, is open, has a flag, or is named twice.
        """
        shape = position.topology
        clear, mines = ([shape.cell(shape.index(at)) for at in cells] for cells in (safe, mined))
        for cell in (*clear, *mines):
            if not position.is_unopened(cell) or position[cell] == FLAGGED:
                raise BadSetting(f"an answer names unopened cells without a flag, not {cell}")
        if len({*clear, *mines}) < len(clear) + len(mines):
            raise BadSetting("an answer names each cell once")
        return cls(frozenset(clear), frozenset(mines))


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of a cell.

    Attributes:
        cell: The cell.
        state: ``safe`` or ``mined`` if proved, otherwise ``open``.
        text: One sentence.
        steps: The proof step by step.
        board: If nothing is proved: the mines of an arrangement that fits but contradicts the
            answer.
    """

    cell: Cell
    state: str
    text: str
    steps: tuple[ProofStep, ...] = ()
    board: tuple[Cell, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, with cells as ``[row, col]``."""
        return {
            "cell": list(self.cell),
            "state": self.state,
            "text": self.text,
            "steps": [step.to_json() for step in self.steps],
            "board": None if self.board is None else [list(cell) for cell in self.board],
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of an answer.

    Attributes:
        solved: Whether the answer is right.
        text: One sentence, or two for a guess.
        safe: All cells that are correct answers; for a guess, the best cells.
        mined: All proved mines without a flag.
        explanations: Explanations of the mistakes first, then of a correct cell.
        chances: For a guess, each cell with its risk and win chance.
    """

    solved: bool
    text: str
    safe: tuple[Cell, ...]
    mined: tuple[Cell, ...]
    explanations: tuple[Explanation, ...]
    chances: tuple[tuple[Cell, float, float], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, with cells as ``[row, col]``."""
        return {
            "solved": self.solved,
            "text": self.text,
            "safe": [list(cell) for cell in self.safe],
            "mined": [list(cell) for cell in self.mined],
            "explanations": [one.to_json() for one in self.explanations],
            "chances": [
                {"cell": list(cell), "p_mine": risk, "win_chance": win}
                for cell, risk, win in self.chances
            ],
        }


def judge(question: Question, position: Position, answer: Answer, place: Place = str) -> Verdict:
    r"""Judge an answer.

    >>> wall = Position.parse("...\n111\n000")
    >>> judge(Question.SAFE, wall, Answer.of(wall, [(0, 2)])).solved
    True
    >>> print(judge(Question.SAFE, wall, Answer.of(wall, [(0, 1)])).text)
    (0, 1) is a mine.

    Args:
        question: The question.
        position: A position in which the question has a solution.
        answer: The answer.
        place: Formats a cell in text (default: ``(row, column)``, counted from 0).
    """
    if question is Question.GUESS:
        return _guess(position, answer, place)
    known, proofs = analyze(given(position)), goals(position)
    if question is Question.SAFE:
        return _one(position, known, proofs, answer, place)
    return judge_goals(position, known, proofs, answer, place)


def _one(
    position: Position,
    analysis: Analysis,
    proofs: dict[Cell, Deduction],
    answer: Answer,
    place: Place,
) -> Verdict:
    safe = [cell for cell, proof in proofs.items() if not proof.mined]
    easiest = min(safe, key=lambda at: (_effort(proofs[at]), at))
    if answer.mined or len(answer.safe) > 1:
        raise BadSetting("the answer is one safe cell")
    chosen = next(iter(answer.safe), None)
    solved = chosen in analysis.safe
    told = []
    if solved:
        assert chosen is not None
        said = capital(t("{cell} is safe.", cell=place(chosen)))
        told = [_proved(position, chosen, proofs, place)]
    elif chosen is None:
        said = capital(t("{cell} is safe.", cell=place(easiest)))
    else:
        told = [_mistake(position, analysis, chosen, proofs, mined=False, place=place)]
        proved = told[0].state == "mined"
        unproved = capital(t("{cell} is not proved safe.", cell=place(chosen)))
        said = told[0].text if proved else unproved
    if not solved:
        told.append(_proved(position, easiest, proofs, place))
    return Verdict(solved, said, tuple(safe), (), tuple(told))


def judge_goals(
    position: Position,
    analysis: Analysis,
    proofs: dict[Cell, Deduction],
    answer: Answer,
    place: Place = str,
) -> Verdict:
    """Judge an answer that must mark all goals, and no cell that is not proved.

    Args:
        position: The position.
        analysis: Its analysis, with flags as known mines.
        proofs: The goals with their proofs.
        answer: The answer.
        place: Formats a cell in text (default: ``(row, column)``, counted from 0).
    """
    wrong = sorted(answer.safe - analysis.safe | answer.mined - analysis.mined)
    missed = sorted(proofs.keys() - answer.safe - answer.mined, key=lambda at: _effort(proofs[at]))
    told = [
        _mistake(position, analysis, cell, proofs, mined=cell in answer.mined, place=place)
        for cell in wrong
    ]
    told += [_proved(position, cell, proofs, place) for cell in missed]
    solved = not told
    right = (answer.safe & analysis.safe) | (answer.mined & analysis.mined)
    if solved:
        said = t("You found everything that can be proved.")
        told = [_proved(position, cell, proofs, place) for cell in sorted(right)]
    else:
        counts = {"found": len(right), "total": len(proofs), "wrong": len(wrong)}
        said = (
            t("{found} of {total} found, {wrong} wrong.", **counts)
            if wrong
            else t("{found} of {total} found.", found=len(right), total=len(proofs))
        )
    safe = tuple(cell for cell in proofs if cell in analysis.safe)
    mined = tuple(cell for cell in proofs if cell in analysis.mined)
    return Verdict(solved, said, safe, mined, tuple(told[:_MOST_EXPLAINED]))


def _guess(position: Position, answer: Answer, place: Place) -> Verdict:
    if answer.mined or len(answer.safe) > 1:
        raise BadSetting("the answer is one cell")
    found, best = best_cells(position)
    chances = tuple((at.cell, at.p_mine, at.win_chance) for at in found.cells)
    chosen = next(iter(answer.safe), None)
    solved = chosen in best
    told = [_valued(found, min(best), place, best=True)]
    if chosen is not None and not solved:
        told.insert(0, _valued(found, chosen, place, best=False))
    return Verdict(
        solved,
        sentences(*(one.text for one in told)),
        tuple(sorted(best)),
        (),
        tuple(told),
        chances,
    )


def _valued(found: WinChance, cell: Cell, place: Place, *, best: bool) -> Explanation:
    at = next((at for at in found.cells if at.cell == cell), None)
    if at is None:
        return Explanation(cell, "mined", capital(t("{cell} is a mine.", cell=place(cell))))
    text = capital(
        t(
            "{cell} wins {chance} of the time, with a mine risk of {risk}.",
            cell=place(cell),
            chance=percent(at.win_chance),
            risk=percent(at.p_mine),
        )
    )
    least = min(one.p_mine for one in found.cells)
    if best and at.p_mine > least + 1e-9:
        rival = t("The least risky cell ({risk}) wins less often.", risk=percent(least))
        text = sentences(text, rival)
    return Explanation(cell, "open", text)


def _effort(proof: Deduction) -> tuple[int, int]:
    return list(type(need_of(proof))).index(need_of(proof)), len(proof.witnesses)


def _proved(
    position: Position, cell: Cell, proofs: dict[Cell, Deduction], place: Place
) -> Explanation:
    """Explain a proved cell."""
    proof = proofs.get(cell) or proof_of(position, cell, mined=False)
    state = "mined" if proof.mined else "safe"
    name = place(cell)
    said = t("{cell} is a mine.", cell=name) if proof.mined else t("{cell} is safe.", cell=name)
    return Explanation(cell, state, capital(said), proof_steps(given(position), proof, place=place))


def _mistake(
    position: Position,
    analysis: Analysis,
    cell: Cell,
    proofs: dict[Cell, Deduction],
    *,
    mined: bool,
    place: Place,
) -> Explanation:
    """Explain a cell that was claimed to be `mined` or safe without proof."""
    if cell in proofs:
        return _proved(position, cell, proofs, place)
    if cell in analysis.safe or cell in analysis.mined:
        proof = proof_of(position, cell, mined=cell in analysis.mined)
        return _proved(position, cell, {cell: proof}, place)
    boards = both_ways(given(position), cell, seed=0)
    name = place(cell)
    if boards is None:
        return Explanation(cell, "open", capital(t("{cell} is not proved.", cell=name)))
    board = boards[1] if mined else boards[0]
    said = (
        t("{cell} can be clear: this arrangement fits every number.", cell=name)
        if mined
        else t("{cell} can be a mine: this arrangement fits every number.", cell=name)
    )
    mines = tuple(at for at in position.unopened_cells() if board.is_mine(at))
    return Explanation(cell, "open", capital(said), board=mines)
