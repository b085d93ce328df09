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
    r"""Return the probability of winning a position, and that of each cell worth considering.

    Perfect play gives it exactly where few arrangements fit. Elsewhere it is estimated by search
    on boards like Expert, for which the chance was learned. On other boards, and with `samples`,
    the best cells found are played to their end this many times by `swift`, no guess killing, and
    their chances averaged. That is the chance of `swift` from there, a little below that of better
    play.

    Args:
        position: Flags are ignored. An opened mine is a mine that is known, no more: the chance is
            that of playing on.
        samples: Games for each of the best three cells, at most 1,000,000; 0 for an estimate
            where there is one, else 200.
        seed: For the samples, from 0 to 2**64 - 1 (default: a random one).
        limit: What may be spent. Fewer games are played, and fewer cells considered, if the time
            does not last for all.

    >>> found = win_chance(Position.parse("..\n11", mines=1))
    >>> found.win_chance, found.kind
    (0.5, 'exact')

    Raises:
        BadSetting: If `samples` or `seed` is no whole number, or out of range.
        Cancelled: If the limit's flag is set.
        InconsistentPosition: If no arrangement of mines fits.
        LimitReached: If the position is too wide for any of this, or the time too short.
    """
    work = checked(limit).work()
    found = analyze(position, limit=limit)
    risks, mined = found.p_mine.ravel(), found.mined_indices
    return win_chance_of(position, risks, mined, samples, seed, work)
