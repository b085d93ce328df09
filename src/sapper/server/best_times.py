"""A visitor's games won without help, by kind, the fastest first."""

from __future__ import annotations

from bisect import bisect_left, insort

from sapper.server.store import Best, Kind

__all__ = ["BestTimes"]


class BestTimes:
    """The games won without help."""

    def __init__(self) -> None:
        self._wins: dict[Kind, list[Best]] = {}

    def set(self, wins: dict[Kind, list[Best]]) -> None:
        """Take the games that the history has now, the fastest of each kind first."""
        self._wins = wins

    def best(self, kind: Kind) -> Best | None:
        """Return the fastest win of this kind so far, or None."""
        return next(iter(self._wins.get(kind, [])), None)

    def add(self, kind: Kind, won: Best) -> None:
        """Record another win."""
        insort(self._wins.setdefault(kind, []), won)

    def rank(self, kind: Kind, won: Best) -> tuple[int, int]:
        """Return the rank of a win by its time among all wins of its kind, and their number."""
        wins = self._wins.get(kind, [])
        return bisect_left(wins, (won.seconds,)) + 1, len(wins)
