"""``grandmaster``: for analysis and hints, limited by time or by a number of positions.

Source: our own; see docs/bots.md for its search and docs/bot-results.md for its strength.
"""

from __future__ import annotations

from functools import cached_property

import sapper._core as _core
from sapper._util.arguments import whole
from sapper._util.work import Work
from sapper.errors import BadSetting
from sapper.position import Position
from sapper.solver.analysis import Analysis
from sapper.solver.bots._analysed import perfect_cell
from sapper.solver.bots._searching import SearchingBot
from sapper.solver.limit import Limit, check_seconds
from sapper.solver.search.end_game import EndGame
from sapper.solver.search.guesses import GRANDMASTER, LADDER, Searcher
from sapper.translation import t

__all__ = ["Grandmaster"]

_GROWTH = 4
"""Another search starts only if this many times the duration of the last one is left."""
_PERFECT = 0.5
"""The fraction of the time for perfect play."""
_SOLUTIONS = 1_000_000
"""The most arrangements of mines for which perfect play is tried."""


class Grandmaster(SearchingBot):
    """Like `champion`, but searches deeper, over more cells, and plays larger endgames perfectly.

    With `seconds` or `positions`, it tries perfect play within the limit, then searches with
    growing effort; the last completed search decides. Games are reproducible with a limit on
    positions, but not with a time limit.

    Args:
        seconds: The time for one guess, which ends the last search early.
        positions: The maximum number of positions analysed for one guess.

    Raises:
        BadSetting: If a limit is 0 or less, or both are given.
    """

    label = t("Grandmaster")

    effort = GRANDMASTER

    def __init__(self, *, seconds: float | None = None, positions: int | None = None) -> None:
        super().__init__()
        seconds = check_seconds(seconds, above=True)
        if positions is not None:
            positions = whole(positions, "positions", least=1)
        if seconds is not None and positions is not None:
            raise BadSetting("give grandmaster seconds or positions, not both")
        self._seconds, self._positions = seconds, positions
        self._end_game = EndGame()

    @property
    def native(self) -> _core.SearchPlayer | None:
        """Plays the same games natively, if there is no limit."""
        return super().native if self._seconds is None and self._positions is None else None

    @cached_property
    def _searchers(self) -> list[Searcher]:
        """One search for each effort that the limit of positions allows."""
        most = self._positions
        return [
            Searcher(effort)
            for number, effort in enumerate(LADDER)
            if number == 0 or most is None or effort.positions <= most
        ]

    def _guess(self, position: Position, found: Analysis) -> int | None:
        if self._seconds is None and self._positions is None:
            return super()._guess(position, found)
        work = Work(self._seconds)
        cell = self._perfect(position, found)
        if cell is None:
            cell = self._searched(position, work)
        return cell

    def _perfect(self, position: Position, found: Analysis) -> int | None:
        """Return a best cell of perfect play, if found within the limit."""
        seconds = None if self._seconds is None else _PERFECT * self._seconds
        limit = Limit(states=self._positions, seconds=seconds)
        return perfect_cell(self._end_game, position, found, limit, _SOLUTIONS)

    def _searched(self, position: Position, work: Work) -> int | None:
        """Return the best cell of the last completed search, or of the first one."""
        cell = None
        # With a limit on positions, only the last search matters, and its cost is known in advance.
        searchers = self._searchers if self._positions is None else self._searchers[-1:]
        took = 0.0
        for searcher in searchers:
            before = work.elapsed_s
            if work.left is not None and cell is not None and work.left < _GROWTH * took:
                break
            found = searcher.guess(position, work)
            picks = found.picks
            if not picks or (cell is not None and work.is_late()):
                break
            cell = picks[0].index
            if found.exact:
                break
            took = work.elapsed_s - before
        return cell
