"""LastTurns, the exact endgame of the group bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from sapper.solver.bots._enumeration import Boxes, Budget
from sapper.solver.bots.constraints import Constraint

__all__ = ["LastTurns", "last_turns"]

_STEPS = 1 << 30
"""Enough for any thirty cells, so no endgame is abandoned."""


@dataclass(frozen=True, slots=True)
class LastTurns:
    """The result of the endgame: ``LastTurns(mines, cells)`` in the original's log.

    Attributes:
        possible: Number of ways to place the mines on the cells.
        fitting: Number of these ways that agree with every number.
        p_mine: Each cell's share of the fitting placements, by index.
    """

    possible: int
    fitting: int
    p_mine: dict[int, Fraction]


def last_turns(groups: Sequence[Constraint], unknown: Sequence[int], mines: int) -> LastTurns:
    """Try every placement of the mines on the unknown cells.

    The original makes and tests every placement. Here, cells in exactly the same groups are placed
    together, by mine count, and a violated number ends its branch. The counts are the same.

    >>> found = last_turns([(frozenset({0, 1}), 1)], unknown=[0, 1, 2], mines=2)
    >>> found.possible, found.fitting, [str(share) for share in found.p_mine.values()]
    (3, 2, ['1/2', '1/2', '1'])
    """
    boxes = Boxes([cells for cells, _ in groups], len(unknown) + 1)
    found = boxes.tally([needs for _, needs in groups], Budget(_STEPS))
    apart = len(unknown) - len(found.with_mine)

    def completed(packed: int, cells: int, mines: int) -> int:
        """Combine these placements with the remaining mines on the cells that touch no number."""
        counts = found.counts(packed).items()
        return sum(count * comb(cells, mines - used) for used, count in counts if used <= mines)

    fitting = completed(found.legal, apart, mines)
    alone = completed(found.legal, apart - 1, mines - 1) if apart else 0
    p_mine = {}
    for cell in unknown:
        count = found.with_mine.get(cell)
        held = alone if count is None else completed(count, apart, mines)
        p_mine[cell] = Fraction(held, fitting) if fitting else Fraction(0)
    return LastTurns(comb(len(unknown), mines) if mines >= 0 else 0, fitting, p_mine)
