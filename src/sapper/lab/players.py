"""Players for experiments: they test rules, and do not play to win."""

from __future__ import annotations

from random import Random

from sapper.position import Position
from sapper.rules import Level
from sapper.solver import Solver
from sapper.solver.bots import Choice
from sapper.solver.bots.base import opens

__all__ = ["Provoker"]


class Provoker:
    """Tests fairness: guesses when it has to, and sometimes when it does not.

    Each guess is at a random cell that is neither proved safe nor proved a mine.

    Args:
        needless: The chance of a guess where there is a safe cell.
    """

    def __init__(self, needless: float = 0.05) -> None:
        self._solver, self._needless = Solver(), needless

    def begin(self, level: Level, seed: int) -> None:
        """Seed the random choices."""
        self._random = Random(seed)

    def choose(self, position: Position) -> Choice:
        """Choose one cell: a safe one, a forced guess or a needless one."""
        known = self._solver.analyze(position)
        index = position.topology.index
        settled = {*map(index, known.safe), *map(index, known.mined)}
        cells = [index(cell) for cell in position.unopened_cells()]
        unknown = [cell for cell in cells if cell not in settled]
        if known.safe and (not unknown or self._random.random() >= self._needless):
            return Choice(tuple(opens(position, [min(map(index, known.safe))])), "safe", 0.0)
        by = "needless guess" if known.safe else "forced guess"
        return Choice(tuple(opens(position, [self._random.choice(unknown)])), by, guess=True)
