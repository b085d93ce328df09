"""``exact``: opens proved cells, otherwise the least risky one. The baseline.

Source: our own, based on the exact engine. It looks only one move ahead: it considers the risk of a
guess but not the information gained. Better play is possible, but not by risk alone.
"""

from __future__ import annotations

import numpy as np

from sapper.position import Position
from sapper.rules import Level
from sapper.solver.bots.base import Choice, flags, opens
from sapper.solver.exact import Solver
from sapper.translation import t

__all__ = ["Exact"]

_EQUAL = 1e-9
"""Probabilities closer than this differ only by rounding."""


class Exact:
    """Opens every cell proved safe or, if there are none, the cell with the lowest risk.

    Ties go to the first cell in row order. In games won by flags, it flags the remaining mines once
    only mines are left.
    """

    label = t("Exact chances")

    def __init__(self) -> None:
        self._solver = Solver()

    def begin(self, level: Level, seed: int) -> None:
        """Discard the last game, because the solver's memory would grow from game to game."""
        self._solver = Solver()

    def choose(self, position: Position) -> Choice:
        """Return all cells proved safe, or one guess."""
        found = self._solver.analyze(position)
        if found.safe_indices:
            return Choice(tuple(opens(position, found.safe_indices)), "proved", 0.0)
        # Opened cells are nan, and comparisons with nan are false.
        chances = found.p_mine.ravel()
        least = float(np.fmin.reduce(chances))
        if not least < 1:
            return Choice(tuple(flags(position, found.mined_indices)), "nothing left", 0.0)
        cell = int(np.flatnonzero(chances <= least + _EQUAL)[0])
        return Choice(tuple(opens(position, [cell])), "least risk", least, guess=True)
