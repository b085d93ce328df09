"""A decision in a game, and its verdict."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Self, get_args

from sapper._util.arguments import switch, whole
from sapper._util.json_reading import cell as cell_of
from sapper._util.json_reading import cells, fraction, reading
from sapper._util.names import either
from sapper.coach.pattern_name import PatternName
from sapper.position import Position, check_position
from sapper.solver import Deduction, ProofStep
from sapper.solver.search.chances import Kind as ValueKind
from sapper.topology import Cell

__all__ = ["BLUNDER", "EQUAL", "GOOD", "SHARE", "Decision", "Kind", "Value", "verdict"]

GOOD: Final = 0.01
"""A guess that loses at most this much win chance counts as best."""
BLUNDER: Final = 0.05
"""A guess that loses this much win chance is a blunder,"""
SHARE: Final = 0.25
"""as is one that loses more than `GOOD` and this share of the win chance."""
RISK: Final = 0.10
"""If no win chance is known, a guess this much riskier than the least is a blunder."""
EQUAL: Final = 1e-6
"""Bounds the rounding error of risks and chances; real differences are larger."""


class Kind(StrEnum):
    """The verdict on a decision."""

    PROVED = "proved"
    """The cell was proved safe, or safe by the first-click promise."""
    FORCED_GUESS = "forced_guess"
    """No cell was proved safe; the choice mattered little, or was not the best."""
    GOOD_GUESS = "good_guess"
    """No cell was proved safe, cells differed, and a best one was chosen."""
    NEEDLESS_GUESS = "needless_guess"
    """The cell was not proved safe, and another one was."""
    BLUNDER = "blunder"
    """A proved mine, a guess that the rules forbid, or a guess far worse than the best."""


@dataclass(frozen=True, slots=True)
class Value:
    """A chance to win.

    Attributes:
        win_chance: From 0 to 1.
        kind: ``exact``, ``sampled`` or ``estimated``.
        error: 95 % half-width: 0 if exact, None if estimated.
    """

    win_chance: float
    kind: ValueKind
    error: float | None = 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"win_chance": self.win_chance, "kind": self.kind, "error": self.error}

    @classmethod
    def from_json(cls, obj: Any) -> Self:
        """Read the JSON form.

        Raises:
            BadSave: If the JSON form is invalid.
        """
        with reading("a win chance"):
            kind, error = obj["kind"], obj["error"]
            if kind not in get_args(ValueKind):
                raise ValueError(f"'kind' must be {either(get_args(ValueKind))}")
            return cls(
                fraction(obj["win_chance"], "'win_chance'"),
                kind,
                None if error is None else fraction(error, "'error'"),
            )


@dataclass(frozen=True, slots=True)
class Decision:
    """One opened cell of a game: the choice, and the alternatives.

    Attributes:
        index: Its index in the review, from 0. Each cell opened by a chord counts.
        cell: The cell.
        kind: The verdict, based on risks alone until win chances are known.
        chord: The number whose chord opened it, or None.
        p_mine: The risk taken: the chance of a mine on the cell, from 0 to 1.
        least: The lowest risk of any cell: 0 if one was proved safe.
        exact: Whether the risks are exact; otherwise they are estimated, but `safe` is still
        proved.
        safe: The proved safe cells, if the decision was a needless guess or a blunder.
        proof: A proof that one of them is safe, if searched for.
        steps: The same step by step.
        pattern: The pattern that proves one of them, preferably the one of `proof`, if any.
        best: The cell that `proof` proves safe; if no cell was safe, the one with the best win
            chance or, if unknown, the lowest risk. None for a proved cell, and until win chances
            are known.
        best_p_mine: The risk of `best`.
        before: The win chance of the best cell; for a promised first click, the chance after it.
        chosen: The win chance of the chosen cell, before it was opened.
        after: The win chance afterwards; 0 after a mine.
        exploded: Whether it was a mine.
        undone: Whether it was undone later, which excludes it from the summary.
        promised: Whether it is a first click that the rules promise to be safe.
        granted: Whether the rules open this cell although it is not proved safe.
        forbidden: Whether the rules made it a mine because they forbid such a guess.
    """

    index: int
    cell: Cell
    kind: Kind
    chord: Cell | None
    p_mine: float
    least: float
    exact: bool
    safe: tuple[Cell, ...] = ()
    proof: Deduction | None = None
    steps: tuple[ProofStep, ...] = ()
    pattern: PatternName | None = None
    best: Cell | None = None
    best_p_mine: float | None = None
    before: Value | None = None
    chosen: Value | None = None
    after: Value | None = None
    exploded: bool = False
    undone: bool = False
    promised: bool = False
    granted: bool = False
    forbidden: bool = False

    @property
    def loss(self) -> float | None:
        """The win chance lost by the choice, 0 or more; None if unknown."""
        if self.before is None or self.chosen is None:
            return None
        return max(0.0, self.before.win_chance - self.chosen.win_chance)

    @property
    def is_guess(self) -> bool:
        """Whether the cell was neither proved nor promised to be safe."""
        return self.kind is not Kind.PROVED

    def _proof_json(self) -> dict[str, Any]:
        assert self.proof is not None
        return {**self.proof.to_json(), "steps": [step.to_json() for step in self.steps]}

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, with cells as ``[row, col]``."""

        def pair(cell: Cell | None) -> list[int] | None:
            return None if cell is None else list(cell)

        return {
            "index": self.index,
            "cell": list(self.cell),
            "kind": str(self.kind),
            "chord": pair(self.chord),
            "p_mine": self.p_mine,
            "least": self.least,
            "exact": self.exact,
            "safe": [list(cell) for cell in self.safe],
            "proof": None if self.proof is None else self._proof_json(),
            "pattern": None if self.pattern is None else self.pattern.to_json(),
            "best": pair(self.best),
            "best_p_mine": self.best_p_mine,
            "before": None if self.before is None else self.before.to_json(),
            "chosen": None if self.chosen is None else self.chosen.to_json(),
            "after": None if self.after is None else self.after.to_json(),
            "loss": self.loss,
            "exploded": self.exploded,
            "undone": self.undone,
            "promised": self.promised,
            "granted": self.granted,
            "forbidden": self.forbidden,
        }

    @classmethod
    def from_json(cls, obj: Any, position: Position) -> Self:
        """Read the JSON form of a decision.

        Args:
            obj: The JSON form.
            position: The position before the decision; see `Review.position`.

        Raises:
            BadSave: If the JSON form is invalid.
        """
        check_position(position)
        shape = position.topology

        def value(name: str) -> Value | None:
            return None if obj[name] is None else Value.from_json(obj[name])

        with reading("a decision"):
            chord, best, best_p_mine = obj["chord"], obj["best"], obj["best_p_mine"]
            proof, steps = _proof_from_json(obj["proof"], position)
            pattern = obj["pattern"]
            return cls(
                index=whole(obj["index"], "'index'"),
                cell=cell_of(obj["cell"], shape),
                kind=Kind(obj["kind"]),
                chord=None if chord is None else cell_of(chord, shape),
                p_mine=fraction(obj["p_mine"], "'p_mine'"),
                least=fraction(obj["least"], "'least'"),
                exact=switch(obj["exact"], "'exact'"),
                safe=cells(obj["safe"], shape),
                proof=proof,
                steps=steps,
                pattern=None if pattern is None else PatternName.from_json(pattern, position),
                best=None if best is None else cell_of(best, shape),
                best_p_mine=None if best_p_mine is None else fraction(best_p_mine, "'best_p_mine'"),
                before=value("before"),
                chosen=value("chosen"),
                after=value("after"),
                **{name: switch(obj[name], f"'{name}'") for name in _SWITCHES},
            )


