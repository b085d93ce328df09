"""Players for experiments that test rules rather than play to win."""

from __future__ import annotations

from random import Random

from sapper.position import Position
from sapper.rules import Level
from sapper.solver import Solver
from sapper.solver.bots import Choice
from sapper.solver.bots.base import opens

__all__ = ["Provoker"]


class Provoker:
    """A player that tests fairness: it guesses when it must, and sometimes needlessly.

    Each guess opens a random cell that is proved neither safe nor mined.

    Args:
        needless: Probability of guessing although a safe cell exists.
    """

    def __init__(self, needless: float = 0.05) -> None:
        self._solver, self._needless = Solver(), needless

    def begin(self, level: Level, seed: int) -> None:
        """Seed of the random choices."""
        self._random = Random(seed)

    def choose(self, position: Position) -> Choice:
        """Choose one cell: a safe one, a forced guess or a needless guess."""
        analysis = self._solver.analyze(position)
        index = position.topology.index
        decided = {*map(index, analysis.safe), *map(index, analysis.mined)}
        cells = [index(cell) for cell in position.unopened_cells()]
        undecided = [cell for cell in cells if cell not in decided]
        if analysis.safe and (not undecided or self._random.random() >= self._needless):
            return Choice(tuple(opens(position, [min(map(index, analysis.safe))])), "safe", 0.0)
        by = "needless guess" if analysis.safe else "forced guess"
        return Choice(tuple(opens(position, [self._random.choice(undecided)])), by, guess=True)
