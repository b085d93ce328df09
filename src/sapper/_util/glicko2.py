"""Glicko-2 ratings: the strength of a player or the difficulty of a puzzle, with its uncertainty.

Follows M. E. Glickman, "Example of the Glicko-2 system" (2013 revision),
http://www.glicko.net/glicko/glicko2.pdf; the comments name its steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt
from typing import Final

__all__ = ["Rating", "rated"]

_SCALE: Final = 173.7178
"""Points of a rating in one unit of the Glicko-2 scale."""
_TAU: Final = 0.5
"""How fast the volatility may change."""
_PRECISION: Final = 1e-6
_LARGEST: Final = 350.0
"""The largest deviation: that of an unknown player."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating.

    Attributes:
        rating: The estimate.
        deviation: The standard deviation of the rating; a 95 % interval extends twice this much to
            each side.
        volatility: The volatility: how erratic the results are.
    """

    rating: float = 1500.0
    deviation: float = _LARGEST
    volatility: float = 0.06


def rated(own: Rating, results: Sequence[tuple[Rating, float]], tau: float = _TAU) -> Rating:
    """Return a rating after the results of one rating period.

    >>> after = rated(Rating(1500, 200), [(Rating(1400, 30), 1.0)])
    >>> round(after.rating), round(after.deviation)
    (1564, 175)

    Args:
        own: The rating before.
        results: The ratings of the opponents, each with the score against them, from 0 to 1.
        tau: How fast the volatility may change, from 0.3 to 1.2.
    """
    # Step 2: the Glicko-2 scale.
    mu, phi = (own.rating - 1500) / _SCALE, own.deviation / _SCALE
    if not results:
        spread = sqrt(phi**2 + own.volatility**2)
        return Rating(own.rating, min(_LARGEST, spread * _SCALE), own.volatility)
    # Steps 3 and 4: the variance of a rating based on the results alone, and the improvement.
    information = improvement = 0.0
    for other, score in results:
        weight = 1 / sqrt(1 + 3 * (other.deviation / _SCALE) ** 2 / pi**2)
        expected = 1 / (1 + exp(-weight * (mu - (other.rating - 1500) / _SCALE)))
        information += weight**2 * expected * (1 - expected)
        improvement += weight * (score - expected)
    variance = 1 / information
    delta = variance * improvement
    volatility = _volatility(phi, variance, delta, own.volatility, tau)
    # Steps 6 to 8.
    before = phi**2 + volatility**2
    after = 1 / sqrt(1 / before + 1 / variance)
    rating = 1500 + _SCALE * (mu + after**2 * improvement)
    return Rating(rating, min(_LARGEST, _SCALE * after), volatility)


def _volatility(phi: float, variance: float, delta: float, sigma: float, tau: float) -> float:
    """Step 5: the new volatility, by the Illinois form of regula falsi."""
    start = log(sigma**2)

    def f(x: float) -> float:
        square = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - square) / (2 * square**2) - (x - start) / tau**2

    low = start
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while f(start - steps * tau) < 0:
            steps += 1
        high = start - steps * tau
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _PRECISION:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
