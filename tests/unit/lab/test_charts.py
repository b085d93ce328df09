"""The data series in the charts of a run."""

import numpy as np
import pytest

from sapper.lab import run
from sapper.lab.calibrate import calibration
from sapper.lab.charts import charts, win_rates
from sapper.stats import wilson


def test_win_rate_series_has_each_number_of_games() -> None:
    """Two of three games are won; each point has a Wilson interval."""
    won = np.array([True, False, True])
    rate, low, high = win_rates(won, np.array([1, 3]))
    assert rate.tolist() == [1.0, pytest.approx(2 / 3)]
    assert list(zip(low, high, strict=True)) == [wilson(1, 1), wilson(2, 3)]


def test_series_match_the_run() -> None:
    """The totals and last points of the series are the run's figures."""
    made = run("exact", "expert", first_click="safe", n=300, seed=1)
    found, whole = charts(made), calibration(made.table())
    history, groups = found["history"], found["calibration"]
    assert history["games"][-1] == 300
    assert history["rate"][-1] == pytest.approx(made.tally.win_rate)
    assert (history["low"][-1], history["high"][-1]) == pytest.approx(made.tally.interval)
    assert sum(row["games"] for row in found["guesses"]) == 300
    assert sum(row["guesses"] * row["games"] for row in found["guesses"]) == made.tally.guesses
    assert sum(row["wins"] for row in found["guesses"]) == made.tally.wins
    assert sum(row["n"] for row in groups) == whole.guesses
    assert sum(row["mines"] for row in groups) == whole.mines
    assert sum(row["predicted"] * row["n"] for row in groups) == pytest.approx(whole.expected)


def test_guesses_are_grouped_in_steps_of_five_percent() -> None:
    """Each step has at most one point, which lies within it."""
    groups = charts(run("exact", "expert", first_click="safe", n=300, seed=1))["calibration"]
    steps = [int(20 * row["predicted"] + 1e-6) for row in groups]
    assert steps == sorted(set(steps))
    assert len(steps) > 5


def test_a_run_without_games_has_empty_series() -> None:
    """The series of a run without games are empty."""
    found = charts(run("exact", "beginner", n=0, seed=1))
    assert found["history"] == {"games": [], "rate": [], "low": [], "high": []}
    assert found["guesses"] == found["calibration"] == []
