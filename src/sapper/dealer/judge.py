"""Kaboom's judge: decides which clicks open a cell, and why the others hit a mine."""

from __future__ import annotations

from enum import Enum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sapper.dealer.frontier import component, frontier
from sapper.rules import OptionValue
from sapper.solver import Analysis
from sapper.topology import Cell
from sapper.translation import LabelledEnum, t

__all__ = ["ClickVerdict", "Judge", "Scope"]


class Scope(LabelledEnum):
    """The safe cells that forbid a guess."""

    GLOBAL = "global", t("Whole board")
    LOCAL = "local", t("Component")


class ClickVerdict(Enum):
    """Outcome of a click under ``kaboom``, and the reason."""

    SAFE = "safe"
    """Opens: no board that fits has a mine there."""
    GUESS = "guess"
    """Opens: an allowed guess."""
    MINE = "mine"
    """Mine: every board that fits has a mine there."""
    NEEDLESS = "needless"
    """Mine: a guess although there was a safe cell."""
    ELSEWHERE = "elsewhere"
    """Mine: the cell touches no number, but a cell that does could be clear."""

    @property
    def opens(self) -> bool:
        """Whether the cell opens."""
        return self is ClickVerdict.SAFE or self is ClickVerdict.GUESS


class Judge:
    """Judges every click on one position.

    Args:
        analysis: The analysis of the position. If it is not exact, only proved cells count as safe
            or as mines.
        guess_anywhere: Whether cells that touch no number may be guessed as soon as no safe cell is
            left, even if the others are not all mines.
        judge: ``global``: a safe frontier cell anywhere forbids every guess. ``local``: only
            guesses in its own component; cells that touch no number are one component.
        known_outside_is_safe: Whether cells that touch no number also forbid guesses if the mine
            total proves them clear; this does not affect the local judge.

    Attributes:
        analysis: As given.
    """

    def __init__(
        self,
        analysis: Analysis,
        *,
        guess_anywhere: OptionValue = False,
        judge: OptionValue = Scope.GLOBAL,
        known_outside_is_safe: OptionValue = False,
    ) -> None:
        self.analysis = analysis
        self._anywhere, self._local = bool(guess_anywhere), judge == Scope.LOCAL
        self._outside_counts = bool(known_outside_is_safe)

    @cached_property
    def frontier(self) -> npt.NDArray[np.bool_]:
        """Return, for each cell by index, whether it is unopened and touches a number."""
        return frontier(self.analysis.position)

    @cached_property
    def has_safe(self) -> bool:
        """Return whether any cell that forbids guesses is safe."""
        safe = self.analysis.safe
        return bool(safe) if self._outside_counts else any(map(self._is_frontier, safe))

    @cached_property
    def has_unknown(self) -> bool:
        """Return whether any frontier cell is not proved a mine."""
        return sum(map(self._is_frontier, self.analysis.mined)) < int(self.frontier.sum())

    def _is_frontier(self, cell: Cell) -> bool:
        return bool(self.frontier[self.analysis.position.topology.index(cell)])

    def verdict(self, cell: int) -> ClickVerdict:
        """Return the outcome of a click on an unopened cell, given by index."""
        place = self.analysis.position.topology.cell(cell)
        if place in self.analysis.safe:
            return ClickVerdict.SAFE
        if place in self.analysis.mined:
            return ClickVerdict.MINE
        if not self.frontier[cell] and self.has_unknown and not self._anywhere:
            return ClickVerdict.ELSEWHERE
        return ClickVerdict.NEEDLESS if self._is_needless(cell) else ClickVerdict.GUESS

    def _is_needless(self, cell: int) -> bool:
        if not self._local:
            return self.has_safe
        # Treat a cell that touches no number as a component of its own. This is enough, because all
        # such cells are equivalent: if this one is unknown, none of them is safe.
        position = self.analysis.position
        return not self.analysis.safe.isdisjoint(
            map(position.topology.cell, component(position, cell))
        )
