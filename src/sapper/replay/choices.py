"""The clicks of a replay that opened cells, as choices with a risk."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.coach import Decision, Kind
from sapper.replay.playback import ReplayStep

__all__ = ["ReplayChoice"]


@dataclass(frozen=True, slots=True)
class ReplayChoice:
    """A click that opened cells, and its risk.

    Attributes:
        step: The click.
        decisions: The verdict on each opened cell.
        thought_ms: Time since the previous click that opened cells.
        phase: Quarter of the game, counted from 0, by the 3BV solved before the click.
    """

    step: ReplayStep
    decisions: tuple[Decision, ...]
    thought_ms: int
    phase: int

    @property
    def risk(self) -> float:
        """Probability of a mine on any of its cells, ignoring cells promised safe."""
        safe = 1.0
        for decision in self.decisions:
            safe *= 1.0 - (0.0 if decision.promised else decision.p_mine)
        return 1.0 - safe

    @property
    def kind(self) -> Kind:
        """The worst verdict on its cells."""
        order = list(Kind)
        return max((decision.kind for decision in self.decisions), key=order.index)
