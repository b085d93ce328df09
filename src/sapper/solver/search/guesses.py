"""Guesses by search: the best cells to open when nothing is proved safe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import sapper._core as _core
from sapper._util.forking import renew_after_fork
from sapper._util.work import Work
from sapper.errors import SapperError
from sapper.position import Position

__all__ = ["CHAMPION", "GRANDMASTER", "LADDER", "SWIFT", "Effort", "Searcher"]

_NETWORK = "win_chance.net"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """Width and depth of the search for a guess.

    There is no time limit here, so without a deadline, the same position always gets the same
    guess.

    Attributes:
        margin: A cell is a candidate if its risk exceeds the lowest risk by at most this.
        cells: The maximum number of candidates.
        deep: The number of best cells searched two guesses deep.
        near: Maximum distance of their win chance from the best.
        second: The maximum number of candidates for the second guess.
        likely: After numbers less likely than this, no second guess is searched.
        solutions: The maximum number of solutions of a position that is played perfectly.
        states: The maximum number of states for perfect play.
        leaf_solutions: Like `solutions`, for positions that the search reaches.
        again: The value of surviving if the next choice is another guess, relative to a safe one.
        blend: The exponent of that survival in the product with the learned chance.
        every: Whether every candidate gets its win chance; otherwise the search of those that
            cannot be the best is cut off, and they get a lower value.
    """

    margin: float
    cells: int
    deep: int = 0
    near: float = 0.0
    second: int = 0
    likely: float = 0.0
    solutions: int
    states: int
    leaf_solutions: int
    again: float = 0.8
    blend: float = 0.0
    every: bool = False

    @property
    def positions(self) -> int:
        """The maximum number of positions analysed in a search."""
        # A cell shows one of nine numbers; topologies with more than eight neighbours are rare.
        return 9 * self.cells + 9 * self.deep * 9 * self.second


SWIFT = Effort(margin=0.1, cells=5, solutions=2_000, states=20_000, leaf_solutions=30)
"""About two milliseconds per Expert game."""
CHAMPION = Effort(margin=0.2, cells=24, solutions=20_000, states=200_000, leaf_solutions=200)
"""At most 25 milliseconds per Expert game."""
GRANDMASTER = Effort(
    margin=0.25,
    cells=60,
    deep=8,
    near=0.03,
    second=10,
    likely=0.005,
    solutions=50_000,
    states=2_000_000,
    leaf_solutions=200,
    every=True,
)
"""For analysis and hints: a fraction of a second per guess."""


LADDER = (
    SWIFT,
    CHAMPION,
    GRANDMASTER,
    replace(GRANDMASTER, deep=20, near=0.05, second=20),
    replace(GRANDMASTER, cells=100, deep=60, near=0.1, second=40, likely=0.001),
)
"""Efforts for repeated searches while time is left."""


class Searcher:
    """Searches for guesses, and caches solved components from move to move.

    Threads may share it; they then take turns.
    """

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        self._core: _core.SearchPlayer | None = self._made()
        renew_after_fork(self)

    def _made(self) -> _core.SearchPlayer:
        try:
            return _core.SearchPlayer(_network(), self.effort)
        except ValueError:
            raise SapperError(
                f"{_NETWORK} is damaged or from another version of Sapper; install Sapper again"
            ) from None

    @property
    def core(self) -> _core.SearchPlayer:
        """The native player that runs the search."""
        # Use a local variable, because a fork may happen in between.
        core = self._core
        if core is None:
            core = self._core = self._made()
        return core

    def renew(self) -> None:
        """Clear the cache; for processes forked while a thread was searching."""
        # The cache is created on demand, because most forked processes do not need it.
        self._core = None

    def guess(
        self,
        position: Position,
        work: Work | None = None,
        *,
        share: float = 1.0,
        states: int | None = None,
    ) -> _core.Guess:
        """Return the candidate cells, best first, and whether the first is perfect play.

        There are none if the position is too wide to search; beyond a limit, there are only those
        searched by then.

        Args:
            position: A position in which nothing is proved safe.
            work: The deadline and the cancel flag.
            share: The fraction of the remaining time to use.
            states: The maximum number of states for all analyses.

        Raises:
            Cancelled: If the flag is set.
        """
        return self.core.guess(
            position.topology.graph,
            position.cells,
            position.mines,
            position.density,
            position.running,
            states,
            None if work is None else work.part(share),
            None if work is None else work.cancel,
        )


@cache
def _network() -> bytes:
    return files("sapper.solver.search").joinpath(_NETWORK).read_bytes()