_SWITCHES: Final = ("exploded", "undone", "promised", "granted", "forbidden")


def _proof_from_json(
    obj: Any, position: Position
) -> tuple[Deduction | None, tuple[ProofStep, ...]]:
    if obj is None:
        return None, ()
    steps = tuple(ProofStep.from_json(step, position) for step in obj["steps"])
    return Deduction.from_json(obj, position), steps


def verdict(decision: Decision, *, mined: bool, choice: bool) -> Kind:
    """Return the verdict on a decision that is neither proved nor promised to be safe.

    Args:
        decision: The decision, with its risks, and win chances if known.
        mined: Whether the cell was proved to be a mine.
        choice: Whether the candidate cells differ by more than `GOOD`.
    """
    if mined:
        return Kind.BLUNDER
    if decision.safe:
        return Kind.NEEDLESS_GUESS
    if decision.forbidden:
        return Kind.BLUNDER
    if decision.granted:
        return Kind.FORCED_GUESS
    loss = decision.loss
    if loss is None or decision.before is None or decision.chosen is None:
        extra = decision.p_mine - decision.least
        if extra >= RISK - EQUAL:
            return Kind.BLUNDER
        return Kind.GOOD_GUESS if choice and extra <= EQUAL else Kind.FORCED_GUESS
    # Differences within the sampling error do not count against the player.
    noise = (decision.before.error or 0.0) + (decision.chosen.error or 0.0)
    most = min(BLUNDER, SHARE * decision.before.win_chance)
    if loss > GOOD + EQUAL and loss >= most - EQUAL and loss > noise:
        return Kind.BLUNDER
    return Kind.GOOD_GUESS if choice and loss <= GOOD + EQUAL else Kind.FORCED_GUESS
