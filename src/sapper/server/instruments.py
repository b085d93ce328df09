"""Counts and durations of a running server, for `/metrics`."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import Final

__all__ = ["Durations", "note_refusal", "refusals"]

_BOUNDS_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)

refusals: Final[Counter[str]] = Counter()
"""Number of rejections and drops by this process, keyed by the exceeded limit."""


def note_refusal(limit: str) -> None:
    """Count a rejection, given the name of the exceeded limit in `docs/http.md`."""
    refusals[limit] += 1


class Durations:
    """A histogram of durations. Not thread-safe.

    Attributes:
        total_s: Sum of the durations.
    """

    def __init__(self) -> None:
        self.total_s = 0.0
        self._counts = [0] * (len(_BOUNDS_S) + 1)

    def add(self, seconds: float) -> None:
        """Count a duration."""
        self.total_s += seconds
        self._counts[bisect_left(_BOUNDS_S, seconds)] += 1

    def cumulative(self) -> list[tuple[str, int]]:
        """Return the number of durations up to each bound; the last bound is infinite.

        >>> durations = Durations()
        >>> for seconds in (0.001, 0.02, 300):
        ...     durations.add(seconds)
        >>> [count for _, count in durations.cumulative()][:5]
        [1, 1, 1, 1, 2]
        >>> durations.cumulative()[-1]
        ('+Inf', 3)
        """
        found, count = [], 0
        for bound, more in zip([*map(str, _BOUNDS_S), "+Inf"], self._counts, strict=True):
            count += more
            found.append((bound, count))
        return found
