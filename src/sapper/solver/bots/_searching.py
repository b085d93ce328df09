"""Shared code for bots that search for guesses."""

from __future__ import annotations

import numpy as np

import sapper._core as _core
from sapper.position import Position
from sapper.rules import Level
from sapper.solver.analysis import Analysis
from sapper.solver.bots._analysed import settled
from sapper.solver.bots.base import Choice, opens
from sapper.solver.exact import Solver
from sapper.solver.search.guesses import Effort, Searcher

__all__ = ["SearchingBot"]


class SearchingBot:
    """Opens proved safe cells or, without any, the cell with the best win chance in a search."""

    effort: Effort

    def __init__(self) -> None:
        self._solver = Solver()
        self._searcher = Searcher(self.effort)

    @property
    def native(self) -> _core.SearchPlayer | None:
        """Plays the same games natively; None if the bot's options forbid it."""
        return self._searcher.core

    def begin(self, level: Level, seed: int) -> None:
        """Discard the last game, because the solver's memory would grow from game to game."""
        self._solver = Solver()

    def choose(self, position: Position) -> Choice:
        """Return all cells proved safe, or one guess."""
        found = self._solver.analyze(position)
        choice = settled(position, found)
        if choice is not None:
            return choice
        chances = found.p_mine.ravel()
        best = self._guess(position, found)
        cell = int(np.nanargmin(chances)) if best is None else best
        risk = float(chances[cell])
        return Choice(tuple(opens(position, [cell])), "search", risk, guess=True)

    def _guess(self, position: Position, found: Analysis) -> int | None:
        """Return the cell to guess, or None if the position is too wide to search."""
        picks = self._searcher.guess(position).picks
        return picks[0].index if picks else None
