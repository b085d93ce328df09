"""The sequential test of a difference in win rate, with an interval valid at any time.

Sources: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting",
JRSS B 86, 2024, for tests and intervals; J. Ville, 1939, for the inequality behind both.

A board counts 1 if only the second bot wins it, -1 if only the first does, and 0 otherwise; the
mean is the difference in win rate. A hypothesis about the mean is tested by betting on the boards
at odds that are fair or unfavourable if the hypothesis holds. In that case, a capital of 1 reaches
100 with a probability of at most 1 %, however often it is checked; if it reaches 100, the
hypothesis is refuted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from sapper.errors import BadSetting
from sapper.lab.sprt import SprtVerdict

__all__ = ["MarginTest", "Outcomes"]

Outcomes = npt.NDArray[np.int8]
"""For each board, in order: 1 if only the second bot won, -1 if only the first did, else 0."""

_MOST_STAKED: Final = 0.49
"""Largest stake: a board differs from the tested mean by less than 2, so capital stays positive."""
_STEPS: Final = 40
"""Bisection steps for each end of the interval, which give a precision of 2e-12."""


@dataclass(frozen=True, slots=True)
class MarginTest:
    """Two one-sided tests of the difference in win rate of two bots on the same boards.

    H0: their win rates are equal. H1: they differ by `margin` or more. The stakes are optimal for a
        difference of `margin`, given the share of earlier boards that only one bot won. Detecting
        such a difference takes about as many boards as with Wald's test if that share were known.

    Attributes:
        margin: The difference under H1, between 0 and 1 (exclusive): 0.005 is half a percentage
            point.
        alpha: Maximum probability of calling one bot better if H0 holds.
        beta: Maximum probability of calling them equal if they differ by `margin` or more.

    >>> outcomes = np.array([0, 1, 0, 0, 1, 0, 0, -1, 0, 1] * 200, dtype=np.int8)
    >>> MarginTest(margin=0.1).verdict(outcomes)
    <SprtVerdict.SECOND: 'second'>
    >>> [round(end, 3) for end in MarginTest(margin=0.1).interval(outcomes)]
    [0.146, 0.253]

    Raises:
        BadSetting: If the values are invalid.
    """

    margin: float = 0.005
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.margin < 1:
            raise BadSetting(f"margin must be greater than 0 and less than 1, got {self.margin}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise BadSetting(
                    f"{name} must be greater than 0 and less than 0.5, got {getattr(self, name)}"
                )

    def verdict(self, outcomes: Outcomes) -> SprtVerdict:
        """Return the verdict for these boards."""
        capital = self._capital(outcomes)
        # The two one-sided tests share alpha.
        if capital(0.0, 1) >= log(2 / self.alpha):
            return SprtVerdict.SECOND
        if capital(0.0, -1) >= log(2 / self.alpha):
            return SprtVerdict.FIRST
        # The bots are equal if neither can be better by the margin.
        lower = min(capital(self.margin, -1), capital(-self.margin, 1))
        return SprtVerdict.EQUAL if lower >= log(1 / self.beta) else SprtVerdict.OPEN

    def interval(self, outcomes: Outcomes) -> tuple[float, float]:
        """Return an interval for the difference: the second bot's win rate minus the first's.

        With a probability of at least 1 - `alpha`, the intervals after any number of boards all
        contain the true difference, so an interval is valid whenever the games stop. It excludes 0
        if and only if the verdict is that one of the bots is better.
        """
        capital, most = self._capital(outcomes), log(2 / self.alpha)
        low = _last(lambda mean: capital(mean, 1) >= most)
        high = -_last(lambda mean: capital(-mean, -1) >= most)
        return low, high

    def boards_for(self, outcomes: Outcomes) -> int:
        """Estimate the number of boards needed to detect a difference of `margin`.

        Equal bots need about 1.5 times as many.
        """
        share = (np.count_nonzero(outcomes) + 1) / (outcomes.size + 2)
        return ceil(2 * share * log(2 / self.alpha) / self.margin**2)

    def _capital(self, outcomes: Outcomes) -> Callable[[float, int], float]:
        """Return the log of the capital from betting that the mean is above (1) or below (-1)."""
        values: Any = outcomes.astype(np.float64)
        discordant = np.abs(values)
        # Use earlier boards only, so that no stake depends on its own outcome.
        share = (np.cumsum(discordant) - discordant + 1) / (np.arange(values.size) + 2)
        stakes = np.minimum(_MOST_STAKED, self.margin / share)

        def capital(mean: float, side: int) -> float:
            return float(np.log1p(side * stakes * (values - mean)).sum())

        return capital


def _last(refuted: Callable[[float], bool]) -> float:
    """Return the largest refuted mean; all means below it are refuted. -1 if none is."""
    low, high = -1.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low
