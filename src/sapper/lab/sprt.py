"""A sequential probability ratio test, to find the better of two bots in few games.

Source: A. Wald, "Sequential Tests of Statistical Hypotheses", 1945. The bounds are those of Ville's
inequality, 1/alpha and beta, instead of Wald's approximations. With them, the error rates hold
exactly, however often the test is evaluated, at the cost of a few more games.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import log

from sapper.errors import BadSetting
from sapper.stats import Pairs

__all__ = ["Sprt", "SprtVerdict"]


class SprtVerdict(StrEnum):
    """The verdict of a sequential test."""

    FIRST = "first"
    """The first bot is better."""
    SECOND = "second"
    """The second bot is better."""
    EQUAL = "equal"
    """Neither is better by the tested amount."""
    OPEN = "open"
    """More games are needed."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """Two one-sided tests on the boards that only one of two bots wins.

    H0: each bot wins half of those boards. H1: the better bot wins a share of `h1` or more. Boards
    that both or neither win are ignored.

    Attributes:
        h1: The share under H1, between 0.5 and 1 (exclusive).
        alpha: Maximum probability of calling one bot better if H0 holds.
        beta: Maximum probability of calling them equal if one of them wins `h1` or more.

    >>> Sprt().verdict(Pairs(first=100, second=200))
    <SprtVerdict.SECOND: 'second'>

    Raises:
        BadSetting: If the values are invalid.
    """

    h1: float = 0.55
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0.5 < self.h1 < 1:
            raise BadSetting(f"h1 must be greater than 0.5 and less than 1, got {self.h1}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise BadSetting(
                    f"{name} must be greater than 0 and less than 0.5, got {getattr(self, name)}"
                )

    def ratios(self, pairs: Pairs) -> tuple[float, float]:
        """Return the log-likelihood ratios of H1 to H0: first bot better, second bot better."""
        up, down = log(2 * self.h1), log(2 * (1 - self.h1))
        first, second = pairs.first, pairs.second
        return first * up + second * down, second * up + first * down

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds: H0 is accepted below the lower bound, and H1 from the upper bound on."""
        # The two one-sided tests share alpha.
        return log(self.beta), log(2 / self.alpha)

    def verdict(self, pairs: Pairs) -> SprtVerdict:
        """Return the verdict for these games."""
        first, second = self.ratios(pairs)
        lower, upper = self.bounds
        if first >= upper:
            return SprtVerdict.FIRST
        if second >= upper:
            return SprtVerdict.SECOND
        return SprtVerdict.EQUAL if max(first, second) <= lower else SprtVerdict.OPEN
