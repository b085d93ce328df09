"""The likelihood of a mine on an unknown cell, which determines the order of combinations.

Source: "Dokumentacja Minesweeper" by Mirosław Jedynak (2006), section IV.2. All three use the
current state of the islands that contain the cell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, prod

from sapper.solver.arrange.methods import Likelihood

__all__ = ["FORMULAS", "Formula"]

Formula = Callable[[Sequence[int], Sequence[int], Sequence[int]], float]


def _values(islands: Sequence[int], needs: Sequence[int], room: Sequence[int]) -> float:
    return sum([needs[i] for i in islands])


def _combinations(islands: Sequence[int], needs: Sequence[int], room: Sequence[int]) -> float:
    return sum([comb(room[i], needs[i]) for i in islands])


def _product(islands: Sequence[int], needs: Sequence[int], room: Sequence[int]) -> float:
    return prod([needs[i] / room[i] for i in islands])


FORMULAS: dict[Likelihood, Formula] = {
    Likelihood.VALUES: _values,
    Likelihood.COMBINATIONS: _combinations,
    Likelihood.PRODUCT: _product,
}
"""The remaining mines and unknown cells of each island that contains a cell."""
