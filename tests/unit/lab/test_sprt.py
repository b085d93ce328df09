"""The error rates of the sequential test do not exceed the stated ones."""

import numpy as np
import pytest

from sapper.errors import BadSetting
from sapper.lab.sprt import Sprt, SprtVerdict
from sapper.stats import Pairs


def decided(test: Sprt, share: float, rng: np.random.Generator, look: int) -> SprtVerdict:
    """Run one test to its end; the second bot wins this share of the decisive boards."""
    pairs = Pairs()
    while (verdict := test.verdict(pairs)) is SprtVerdict.OPEN:
        second = int(rng.binomial(look, share))
        pairs += Pairs(first=look - second, second=second)
    return verdict


@pytest.mark.parametrize("look", [1, 50])
def test_error_rates(look: int) -> None:
    """Over 300 tests, each error rate is within 3 sigma of the stated one."""
    test, rng = Sprt(h1=0.6, alpha=0.05, beta=0.1), np.random.default_rng(look)
    equal = [decided(test, 0.5, rng, look) for _ in range(300)]
    assert sum(v is not SprtVerdict.EQUAL for v in equal) <= 300 * 0.05 + 3 * 3.8
    better = [decided(test, 0.6, rng, look) for _ in range(300)]
    assert sum(v is not SprtVerdict.SECOND for v in better) <= 300 * 0.1 + 3 * 5.2


def test_test_is_symmetric() -> None:
    """Swapping the bots swaps the verdict."""
    assert Sprt().verdict(Pairs(first=300, second=200)) is SprtVerdict.FIRST
    assert Sprt().verdict(Pairs(first=200, second=300)) is SprtVerdict.SECOND
    assert Sprt().verdict(Pairs(first=2000, second=2000)) is SprtVerdict.EQUAL
    assert Sprt().verdict(Pairs(both=5000, neither=5000)) is SprtVerdict.OPEN


@pytest.mark.parametrize("wrong", [{"h1": 0.5}, {"h1": 1}, {"alpha": 0}, {"beta": 0.5}])
def test_invalid_tests_are_rejected(wrong: dict[str, float]) -> None:
    """Shares of 0.5 or 1, and errors of 0 or 0.5, are refused."""
    with pytest.raises(BadSetting):
        Sprt(**wrong)
