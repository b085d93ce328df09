"""The sequential test of a win-rate difference: error rates, interval and length."""

from itertools import product
from math import log, prod

import numpy as np
import pytest
from scipy.optimize import brentq

from sapper.errors import BadSetting
from sapper.lab.margin_test import MarginTest, Outcomes
from sapper.lab.sprt import SprtVerdict

VALUES = np.array([-1, 0, 1], dtype=np.int8)


def boards(rng: np.random.Generator, count: int, discordant: float, difference: float) -> Outcomes:
    """Return boards of which each bot alone wins a given share."""
    chances = [(discordant - difference) / 2, 1 - discordant, (discordant + difference) / 2]
    return rng.choice(VALUES, size=count, p=chances)


def decided(
    test: MarginTest, rng: np.random.Generator, discordant: float, difference: float, look: int
) -> tuple[SprtVerdict, Outcomes]:
    """Run one test to its end."""
    played = np.zeros(0, dtype=np.int8)
    while (verdict := test.verdict(played)) is SprtVerdict.OPEN:
        played = np.concatenate([played, boards(rng, look, discordant, difference)])
    return verdict, played


def check_errors(test: MarginTest, discordant: float, tests: int, look: int) -> None:
    """Check error rates, the final interval and the number of boards, within 3 sigma."""
    rng = np.random.default_rng(look)
    for difference in (0.0, test.margin, -test.margin, 2 * test.margin):
        found = [decided(test, rng, discordant, difference, look) for _ in range(tests)]
        right = {0: SprtVerdict.EQUAL, 1: SprtVerdict.SECOND, -1: SprtVerdict.FIRST}[
            np.sign(difference)
        ]
        most = test.beta if difference else test.alpha
        errors = sum(verdict is not right for verdict, _ in found)
        assert errors <= tests * most + 3 * (tests * most * (1 - most)) ** 0.5, difference
        ends = [test.interval(played) for _, played in found]
        missed = sum(not low <= difference <= high for low, high in ends)
        assert missed <= tests * test.alpha + 3 * (tests * test.alpha) ** 0.5, difference
        if difference == test.margin:
            mean = np.mean([played.size for _, played in found])
            predicted = np.mean([test.boards_for(played) for _, played in found])
            # On average, the test runs half a batch later than needed.
            assert 0.6 < (mean - look / 2) / predicted < 1.4


def test_error_rates() -> None:
    """Wrong verdicts on equal and on different bots are no more frequent than stated."""
    check_errors(MarginTest(0.1, alpha=0.1, beta=0.1), discordant=0.3, tests=200, look=20)


@pytest.mark.slow
def test_error_rates_at_half_a_point() -> None:
    """The rates hold for the documented difference, and for boards like those of two close bots."""
    check_errors(MarginTest(0.005), discordant=0.05, tests=100, look=500)


@pytest.mark.slow
def test_error_rates_with_a_test_after_every_board() -> None:
    """Evaluating the test more often does not increase its error rates."""
    check_errors(MarginTest(0.2, alpha=0.05, beta=0.05), discordant=0.5, tests=300, look=1)


def test_capital_is_a_martingale_under_its_hypothesis() -> None:
    """The sum over all sequences is exact; Ville's inequality then gives the error rates."""
    test = MarginTest(0.1)
    for mean, discordant in [(0.0, 0.3), (0.1, 0.3), (-0.1, 0.9), (0.05, 0.05)]:
        shares = [(discordant - mean) / 2, 1 - discordant, (discordant + mean) / 2]
        chances = dict(zip(VALUES, shares, strict=True))
        for side in (1, -1):
            expected = sum(
                prod(chances[value] for value in played)
                * np.exp(test._capital(np.array(played, dtype=np.int8))(mean, side))
                for played in product(VALUES, repeat=6)
            )
            assert expected == pytest.approx(1, abs=1e-12)


def test_interval_ends_at_refuted_means() -> None:
    """The ends of the interval solve the equation for the capital; scipy confirms this."""
    test = MarginTest(0.02, alpha=0.1)
    played = boards(np.random.default_rng(1), 3000, 0.2, 0.03)

    def capital(mean: float, side: int) -> float:
        total, discordant = 0.0, 0
        for before, value in enumerate(played):
            stake = min(0.49, 0.02 / ((discordant + 1) / (before + 2)))
            total += log(1 + side * stake * (float(value) - mean))
            discordant += value != 0
        return total - log(2 / 0.1)

    low, high = test.interval(played)
    assert low == pytest.approx(brentq(capital, -0.9, 0.9, args=(1,)), abs=1e-9)
    assert high == pytest.approx(brentq(capital, -0.9, 0.9, args=(-1,)), abs=1e-9)


def test_intervals_are_valid_simultaneously() -> None:
    """Evaluating often and stopping at the worst moment does not increase the error."""
    test, rng = MarginTest(0.1, alpha=0.1), np.random.default_rng(2)
    missed = 0
    for _ in range(400):
        played = boards(rng, 600, 0.3, 0.05)
        capitals = [test._capital(played[:upto]) for upto in range(20, 601, 20)]
        # If a capital reaches the bound, the interval excludes the true difference.
        missed += any(one(0.05, side) >= log(2 / 0.1) for one in capitals for side in (1, -1))
    assert 0 < missed <= 400 * 0.1 + 3 * (400 * 0.1 * 0.9) ** 0.5


def test_the_interval_agrees_with_the_verdict() -> None:
    """The interval excludes 0 if and only if one bot is declared better."""
    test, rng = MarginTest(0.05), np.random.default_rng(3)
    seen = set()
    for difference in (0.0, 0.05, -0.1):
        played = boards(rng, 3000, 0.2, difference)
        for upto in range(0, 3000, 300):
            verdict, (low, high) = test.verdict(played[:upto]), test.interval(played[:upto])
            assert (low > 0, high < 0) == (
                verdict is SprtVerdict.SECOND,
                verdict is SprtVerdict.FIRST,
            )
            seen.add(verdict)
    assert seen == set(SprtVerdict)


def test_test_is_symmetric() -> None:
    """Swapping the bots swaps the verdict and mirrors the interval."""
    test = MarginTest(0.05)
    played = boards(np.random.default_rng(4), 2000, 0.2, 0.06)
    assert test.verdict(played) is SprtVerdict.SECOND
    assert test.verdict(-played) is SprtVerdict.FIRST
    low, high = test.interval(played)
    assert test.interval(-played) == (-high, -low)


def test_test_without_boards_is_open() -> None:
    """Bots that win the same boards are eventually declared equal."""
    none = np.zeros(0, dtype=np.int8)
    assert (MarginTest().verdict(none), MarginTest().interval(none)) == (SprtVerdict.OPEN, (-1, 1))
    assert MarginTest().verdict(np.zeros(1000, dtype=np.int8)) is SprtVerdict.OPEN
    assert MarginTest().verdict(np.zeros(1300, dtype=np.int8)) is SprtVerdict.EQUAL


@pytest.mark.parametrize("wrong", [{"margin": 0}, {"margin": 1}, {"alpha": 0}, {"beta": 0.5}])
def test_invalid_tests_are_rejected(wrong: dict[str, float]) -> None:
    """Differences of 0 or 1, and errors of 0 or 0.5, are refused."""
    with pytest.raises(BadSetting):
        MarginTest(**wrong)
