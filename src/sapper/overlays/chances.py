"""The built-in overlays, which show mine chances: states, chances and risks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

import numpy as np

from sapper.overlays.base import Mark, Overlay
from sapper.position import Position
from sapper.solver import Analysis
from sapper.solver.analysis import no_chance
from sapper.translation import percent, t

__all__ = ["Chances", "Risks", "States"]

# As a float, a chance of 1/3 may be slightly less.
_FIFTH, _THIRD = 1 / 5 - 1e-9, 1 / 3 - 1e-9
_SAFE: Final = Mark("", t("proved safe"), "safe")
_MINE: Final = Mark("", t("proved mine"), "danger")
_UNKNOWN: Final = Mark("", t("unknown"), "unknown")
_LOW: Final = Mark("", t("low risk"), "low")
_MEDIUM: Final = Mark("", t("medium risk"), "medium")
_HIGH: Final = Mark("", t("high risk"), "high")


class States(Overlay):
    """Shows each cell as proved safe, as a proved mine, or as unknown."""

    name = "states"
    label = t("States")
    compact: ClassVar[bool] = True

    def marks(self, position: Position, analysis: Analysis) -> Mapping[tuple[int, int], Mark]:
        """Return the state of each cell."""
        return {**dict.fromkeys(position.unopened_cells(), _UNKNOWN), **_proved(analysis)}


class Chances(Overlay):
    """Shows the chance of a mine on each cell that is not proved."""

    name = "chances"
    label = t("Chances")
    compact: ClassVar[bool] = True

    def marks(self, position: Position, analysis: Analysis) -> Mapping[tuple[int, int], Mark]:
        """Return the chance of each cell: whole percent, never 0 or 100 without a proof."""
        found = {
            cell: Mark(
                _whole_percent(chance),
                t("{share} mine", share=percent(chance)),
                heat=min(2 * chance, 1.0),
            )
            for cell, chance in _open_to_doubt(position, analysis)
        }
        return found | _proved(analysis)


def _whole_percent(chance: float) -> str:
    rounded = int(100 * chance + 0.5)
    if rounded <= 0:
        return "<1"
    return ">99" if rounded >= 100 else str(rounded)


class Risks(Overlay):
    """Shows the chance of a mine in three classes: below 1/5, below 1/3, and higher."""

    name = "risks"
    label = t("Risks")
    compact: ClassVar[bool] = True

    def marks(self, position: Position, analysis: Analysis) -> Mapping[tuple[int, int], Mark]:
        """Return the class of each cell touched by a number."""
        opened = np.isnan(analysis.p_mine)
        near = position.topology.beside(opened.ravel()).reshape(opened.shape)
        found = {
            cell: _LOW if chance < _FIFTH else _MEDIUM if chance < _THIRD else _HIGH
            for cell, chance in _open_to_doubt(position, analysis)
            if near[cell]
        }
        return found | _proved(analysis)


def _proved(analysis: Analysis) -> dict[tuple[int, int], Mark]:
    return {**dict.fromkeys(analysis.safe, _SAFE), **dict.fromkeys(analysis.mined, _MINE)}


def _open_to_doubt(
    position: Position, analysis: Analysis
) -> Iterator[tuple[tuple[int, int], float]]:
    """Yield the unopened cells whose chance is known, and the chance; some may be proved."""
    unknown = no_chance(analysis.position)
    shape = position.topology
    for index, chance in enumerate(analysis.p_mine.flat):
        if chance == chance and not unknown[index]:
            yield shape.cell(index), float(chance)
