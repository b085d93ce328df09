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

    There are no time limits, so without a deadline the same position always gets the same guess.

    Attributes:
        margin: A cell is considered if its risk exceeds the least by at most this.
        cells: The most cells considered.
        deep: The number of best cells searched two guesses deep.
        near: Maximum distance of their win chance from the best.
        second: The most cells considered for the second guess.
        likely: No second guess is searched after numbers less likely than this.
        solutions: Positions with at most this many solutions are played perfectly,
        states: if that takes at most this many states.
        leaf_solutions: The same limit for positions that the search reaches.
        again: The value of surviving if the next choice is another guess, relative to a safe one.
        blend: The exponent of that survival in the product with the learned chance.
        every: Whether each considered cell gets its win chance; otherwise those that cannot be the
            best are cut off and get a lower value.
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
        """The most positions that a search analyses."""
        # A cell shows one of nine numbers; more than eight neighbours are rare.
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
    """Searches for guesses, and remembers solved components from move to move.

    Threads may share it, and then take turns.
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
        # A local variable, because a fork may happen in between.
        core = self._core
        if core is None:
            core = self._core = self._made()
        return core

    def renew(self) -> None:
        """Forget everything; for processes forked while a thread searched."""
        # Created on demand, because most forked processes do not need it.
        self._core = None

    def guess(
        self,
        position: Position,
        work: Work | None = None,
        *,
        share: float = 1.0,
        states: int | None = None,
    ) -> _core.Guess:
        """Return the considered cells, best first, and whether the first is perfect play.

        There are none if the position is too wide to search; past a limit, only those searched by
        then.

        Args:
            position: One in which nothing is proved safe.
            work: The deadline and the cancel flag.
            share: The fraction of the remaining time to use.
            states: The most states for all its analyses.

        Raises:
            Cancelled: If the flag is set.
        """
        return self.core.guess(
            position.topology.graph,
            position.cells,
            position.mines,
            position.density,
            states,
            None if work is None else work.part(share),
            None if work is None else work.cancel,
        )


@cache
def _network() -> bytes:
    return files("sapper.solver.search").joinpath(_NETWORK).read_bytes()
