"""Overlays in the form sent to windows: the differences from the previous overlay."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from sapper.overlays import Mark
from sapper.server.protocol import Json
from sapper.solver import Analysis
from sapper.solver.analysis import no_chance

__all__ = ["ChanceCover", "MarkCover", "count_text"]

_SAFE: Final = -1.0
_MINE: Final = -2.0
_UNKNOWN: Final = -3.0
_WORDS: Final = {_SAFE: "safe", _MINE: "mine", _UNKNOWN: "unknown"}

# Browsers show three digits. The extra digits avoid errors from rounding twice, and short counts of
# arrangements are computed from all six.
_DIGITS: Final = 6
_BITS: Final = 10_000
"""Longer counts are formatted from their leading bits."""


@dataclass(frozen=True)
class ChanceCover:
    """The result of an analysis for each unopened cell, in the form sent to windows.

    Attributes:
        chances: For each cell, its mine probability, or -1 if proved safe, -2 if proved a mine, -3
            if unknown, nan if open.
        frontier: For each cell, whether it is sent individually. All other unopened cells are
            equal.
        outside: The value of those other cells; nan if there are none.
    """

    chances: NDArray[np.float64]
    frontier: NDArray[np.bool_]
    outside: float

    @classmethod
    def of(cls, analysis: Analysis) -> Self:
        """Return the overlay of an analysis."""
        shape = analysis.position.topology
        chances = np.round(analysis.p_mine.ravel(), _DIGITS)
        for proved, value in ((analysis.safe_indices, _SAFE), (analysis.mined_indices, _MINE)):
            chances[list(proved)] = value
        unopened = ~np.isnan(chances)
        chances[no_chance(analysis.position)] = _UNKNOWN
        floating = unopened & ~shape.beside(~unopened)
        outside = float(chances[floating][0]) if floating.any() else float("nan")
        return cls(chances, unopened & ~(floating & (chances == outside)), outside)

    def message(
        self, analysis: Analysis, turn: int, before: ChanceCover | MarkCover | None
    ) -> Json:
        """Return the message that updates a window with the overlay `before`.

        Args:
            analysis: The analysis of this overlay.
            turn: The turn number of the position.
            before: The last overlay sent; None for a new window.
        """
        if not isinstance(before, ChanceCover) or before.chances.shape != self.chances.shape:
            changed, removed = self.frontier, np.zeros_like(self.frontier)
            before = None
        else:
            new = ~before.frontier | (before.chances != self.chances)
            changed = self.frontier & new
            removed = before.frontier & ~self.frontier & ~np.isnan(self.chances)
        cells: list[list[int | float | str | None]] = [
            [int(index), _json_chance(self.chances[index])] for index in np.flatnonzero(changed)
        ]
        cells += [[int(index), None] for index in np.flatnonzero(removed)]
        solutions = analysis.solutions
        return {
            "type": "overlay",
            "turn": turn,
            "whole": before is None,
            "chances": cells,
            "outside": None if np.isnan(self.outside) else _json_chance(self.outside),
            "solutions": None if solutions is None else count_text(solutions),
            "exact": analysis.exact,
            "weighted": analysis.position.density is not None,
        }


def _json_chance(chance: float) -> float | str:
    return _WORDS.get(float(chance), float(chance))


@dataclass(frozen=True)
class MarkCover:
    """The marks of a registered overlay, in the form sent to windows.

    Attributes:
        overlay: The name of the overlay.
        marks: The marks by cell index.
    """

    overlay: str
    marks: Mapping[int, Mark]

    def message(self, turn: int, before: ChanceCover | MarkCover | None) -> Json:
        """Return the message that updates a window with the overlay `before`.

        The message lists the cells whose marks have changed, wherever they are.

        Args:
            turn: The turn number of the position.
            before: The last overlay sent; None for a new window.
        """
        last: Mapping[int, Mark] = {}
        whole = not isinstance(before, MarkCover) or before.overlay != self.overlay
        if isinstance(before, MarkCover) and not whole:
            last = before.marks
        changed = {at: mark for at, mark in self.marks.items() if last.get(at) != mark}
        looks = list(dict.fromkeys(changed.values()))
        number = {look: at for at, look in enumerate(looks)}
        return {
            "type": "cover",
            "turn": turn,
            "overlay": self.overlay,
            "whole": whole,
            "looks": [asdict(look) for look in looks],
            "cells": [
                *([at, number[mark]] for at, mark in changed.items()),
                *([at, None] for at in last if at not in self.marks),
            ],
        }


def count_text(count: int) -> str:
    """Format a count in full if it is below 10**15, otherwise like ``1.23e45``."""
    if count < 10**15:
        return str(count)
    # A float could overflow here.
    if count.bit_length() <= _BITS:
        return f"{Decimal(count):.2e}".replace("+", "")
    # Converting a million bits to decimal takes half a second.
    dropped = count.bit_length() - _BITS
    exponent, digits = divmod(math.log10(count >> dropped) + dropped * math.log10(2), 1)
    return f"{Decimal(f'{10**digits:.2f}').scaleb(int(exponent)):.2e}".replace("+", "")
