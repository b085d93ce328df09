"""``kind``: any guess that can be safe is safe."""

from __future__ import annotations

from typing import ClassVar

from sapper.dealer.base import can_be_clear
from sapper.dealer.lazy import LazyDealer
from sapper.rules import FirstClick, Rules, Settings
from sapper.solver import Analysis
from sapper.translation import t

__all__ = ["KindDealer"]


class KindDealer(LazyDealer):
    """There is no fixed layout; a cell is a mine only if it is a mine on every board that fits."""

    rules: ClassVar[Rules] = Rules(
        name="kind",
        summary=t("Any guess that can be safe is safe; only a certain mine loses."),
        first_clicks=(FirstClick.SAFE, FirstClick.OPENING),
        first_click_reason="the first click can be safe, so it is",
    )

    def opens(self, analysis: Analysis, cell: int) -> bool:
        """Return whether the cell can be clear."""
        return analysis.position.topology.cell(cell) not in analysis.mined

    @classmethod
    def granted(cls, analysis: Analysis, settings: Settings) -> list[int]:
        """Return every guess that can be safe."""
        return can_be_clear(analysis)
