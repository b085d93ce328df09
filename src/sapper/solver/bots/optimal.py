"""``optimal``: perfect play if it can be computed, otherwise the lowest risk.

Source: ours. Minesweeper endgames are known to be playable perfectly by searching the sets of
boards that still fit (see K. Pedersen, "The complexity of Minesweeper and strategies for game
playing", 2004; JSMinesweeper).
"""

from __future__ import annotations

from sapper._util.arguments import whole
from sapper.position import Position
from sapper.rules import Level
from sapper.solver.analysis import Analysis
from sapper.solver.bots._analysed import perfect_cell
from sapper.solver.bots.base import Choice, opens
from sapper.solver.bots.exact import Exact
from sapper.solver.exact import Solver
from sapper.solver.limit import Limit
from sapper.solver.search.end_game import EndGame
from sapper.translation import t

__all__ = ["Optimal"]

_SOLUTIONS = 100_000
_STATES = 1_000_000


class Optimal:
    """Opens proved cells; guesses perfectly in positions with few solutions.

    Beyond the limits, it plays like `exact`. From the first position within the limits, no play
    wins more often; on boards within the limits from the start, no play wins more games.

    Args:
        solutions: The maximum number of arrangements of mines that fit a position.
        states: The maximum number of states to search for one guess.
    """

    label = t("Perfect endgame")

    def __init__(self, *, solutions: int = _SOLUTIONS, states: int = _STATES) -> None:
        self._solver = Solver()
        self._end_game = EndGame()
        self._least_risk = Exact()
        self._solutions = whole(solutions, "solutions", most=2**63 - 1)
        self._limit = Limit(states=states)

    def begin(self, level: Level, seed: int) -> None:
        """Discard the last game, except for solved positions, which do not affect results."""
        self._solver = Solver()
        self._least_risk.begin(level, seed)

    def choose(self, position: Position) -> Choice:
        """Return all cells proved safe, or one guess."""
        found = self._solver.analyze(position)
        cell = None if found.safe_indices else self._best(position, found)
        if cell is None:
            return self._least_risk.choose(position)
        risk = float(found.p_mine.flat[cell])
        return Choice(tuple(opens(position, [cell])), "perfect play", risk, guess=True)

    def _best(self, position: Position, found: Analysis) -> int | None:
        return perfect_cell(self._end_game, position, found, self._limit, self._solutions)
