"""Why a game was lost, in figures and in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Self

from sapper._util.arguments import switch
from sapper._util.json_reading import cell, cells, fraction, reading, text
from sapper.board import Board
from sapper.solver import Analysis
from sapper.solver.wording import with_unknown_total
from sapper.topology import Cell
from sapper.translation import Text, percent, t, tn

__all__ = ["PostMortem", "sentence"]

_EQUAL: Final = 1e-9
"""Bounds the rounding error of a few operations on probabilities; real differences are larger."""


@dataclass(frozen=True, slots=True)
class PostMortem:
    """Why a game was lost.

    Attributes:
        cell: The mine that was opened.
        chord: The number whose chord opened it, or None.
        p_mine: The risk taken; see `Guess`.
        least: The lowest risk at that moment: 0 if there was a safe cell.
        safe: The proved safe cells.
        board: The board shown by the game, with a mine on the cell.
        clear_board: Another board that fits, with the cell clear; None if there is none or the
            position is too wide to find one.
        exact: Whether the analysis was exact; otherwise there may be more safe cells.
        sentence: The explanation for the player.
        forbidden: Whether the rules made the cell a mine because they forbid such a guess.
    """

    cell: Cell
    chord: Cell | None
    p_mine: float
    least: float
    safe: frozenset[Cell]
    board: Board
    clear_board: Board | None
    exact: bool
    sentence: str
    forbidden: bool

    @property
    def forced(self) -> bool:
        """Whether no cell was proved safe, and the rules did not forbid the guess."""
        return not self.safe and not self.forbidden

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, with cells as ``[row, col]``."""
        return {
            "cell": list(self.cell),
            "chord": None if self.chord is None else list(self.chord),
            "p_mine": self.p_mine,
            "least": self.least,
            "forced": self.forced,
            "forbidden": self.forbidden,
            "safe": [list(cell) for cell in sorted(self.safe)],
            "board": self.board.to_json(),
            "clear_board": None if self.clear_board is None else self.clear_board.to_json(),
            "exact": self.exact,
            "sentence": self.sentence,
        }

    @classmethod
    def from_json(cls, obj: Any) -> Self:
        """Read the JSON form.

        Raises:
            BadSave: If the JSON form is invalid.
        """
        with reading("the explanation of a loss"):
            board, clear, chord = Board.from_json(obj["board"]), obj["clear_board"], obj["chord"]
            shape = board.topology
            return cls(
                cell=cell(obj["cell"], shape),
                chord=None if chord is None else cell(chord, shape),
                p_mine=fraction(obj["p_mine"], "'p_mine'"),
                least=fraction(obj["least"], "'least'"),
                safe=frozenset(cells(obj["safe"], shape)),
                board=board,
                clear_board=None if clear is None else Board.from_json(clear),
                exact=switch(obj["exact"], "'exact'"),
                sentence=text(obj["sentence"], "'sentence'"),
                forbidden=switch(obj["forbidden"], "'forbidden'"),
            )


def sentence(analysis: Analysis, cell: Cell, least: float, why: str) -> str:
    """Summarise a fatal click in one sentence.

    Args:
        analysis: The analysis of the position before it.
        cell: The mine that was opened.
        least: The lowest risk of any cell.
        why: The clause added by the rules, if any.
    """
    p_mine, count = float(analysis.p_mine[cell]), len(analysis.safe)
    if cell in analysis.mined:
        if not count:
            return t("This cell was certainly a mine.")
        return tn(
            "This cell was certainly a mine, and there was a safe cell.",
            "This cell was certainly a mine, and there were {n} safe cells.",
            count,
        )
    risk, best = (
        percent(share) if analysis.exact else t("about {share}", share=percent(share))
        for share in (p_mine, least)
    )
    if count and why:
        return tn(
            "You took a risk of {risk} although a cell was safe, and {why}.",
            "You took a risk of {risk} although {n} cells were safe, and {why}.",
            count,
            risk=risk,
            why=why,
        )
    if count:
        return tn(
            "You took a risk of {risk} although a cell was safe.",
            "You took a risk of {risk} although {n} cells were safe.",
            count,
            risk=risk,
        )
    if why:
        return t("The rules forbade this guess: {why}.", why=why)
    said = _forced(analysis, p_mine > least + _EQUAL, abs(p_mine - 0.5) < _EQUAL, risk, best)
    return with_unknown_total(analysis.position, said)


def _forced(analysis: Analysis, riskier: bool, coin: bool, risk: str, best: str) -> Text:
    """Summarise a guess made when no cell was safe."""
    if analysis.exact:
        if riskier:
            return t(
                "No cell was safe, but you took a risk of {risk} when the lowest was {best}.",
                risk=risk,
                best=best,
            )
        if coin:
            return t("No cell was safe: this was a true coin flip.")
        return t("No cell was safe, and none was less risky than this one at {risk}.", risk=risk)
    if riskier:
        return t(
            "No cell was proved safe, but you took a risk of {risk} when the lowest was {best}.",
            risk=risk,
            best=best,
        )
    if coin:
        return t("No cell was proved safe: this was a true coin flip.")
    return t("No cell was proved safe, and none was less risky than this one at {risk}.", risk=risk)
