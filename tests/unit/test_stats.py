"""Intervals and tests of paired games, held against published figures and scipy."""

import math

import numpy as np
import pytest

from sapper.stats import Pairs, mean_interval, wilson


def test_pairs_are_counted_by_who_won() -> None:
    """Four kinds of boards."""
    wins = [(True, True), (True, False), (False, True), (False, True), (False, False)]
    assert Pairs.of(wins) == Pairs(1, 1, 2, 1)
    assert Pairs.of(wins).difference == pytest.approx(1 / 5)
    assert Pairs.of(wins) + Pairs(1, 1, 1, 1) == Pairs(2, 2, 3, 2)


def test_the_interval_of_a_difference_by_hand() -> None:
    """Shares (7+1)/23 and (1+1)/23: 0.2609, and 1.96 times the root of 0.3667/23."""
    low, high = Pairs(both=1, first=1, second=7, neither=12).interval
    assert (round(low, 3), round(high, 3)) == (0.013, 0.508)
    assert Pairs().interval == (-1.0, 1.0)


@pytest.mark.parametrize(("first", "second"), [(1, 9), (0, 0), (5, 5), (120, 90), (30000, 30500)])
def test_mcnemar_is_the_binomial_test(first: int, second: int) -> None:
    """Also for many games, where powers of two have no float."""
    from scipy.stats import binomtest  # Slow to load, so not in every test process.

    found = Pairs(first=first, second=second).p_value
    n = first + second
    expected = binomtest(first, n).pvalue if n else 1.0
    assert found == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("n", "disagree", "difference"), [(100, 0.3, 0.0), (500, 0.1, 0.03)])
def test_the_interval_of_a_difference_covers_it(n: int, disagree: float, difference: float) -> None:
    """In 95 of 100 samples, within what 4000 samples can tell."""
    rng = np.random.default_rng(5)
    chances = [(disagree - difference) / 2, (disagree + difference) / 2, 1 - disagree]
    covered = 0
    for first, second, neither in rng.multinomial(n, chances, 4000):
        low, high = Pairs(0, int(first), int(second), int(neither)).interval
        covered += low <= difference <= high
    assert 0.94 <= covered / 4000 <= 0.97


@pytest.mark.parametrize("rate", [0.02, 0.4, 0.9])
def test_wilson_covers_a_win_rate(rate: float) -> None:
    """Near 95 of 100 samples of 500 games, exactly weighted."""
    from scipy.stats import binom

    chances = binom(500, rate).pmf(range(501))
    inside = [low <= rate <= high for low, high in (wilson(k, 500) for k in range(501))]
    assert 0.93 <= float(np.dot(chances, inside)) <= 0.97


def test_the_interval_of_a_mean() -> None:
    """Normal, with the variance of the sample."""
    values = np.random.default_rng(1).poisson(2, 400)
    low, high = mean_interval(float(values.sum()), float((values**2).sum()), 400)
    half = 1.959964 * values.std(ddof=1) / 20
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half))
    assert mean_interval(1, 1, 1) == (-math.inf, math.inf)
