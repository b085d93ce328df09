"""Intervals and tests for paired games, compared with published figures and scipy."""

import math

import numpy as np
import pytest

from sapper.stats import Pairs, mean_interval, percent_text, share_error, share_interval, wilson


@pytest.mark.parametrize(
    ("share", "error", "text"),
    [
        (0.6, None, "60.0 %"),
        (1.0, 0.0, "100.0 %"),
        (0.6, 0.024, "60.0 % ± 2.4"),
        (0.975, 0.024, "97.5 % ± 2.4"),
        (1.0, 0.044, "95.6 to 100.0 %"),
        (0.001, 0.02, "0.0 to 2.1 %"),
    ],
)
def test_share_with_its_error_stays_between_0_and_100(
    share: float, error: float | None, text: str
) -> None:
    """A sampled win chance was printed as 100.0 % ± 4.4."""
    assert percent_text(share, error) == text


def test_pairs_are_counted_by_winner() -> None:
    """A board counts as won by the first, the second, both or neither."""
    wins = [(True, True), (True, False), (False, True), (False, True), (False, False)]
    assert Pairs.of(wins) == Pairs(1, 1, 2, 1)
    assert Pairs.of(wins).difference == pytest.approx(1 / 5)
    assert Pairs.of(wins) + Pairs(1, 1, 1, 1) == Pairs(2, 2, 3, 2)


def test_the_interval_of_a_difference_by_hand() -> None:
    """Shares (7+1)/23 and (1+1)/23 give 0.2609 ± 1.96 times the root of 0.3667/23."""
    low, high = Pairs(both=1, first=1, second=7, neither=12).interval
    assert (round(low, 3), round(high, 3)) == (0.013, 0.508)
    assert Pairs().interval == (-1.0, 1.0)


@pytest.mark.parametrize(("first", "second"), [(1, 9), (0, 0), (5, 5), (120, 90), (30000, 30500)])
def test_mcnemar_is_the_binomial_test(first: int, second: int) -> None:
    """The test is exact even if there are so many games that powers of two exceed floats."""
    from scipy.stats import (
        binomtest,
    )  # SciPy loads slowly, and few test processes need it.

    found = Pairs(first=first, second=second).p_value
    n = first + second
    expected = binomtest(first, n).pvalue if n else 1.0
    assert found == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("n", "disagree", "difference"), [(100, 0.3, 0.0), (500, 0.1, 0.03)])
def test_the_interval_of_a_difference_covers_it(n: int, disagree: float, difference: float) -> None:
    """The interval covers the difference in 95 % of samples, within the error of 4,000 samples."""
    rng = np.random.default_rng(5)
    chances = [(disagree - difference) / 2, (disagree + difference) / 2, 1 - disagree]
    covered = 0
    for first, second, neither in rng.multinomial(n, chances, 4000):
        low, high = Pairs(0, int(first), int(second), int(neither)).interval
        covered += low <= difference <= high
    assert 0.94 <= covered / 4000 <= 0.97


@pytest.mark.parametrize("rate", [0.02, 0.4, 0.9])
def test_wilson_covers_a_win_rate(rate: float) -> None:
    """By exact computation, Wilson's interval covers about 95 % of samples of 500 games."""
    from scipy.stats import binom

    chances = binom(500, rate).pmf(range(501))
    inside = [low <= rate <= high for low, high in (wilson(k, 500) for k in range(501))]
    assert 0.93 <= float(np.dot(chances, inside)) <= 0.97


def test_the_interval_of_a_mean() -> None:
    """The interval is a normal one, based on the sample's variance."""
    values = np.random.default_rng(1).poisson(2, 400)
    low, high = mean_interval(float(values.sum()), float((values**2).sum()), 400)
    half = 1.959964 * values.std(ddof=1) / 20
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half))
    assert mean_interval(1, 1, 1) == (-math.inf, math.inf)


def test_equal_counts_do_not_prove_a_mean() -> None:
    """[#33] A bot that did not guess in 1000 games may still guess in others."""
    low, high = mean_interval(0, 0, 1000)
    assert (low, round(high, 5)) == (0.0, 0.00383)
    low, high = mean_interval(2000, 4000, 1000)
    assert (round(low, 5), round(high, 5)) == (1.99617, 2.00383)


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("n", [1, 12, 200, 6000])
def test_a_sample_never_has_an_interval_of_zero_width(n: int, value: float) -> None:
    """[#33] Equal values do not rule out others: "100.0 ± 0.0 %" stood for 99.5 %."""
    low, high = share_interval([value] * n)
    assert 0 <= low <= value <= high <= 1
    assert high - low > 3 / (n + 4)
    assert share_error([value] * n) == max(value - low, high - value) > 0


def test_empty_sample_gives_the_whole_range() -> None:
    """The interval of an empty sample is 0 to 1."""
    assert share_interval([]) == (0.0, 1.0)


def test_share_intervals_match_agresti_coull() -> None:
    """Computed by hand with statsmodels' formula: 380 of 1000."""
    z2 = 1.959964**2
    n = 1000 + z2
    p = (380 + z2 / 2) / n
    half = 1.959964 * math.sqrt(p * (1 - p) / n)
    found = share_interval([1.0] * 380 + [0.0] * 620)
    assert found == pytest.approx((p - half, p + half), abs=1e-6)


@pytest.mark.parametrize("often", [0.005, 0.03, 0.2])
@pytest.mark.parametrize("n", [12, 50, 200])
def test_the_interval_of_a_share_covers_rare_losses(n: int, often: float) -> None:
    """With values of 1 and a few coin flips, the interval covers at least 93 % of samples."""
    rng = np.random.default_rng(7)
    truth, covered = 1 - often / 2, 0
    for flips in rng.binomial(n, often, 1000):
        low, high = share_interval([0.5] * int(flips) + [1.0] * (n - int(flips)))
        covered += low <= truth <= high
    assert covered >= 930
