"""Luck and skill of a game, and the decisions that mattered most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sapper.coach.decisions import GOOD, Decision, Value
from sapper.solver.search.chances import Kind as ValueKind

__all__ = ["Luck", "costliest", "curve", "lost_at", "luck"]


@dataclass(frozen=True, slots=True)
class Luck:
    """How a result divides into skill and luck, in wins: 1 is a whole game.

    ``start - lost + luck == result``, whichever kinds of chances are used; errors in estimated
    chances count as luck.

    Attributes:
        start: The win chance at the first decision for which it is known.
        index: The index of that decision; 0 unless the board is too large for a chance at the
        start.
        promised: Whether it is a promised first click, in which case `start` is the chance after
        it.
        kind: The kind of `start`: ``exact``, ``sampled`` or ``estimated``.
        error: The 95 % half-width of `start`: 0 if exact, None if estimated.
        lost: The sum of the losses of all decisions.
        result: 1 for a win, 0 for a loss, otherwise the win chance at the end.
        survival: The chance that none of the guesses hits a mine, from the risks alone.
    """

    start: float
    index: int
    promised: bool
    kind: ValueKind
    error: float | None
    lost: float
    result: float
    survival: float

    @property
    def expected(self) -> float:
        """The expected result of the decisions: `start` minus `lost`."""
        return self.start - self.lost

    @property
    def luck(self) -> float:
        """The result minus the expected result."""
        return self.result - self.expected

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "start": self.start,
            "index": self.index,
            "promised": self.promised,
            "kind": self.kind,
            "error": self.error,
            "lost": self.lost,
            "expected": self.expected,
            "result": self.result,
            "luck": self.luck,
            "survival": self.survival,
        }


def luck(decisions: Sequence[Decision], end: Value | None) -> Luck | None:
    """Return the luck and skill of the decisions that were not undone.

    Args:
        decisions: All of them, in order.
        end: The win chance at the end: exactly 1 or 0 once the game is over.

    Returns:
        None if no win chance is known.
    """
    counted = [d for d in decisions if not d.undone]
    first = next((d for d in counted if d.before is not None), None)
    survival = 1.0
    for decision in counted:
        if decision.is_guess and not decision.granted:
            survival *= 1 - decision.p_mine
    if first is None or first.before is None or end is None:
        return None
    start = first.before
    return Luck(
        start=start.win_chance,
        index=first.index,
        promised=first.promised,
        kind=start.kind,
        error=start.error,
        lost=sum(d.loss or 0.0 for d in counted),
        result=end.win_chance,
        survival=survival,
    )


def lost_at(decisions: Sequence[Decision]) -> int | None:
    """Return the decision that lost the game, unless it was undone."""
    return next((d.index for d in reversed(decisions) if d.exploded and not d.undone), None)


def costliest(decisions: Sequence[Decision]) -> int | None:
    """Return the decision that lost the most win chance; None if none lost much."""
    lost = [(d.loss or 0.0, -d.index) for d in decisions if not d.undone]
    most, index = max(lost, default=(0.0, 0))
    return -index if most > GOOD else None


def curve(decisions: Sequence[Decision]) -> list[dict[str, Any]]:
    """Return the win chance before each decision, if known, and after the last.

    Undone decisions are left out.
    """
    standing = [d for d in decisions if not d.undone]
    points = [{"index": d.index, **d.before.to_json()} for d in standing if d.before is not None]
    if standing and standing[-1].after is not None:
        points.append({"index": len(decisions), **standing[-1].after.to_json()})
    return points
