"""The next cell to open: proved safe, with the best win chance, or least risky."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self, get_args

import numpy as np

from sapper._util.arguments import expect, switch
from sapper._util.json_reading import cell as cell_of
from sapper._util.json_reading import fraction, reading, text
from sapper._util.names import either
from sapper._util.shortening import shown
from sapper._util.work import Work
from sapper.errors import IllegalAction
from sapper.position import Position, check_position
from sapper.solver.analysis import Analysis, no_chance
from sapper.solver.deduction import Deduction, easiest
from sapper.solver.exact import analyze
from sapper.solver.limit import Limit, checked
from sapper.solver.search.chances import CellChance, Kind, compared
from sapper.solver.wording import with_unknown_total
from sapper.topology import Cell
from sapper.translation import Text, percent, sentences, t

__all__ = ["Hint", "hint", "hint_from"]

# A bound on the rounding error of a few operations on probabilities. Real differences are larger.
_EQUAL = 1e-12
_COMPARED = 20_000
"""The most cells of equal risk to compare by their neighbours."""
_KINDS = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Hint:
    """A cell to open, and the reason.

    Attributes:
        cell: The cell.
        action: The action: always ``"open"``.
        p_mine: The chance of a mine there, from 0 to 1; an estimate if a limit ran out.
        proved: Whether the cell is proved safe, so that `p_mine` is exactly 0.
        sentence: The reason, for a player; it does not repeat the cell.
        proof: The proof that the cell is safe, if one was found.
        win_chance: For a guess, the chance to win by opening the cell, from 0 to 1; None if
            unknown.
        kind: Whether the win chances are ``exact`` or ``estimated``; None without any.
        least_risky: The least risky cell, with its risk and win chance, if another cell was chosen
            for its better win chance; otherwise None.
    """

    cell: Cell
    action: str
    p_mine: float
    proved: bool
    sentence: str
    proof: Deduction | None = None
    win_chance: float | None = None
    kind: Kind | None = None
    least_risky: CellChance | None = None

    @property
    def because(self) -> tuple[Cell, ...]:
        """The numbers that prove the cell safe, in row order; empty without a proof."""
        return () if self.proof is None else self.proof.because

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, with the cell as ``[row, col]``."""
        return {
            "cell": list(self.cell),
            "action": self.action,
            "p_mine": self.p_mine,
            "proved": self.proved,
            "sentence": self.sentence,
            "because": [list(cell) for cell in self.because],
            "proof": self.proof and self.proof.to_json(),
            "win_chance": self.win_chance,
            "kind": self.kind,
            "least_risky": self.least_risky and self.least_risky.to_json(),
        }

    @classmethod
    def from_json(cls, obj: Any, position: Position) -> Self:
        """Read the JSON form of a hint for a position.

        Raises:
            BadSave: If the JSON form is invalid.
        """
        check_position(position)
        with reading("a hint"):
            action, kind = obj["action"], obj["kind"]
            proof, win_chance, least = obj["proof"], obj["win_chance"], obj["least_risky"]
            if action != "open":
                raise ValueError(f"'action' must be 'open', got {shown(action)}")
            if kind is not None and kind not in _KINDS:
                raise ValueError(f"'kind' must be null or {either(_KINDS)}, got {shown(kind)}")
            return cls(
                cell_of(obj["cell"], position.topology),
                action,
                fraction(obj["p_mine"], "'p_mine'"),
                switch(obj["proved"], "'proved'"),
                text(obj["sentence"], "'sentence'"),
                None if proof is None else Deduction.from_json(proof, position),
                None if win_chance is None else fraction(win_chance, "'win_chance'"),
                kind,
                None if least is None else CellChance.from_json(least, position),
            )


def hint(position: Position, *, limit: Limit | None = None) -> Hint:
    r"""Return the next cell to open.

    If some cells are proved safe, this is the one with the easiest proof. Otherwise it is the cell
    with the best win chance, if known, as for few arrangements and for boards like Expert.
    Otherwise it is the least risky cell and, among equals, the one with the fewest neighbours,
    which is most likely to be a zero. Other ties go to the first cell in row order. Flags are
    ignored.

    >>> hint(Position.parse(".1\n.1\n.1", mines=1)).cell
    Cell(row=0, col=0)
    >>> hint(Position.parse(".1\n.1\n.1", mines=1)).proved
    True

    Args:
        position: The position.
        limit: The budget; when it is exceeded, risks are estimates and a proof may be missing.

    Raises:
        InconsistentPosition: If no arrangement fits.
        IllegalAction: If every unopened cell must be a mine.
        Cancelled: If the limit's flag is set.
    """
    limit = checked(limit)
    work = limit.work()
    return _hint(analyze(position, limit=limit), work)


