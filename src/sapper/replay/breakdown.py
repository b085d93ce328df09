"""Break down the time and risk of a game by verdict, action, area and click number."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Final

from sapper.coach import Kind
from sapper.replay.choices import ReplayChoice
from sapper.topology import Topology

__all__ = ["BREAKDOWNS", "Spent", "break_down"]

Spent = dict[str, float]
"""``clicks`` that opened cells, ``seconds`` before them, and ``risk``: expected losses."""

_FIRST: Final = (1, 11, 31, 101)
"""First click number of each group of click numbers."""

BREAKDOWNS: Final[dict[str, tuple[str, ...]]] = {
    "verdict": tuple(map(str, Kind)),
    "action": ("open", "chord"),
    "area": ("corner", "edge", "inside"),
    "number": ("1-10", "11-30", "31-100", "101+"),
}
"""Ways to group the clicks that opened cells, with the names of the groups."""


def break_down(choices: Iterable[ReplayChoice], shape: Topology) -> dict[str, dict[str, Spent]]:
    """Sum up the clicks that opened cells by each grouping in `BREAKDOWNS`.

    Args:
        choices: The clicks.
        shape: The board.
    """
    sums = {
        way: {name: {"clicks": 0.0, "seconds": 0.0, "risk": 0.0} for name in names}
        for way, names in BREAKDOWNS.items()
    }
    for number, choice in enumerate(choices, start=1):
        groups = {
            "verdict": str(choice.kind),
            "action": str(choice.step.action),
            "area": _area(choice, shape),
            "number": BREAKDOWNS["number"][bisect_right(_FIRST, number) - 1],
        }
        for way, name in groups.items():
            spent = sums[way][name]
            spent["clicks"] += 1
            spent["seconds"] += choice.thought_ms / 1000
            spent["risk"] += choice.risk
    return sums


def _area(choice: ReplayChoice, shape: Topology) -> str:
    """Return the area of the riskiest cell that a click opened: corner, edge or inside.

    The edge is determined by row and column, even on shapes with joined sides.
    """
    row, col = max(choice.decisions, key=lambda decision: decision.p_mine).cell
    borders = (row in (0, shape.height - 1)) + (col in (0, shape.width - 1))
    return BREAKDOWNS["area"][2 - borders]
