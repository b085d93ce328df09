"""The probability of winning a position."""

from __future__ import annotations

from sapper.position import Position
from sapper.solver.exact import analyze
from sapper.solver.limit import Limit, checked
from sapper.solver.search.chances import WinChance, win_chance_of

__all__ = ["win_chance"]


def win_chance(
    position: Position, *, samples: int = 0, seed: int | None = None, limit: Limit | None = None
) -> WinChance:
    r"""Return the win probability of a position and of each candidate cell.

    The probability is exact, from perfect play, if few arrangements fit. Otherwise, on boards like
    Expert, it is estimated by a search with a value learned on such boards. On other boards, and
    with `samples`, `swift` plays this many games from each of the best cells; no guess in them is
    fatal, and their chances are averaged. The result is the win chance of `swift`, slightly below
    that of better play.

    If you have an analysis of the position, call `Analysis.win_chance`, which does not repeat it.

    Args:
        position: Flags are ignored. An opened mine simply counts as a known mine, as if the game
            continued.
        samples: Games for each of the three best cells, at most 1,000,000; 0 for an estimate or, if
            there is none, 200 games.
        seed: For the samples, from 0 to 2**64 - 1 (default: a random one).
        limit: The budget. If time runs out, fewer games are played and fewer cells are considered.

    >>> found = win_chance(Position.parse("..\n11", mines=1))
    >>> found.win_chance, found.kind
    (0.5, 'exact')

    Raises:
        BadSetting: If `samples` or `seed` is not an integer, or out of range.
        Cancelled: If the limit's flag is set.
        InconsistentPosition: If no arrangement of mines fits.
        LimitReached: If the position is too wide for all methods, or the time is too short.
    """
    work = checked(limit).work()
    found = analyze(position, limit=limit)
    risks, mined = found.p_mine.ravel(), found.mined_indices
    return win_chance_of(position, risks, mined, samples, seed, work)
