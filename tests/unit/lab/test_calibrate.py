"""Calibration: guesses by percentage, and the accuracy of their predicted risk."""

import numpy as np
import pytest

from sapper.lab import run
from sapper.lab.calibrate import COLUMNS, Bin, calibration, of_guesses


def test_guesses_are_binned_by_whole_percent() -> None:
    """A chance that rounding puts just below 0.5 counts as 0.5."""
    risks = np.array([0.206, 0.5, 0.1 + 0.2 + 0.2 - 2**-53, 1.0])
    found = of_guesses(risks, np.array([False, True, False, True]))
    assert [(b.percent, b.guesses, b.mines) for b in found.bins] == [
        (20, 1, 0),
        (50, 2, 1),
        (100, 1, 1),
    ]
    assert found.expected == pytest.approx(risks.sum())
    assert (found.guesses, found.mines) == (4, 2)


def test_bin_matches_the_published_table() -> None:
    """Source: the 12 % row in the group bot's article: 1201 opened, 147 mines."""
    row = Bin(percent=12, guesses=1201, mines=147, expected=1201 * 0.125)
    assert round(100 * row.share) == 12
    assert row.interval[0] < row.risk < row.interval[1]


def test_exact_risks_are_calibrated() -> None:
    """If the first click is not a guess, exact risks are within three standard deviations."""
    found = calibration(run("exact", "beginner", n=3000, seed=1).table(COLUMNS))
    assert found.guesses > 2000
    assert abs(found.z) < 3


def test_single_number_ratios_are_not_calibrated() -> None:
    """Autosweeper takes the largest ratio as a cell's risk, which is too high."""
    found = calibration(run("autosweeper", "beginner", n=300, seed=1).table(COLUMNS))
    assert found.z < -3
    told = found.to_json()
    assert sum(one["mines"] for one in told["bins"]) == told["mines"]


def test_calibration_without_guesses_is_empty() -> None:
    """Without guesses, every figure is unknown."""
    assert calibration(run("exact", n=0, seed=1).table(COLUMNS)).to_json()["z"] == 0