def hint_from(analysis: Analysis, *, limit: Limit | None = None) -> Hint:
    """Return the hint for an existing analysis.

    Args:
        analysis: The analysis.
        limit: The budget for finding a proof or perfect play, both of which are optional.
            `Limit.states` is ignored.

    Raises:
        IllegalAction: If every unopened cell must be a mine.
    """
    expect(analysis, Analysis, "an Analysis")
    return _hint(analysis, checked(limit).work())


def _hint(analysis: Analysis, work: Work | None) -> Hint:
    if analysis.safe_indices:
        proof = easiest(analysis.position, sorted(analysis.safe_indices), work)
        first = analysis.position.topology.cell(min(analysis.safe_indices))
        cell = first if proof is None else proof.cell
        told = t("No arrangement that fits has a mine here.") if proof is None else proof.sentence()
        return Hint(cell, "open", 0.0, True, told, proof)
    return _guess(analysis, work)


def _guess(analysis: Analysis, work: Work | None) -> Hint:
    """Return the cell to guess, if none is proved safe."""
    topology = analysis.position.topology
    p_mine = analysis.p_mine.ravel()
    open_to_guess = ~np.isnan(p_mine)
    open_to_guess[list(analysis.mined_indices)] = False
    if not open_to_guess.any():
        left = "every unopened cell is a mine" if analysis.mined_indices else "no cell is unopened"
        raise IllegalAction(f"nothing to open: {left}")
    least = p_mine[open_to_guess].min()
    equal = np.flatnonzero(open_to_guess & (p_mine <= least + _EQUAL))[:_COMPARED].tolist()
    cell = min(equal, key=lambda i: (len(topology.graph.neighbours(i)), i))
    risk = float(p_mine[cell])
    if no_chance(analysis.position)[cell]:
        sentence = with_unknown_total(analysis.position, _untouched(analysis))
    else:
        sentence = _least_risky(analysis, percent(risk))
    least_risk = Hint(topology.cell(cell), "open", risk, False, sentence)
    return _compared(analysis, p_mine, least_risk, work) if analysis.exact else least_risk


def _untouched(analysis: Analysis) -> Text:
    """Return the reason to give for a cell about which nothing is known."""
    if analysis.exact:
        return t("No cell is safe. No number touches this one, so its chance of a mine is unknown.")
    return t(
        "No cell is proved safe. No number touches this one, so its chance of a mine is unknown."
    )


def _least_risky(analysis: Analysis, risk: str) -> Text:
    """Return the reason for the least risky cell."""
    if analysis.position.density is not None:
        if analysis.exact:
            return t(
                "No cell is safe. This is the least risky: its chance of a mine is {risk}.",
                risk=risk,
            )
        return t(
            "No cell is proved safe. This is the least risky: its chance of a mine is about "
            "{risk}.",
            risk=risk,
        )
    if analysis.exact:
        said = t(
            "No cell is safe. This is the least risky: {risk} of the arrangements have a mine "
            "here.",
            risk=risk,
        )
    else:
        said = t(
            "No cell is proved safe. This is the least risky: about {risk} of the arrangements "
            "have a mine here.",
            risk=risk,
        )
    return with_unknown_total(analysis.position, said)


def _compared(analysis: Analysis, p_mine: np.ndarray, hint: Hint, work: Work | None) -> Hint:
    """Return the hint with its win chance, or a hint for a cell with a better win chance."""
    found = compared(analysis.position, p_mine, work=work)
    if found is None:
        return hint
    best = found.cells[0]
    # Where several cells are equivalent, only some of them are searched.
    equal = [at for at in found.cells if at.p_mine <= hint.p_mine + _EQUAL]
    least = next((at for at in equal if at.cell == hint.cell), equal[0] if equal else None)
    if least is None:
        return hint
    if best.win_chance <= least.win_chance + _EQUAL:
        return replace(hint, cell=least.cell, win_chance=least.win_chance, kind=found.kind)
    exact = found.kind == "exact"
    chance, rival = (
        percent(share) if exact else t("about {share}", share=percent(share))
        for share in (best.win_chance, least.win_chance)
    )
    if analysis.position.density is None:
        why = t(
            "No cell is safe. This one has the best win chance, {chance}; {risk} of the "
            "arrangements have a mine here.",
            chance=chance,
            risk=percent(best.p_mine),
        )
    else:
        why = t(
            "No cell is safe. This one has the best win chance, {chance}; its chance of a mine is "
            "{risk}.",
            chance=chance,
            risk=percent(best.p_mine),
        )
    if best.p_mine > least.p_mine + _EQUAL:
        but = t(
            "The least risky cell ({risk}) wins only {chance}.",
            risk=percent(least.p_mine),
            chance=rival,
        )
    else:
        but = t("Another cell is equally risky but wins only {chance}.", chance=rival)
    sentence = sentences(why, but)
    return Hint(
        best.cell,
        "open",
        best.p_mine,
        False,
        sentence,
        win_chance=best.win_chance,
        kind=found.kind,
        least_risky=least,
    )
