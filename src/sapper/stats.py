"""Statistics: intervals for shares and means, and comparisons of paired games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, fsum, inf, lgamma, log, sqrt

__all__ = [
    "Z95",
    "Pairs",
    "mean_interval",
    "percent_text",
    "share_error",
    "share_interval",
    "wilson",
]

Z95 = 1.959963984540054
"""95 % of a normal distribution lies within this many standard deviations."""


def wilson(wins: int, games: int) -> tuple[float, float]:
    """Return the Wilson 95 % interval of a share (E. B. Wilson, JASA 22, 1927); (0, 1) for n = 0.

    >>> tuple(round(end, 3) for end in wilson(380, 1000))
    (0.35, 0.41)
    """
    if not games:
        return 0.0, 1.0
    rate, z2 = wins / games, Z95**2
    middle = rate + z2 / (2 * games)
    spread = Z95 * sqrt(rate * (1 - rate) / games + z2 / (4 * games**2))
    scale = 1 + z2 / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def share_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of a mean of values from 0 to 1; (0, 1) for none.

    As in Agresti and Coull, extended to values between 0 and 1: half of Z95² values of 0 and as
    many of 1 are added, so that the interval has a width even if all values are equal (A. Agresti
    and B. A. Coull, The American Statistician 52, 1998).

    >>> tuple(round(end, 3) for end in share_interval([1.0] * 200))
    (0.977, 1.0)
    """
    if not values:
        return 0.0, 1.0
    z2 = Z95**2
    n = len(values) + z2
    mean = (fsum(values) + z2 / 2) / n
    square = (fsum(value * value for value in values) + z2 / 2) / n
    spread = Z95 * sqrt(max(0.0, square - mean**2) / n)
    return max(0.0, mean - spread), min(1.0, mean + spread)


def share_error(values: Sequence[float]) -> float:
    """Return the larger distance of an end of `share_interval` from the mean, always above 0."""
    low, high = share_interval(values)
    mean = fsum(values) / len(values) if values else 0.5
    return max(mean - low, high - mean)


def percent_text(share: float, error: float | None = None) -> str:
    """Return a share in percent with its error, or the interval if it would leave 0 to 100.

    >>> percent_text(0.5), percent_text(0.8, 0.013), percent_text(0.994, 0.024)
    ('50.0 %', '80.0 % ± 1.3', '97.0 to 100.0 %')
    """
    if not error:
        return f"{100 * share:.1f} %"
    low, high = share - error, share + error
    if low >= 0 and high <= 1:
        return f"{100 * share:.1f} % ± {100 * error:.1f}"
    return f"{100 * max(0.0, low):.1f} to {100 * min(1.0, high):.1f} %"


@dataclass(frozen=True, slots=True)
class Pairs:
    """Games of two bots on the same boards, counted by winner.

    Attributes:
        both: Boards that both won.
        first: Boards that only the first won.
        second: Boards that only the second won.
        neither: Boards that neither won.
    """

    both: int = 0
    first: int = 0
    second: int = 0
    neither: int = 0

    @classmethod
    def of(cls, wins: Iterable[tuple[bool, bool]]) -> Pairs:
        """Count pairs of games: whether the first won, and whether the second did."""
        counts = [0, 0, 0, 0]
        for first, second in wins:
            counts[2 * (not first) + (not second)] += 1
        return cls(*counts)

    def __add__(self, other: Pairs) -> Pairs:
        return Pairs(
            self.both + other.both,
            self.first + other.first,
            self.second + other.second,
            self.neither + other.neither,
        )

    @property
    def games(self) -> int:
        """Number of boards."""
        return self.both + self.first + self.second + self.neither

    @property
    def difference(self) -> float:
        """The second bot's win rate minus the first's; nan for no games."""
        return (self.second - self.first) / self.games if self.games else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the difference; (-1, 1) for no games.

        Wald's interval after adding one board of each kind on which the two differ (D. G. Bonett
        and R. M. Price, Journal of Educational and Behavioral Statistics 37, 2012).
        """
        if not self.games:
            return -1.0, 1.0
        total = self.games + 2
        ours, theirs = (self.second + 1) / total, (self.first + 1) / total
        middle = ours - theirs
        spread = Z95 * sqrt((ours + theirs - middle**2) / total)
        return max(-1.0, middle - spread), min(1.0, middle + spread)

    @property
    def p_value(self) -> float:
        """McNemar's exact test: the probability of a split this uneven if both are equally good.

        Two-sided and binomial, over the boards that only one of the two won.

        >>> round(Pairs(both=10, first=1, second=9).p_value, 5)
        0.02148
        """
        n = self.first + self.second
        few = min(self.first, self.second)
        # Use logarithms, because 2**n overflows a float for n > 1023.
        tail = fsum(
            exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2))
            for k in range(few + 1)
        )
        return min(1.0, 2 * tail)


def mean_interval(total: float, squares: float, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a mean count, from a sum and a sum of squares, for large `n`.

    The interval is normal but has a minimum width: equal counts do not prove that all games are
    equal, so the games outside a Wilson interval of `n` equal ones count as one more or one less.
    """
    if n < 2:
        return -inf, inf
    mean = total / n
    spread = Z95 * sqrt(max(0.0, squares / n - mean**2) / (n - 1))
    spread = max(spread, Z95**2 / (n + Z95**2))
    return max(0.0, mean - spread), mean + spread
