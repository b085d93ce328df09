"""``lookahead``: exact probabilities, one guess ahead, and perfect play in the endgame.

Source: ours. Minimising risk is known not to be the best play, because the information from a guess
is worth some risk (see J. Tu, T. Li, S. Chen, C. Zu and Z. Gu, "Exploring Efficient Strategies for
Minesweeper", AAAI 2017 workshops; JSMinesweeper).
"""

from __future__ import annotations

import numpy as np

from sapper.errors import InconsistentPosition
from sapper.position import Position
from sapper.rules import Level
from sapper.solver.analysis import Analysis, share
from sapper.solver.bots._analysed import perfect_cell, settled
from sapper.solver.bots.base import Choice, around, opens
from sapper.solver.exact import Solver
from sapper.solver.limit import Limit
from sapper.solver.search.end_game import EndGame
from sapper.translation import t

__all__ = ["Lookahead"]

_WORSE = 0.05
"""The most by which a considered guess may exceed the least risk."""
_GUESSES = 12
"""Most guesses considered, the least risky first."""
_AGAIN = 0.8
"""Value of surviving if the next choice is another guess, relative to a safe one."""
_SOLUTIONS = 200
_STATES = Limit(states=20_000)
"""The most solutions, and the most states of the search, for perfect play."""


class Lookahead:
    """Opens proved cells; otherwise guesses to survive both this guess and the next.

    The value of a guess is the sum of the chances of all numbers that it might show, each times 1
    if some cell is then proved safe, otherwise times a fraction of the safety of the least risky
    next guess. Ties go to the less risky cell, then to the first in row order. Once few boards are
    left, the bot plays perfectly: no other play wins more of them.
    """

    label = t("Look-ahead")

    def __init__(self) -> None:
        self._solver = Solver()
        self._end_game = EndGame()

    def begin(self, level: Level, seed: int) -> None:
        """Discard the last game's components, but keep solved endgames: they affect only speed."""
        self._solver = Solver()

    def choose(self, position: Position) -> Choice:
        """Return all cells proved safe, or one guess."""
        found = self._solver.analyze(position)
        choice = settled(position, found)
        if choice is not None:
            return choice
        cell = perfect_cell(self._end_game, position, found, _STATES, _SOLUTIONS)
        by = "end game"
        if cell is None:
            cell, by = self._ahead(position, found), "lookahead"
        risk = float(found.p_mine.flat[cell])
        return Choice(tuple(opens(position, [cell])), by, risk, guess=True)

    def _ahead(self, position: Position, found: Analysis) -> int:
        """Return the guess with the highest value."""
        chances = found.p_mine.ravel()
        near = np.flatnonzero(chances <= np.fmin.reduce(chances) + _WORSE)
        order = near[np.argsort(chances[near], kind="stable")][:_GUESSES].tolist()
        if found.solutions is None:
            return int(order[0])
        most, chosen = -1.0, order[0]
        for cell in order:
            worth = self._worth(position, found, cell, 1 - chances[cell], most)
            if worth > most:
                most, chosen = worth, cell
        return int(chosen)

    def _worth(
        self, position: Position, found: Analysis, cell: int, safety: float, enough: float
    ) -> float:
        """Return the value of a guess, or a lower value if it cannot exceed `enough`."""
        cells, shape, worth = position.cells, position.topology, 0.0
        for number in range(len(around(shape)[cell]) + 1):
            if worth + safety <= enough:
                break
            shown = cells[:cell] + b"%d" % number + cells[cell + 1 :]
            try:
                after = self._solver.analyze(position.showing(shown, running=False))
            except InconsistentPosition:
                continue
            chance = share(after, found)
            if chance is None:
                # The position is too wide to count, so nothing is known about later ones.
                return worth + safety * _AGAIN
            safety -= chance
            if after.safe_indices or number == 0:
                worth += chance
            else:
                worth += chance * _AGAIN * (1 - float(np.fmin.reduce(after.p_mine.ravel())))
        return worth
