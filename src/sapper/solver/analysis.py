"""What an analysis says, and how long it may take to say it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sapper.position import Position
from sapper.topology import Cell

__all__ = ["Analysis", "Limit"]


@dataclass(frozen=True, slots=True)
class Limit:
    """How much work an analysis may do before it answers with what it has.

    Attributes:
        states: The most states of the counting programme, over all components; None for the
            engine's own bound, which keeps memory under about two gigabytes.
        seconds: The most wall-clock time, or None for no bound.
    """

    states: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, eq=False)
class Analysis:
    """What can be known of a position.

    Attributes:
        position: The position analysed.
        solutions: How many arrangements fit, as an exact integer; None when not `exact`.
        p_mine: Each unopened cell's chance of a mine, from 0 to 1, as a float array of shape
            (height, width); nan where opened. An estimate when not `exact`.
        safe: The cells proved to hold no mine. Proved without floats, exact or not.
        mined: The cells proved to hold a mine. Proved without floats, exact or not.
        exact: Whether everything was counted. When a limit ran out before, `safe` and `mined`
            hold what is still proved.
        p_mine_error: 95 % half-widths of `p_mine`, 0 where the value is exact; None when `exact`.
        elapsed_s: Wall-clock seconds that the analysis took.
    """

    position: Position
    solutions: int | None
    p_mine: npt.NDArray[np.float64]
    safe: frozenset[Cell]
    mined: frozenset[Cell]
    exact: bool = True
    p_mine_error: npt.NDArray[np.float64] | None = None
    elapsed_s: float = 0.0
