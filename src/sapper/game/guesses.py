"""The guesses of a game: cells that were not proved safe when they were opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from sapper._util.renamed import renamed
from sapper.game.moments import Moment
from sapper.game.trail import Trail
from sapper.solver import Analysis
from sapper.topology import Cell

__all__ = ["STATES", "Guess", "Guesses", "guess_at"]

STATES: Final = 5_000_000
"""The budget for analysing one position, about half a second; past it, risks are estimates.

It is not a time, so reviews do not depend on how busy the machine is.
"""


@dataclass(frozen=True, slots=True)
class Guess:
    """An opened cell that was not proved safe.

    Attributes:
        cell: The cell.
        p_mine: The risk taken: the share of fitting boards, from 0 to 1, with a mine there; 1 for a
            proved mine. An estimate if a limit ran out.
        least: The lowest risk at that moment: 0 if there was a safe cell.
        safe_count: Number of cells proved safe.
        exploded: Whether it was a mine.
        forbidden: Whether the rules made it a mine because they forbid such a guess.
    """

    cell: Cell
    p_mine: float
    least: float
    safe_count: int
    exploded: bool
    forbidden: bool = False

    safe = renamed("safe", "safe_count")

    @property
    def forced(self) -> bool:
        """Whether no cell was proved safe, and the rules did not forbid the guess."""
        return self.safe_count == 0 and not self.forbidden


@dataclass(frozen=True, slots=True)
class Guesses:
    """A game's guesses, including undone ones.

    Attributes:
        each: Every guess, in order. A first click that is promised to be safe is not a guess, and
            each cell opened by a chord counts separately.
    """

    each: tuple[Guess, ...] = ()

    @property
    def made(self) -> int:
        """Number of guesses."""
        return len(self.each)

    @property
    def forced(self) -> int:
        """Number of forced guesses; see `Guess.forced`."""
        return sum(guess.forced for guess in self.each)

    @property
    def needless(self) -> int:
        """Number of guesses that were not forced."""
        return self.made - self.forced


def guess_at(moment: Moment, analysis: Analysis, trail: Trail) -> Guess | None:
    """Return the guess made at a moment; None if its cell was proved safe.

    Args:
        moment: A moment without a first-click promise.
        analysis: The analysis of its position.
        trail: The trail of the round.
    """
    turn = moment.turn
    cell = analysis.position.topology.cell(turn.cell)
    if cell in analysis.safe:
        return None
    return Guess(
        cell,
        float(analysis.p_mine[cell]),
        # A proved mine has a chance of 1, so it can be the lowest only if every cell is a mine.
        0.0 if analysis.safe else float(np.nanmin(analysis.p_mine)),
        len(analysis.safe),
        turn.exploded,
        turn.exploded and bool(trail.why(analysis, turn.cell)),
    )
