"""Data series for the charts of a run: win rate over time, guesses per game, and calibration."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.lab.calibrate import Calibration, calibration
from sapper.lab.runs import Run
from sapper.stats import wilson

__all__ = ["charts", "win_rates"]

_COLUMNS = ["result", "guesses", "risks", "last_risk"]
_POINTS = 160
"""Number of points in the win rate series; more would not be visible on a screen."""
_STEP = 5
"""Width of a calibration point, in percent of risk."""


def charts(run: Run) -> dict[str, Any]:
    """Return the data series of a run as JSON: ``history``, ``guesses`` and ``calibration``.

    >>> from sapper.lab import run
    >>> charts(run("exact", "beginner", n=50))["history"]["games"][-1]
    50
    """
    table = run.table(_COLUMNS)
    won = np.asarray(table.column("result").to_numpy()) == "won"
    return {
        "history": _history(won),
        "guesses": _by_guesses(won, table.column("guesses").to_numpy()),
        "calibration": _calibration(calibration(table)),
    }


def win_rates(
    won: npt.NDArray[np.bool_], games: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the win rate and its interval after each of the given numbers of games."""
    wins = np.cumsum(won)[games - 1]
    ends = np.array([wilson(int(k), int(n)) for k, n in zip(wins, games, strict=True)])
    low, high = ends.reshape(-1, 2).T
    return wins / games, low, high


def _history(won: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """Return the win rate after evenly spaced numbers of games, with its interval."""
    games = sorted({round(len(won) * (i + 1) / _POINTS) for i in range(_POINTS)} - {0})
    rate, low, high = win_rates(won, np.array(games, dtype=np.int64))
    return {
        "games": games,
        "rate": rate.tolist(),
        "low": low.tolist(),
        "high": high.tolist(),
    }


def _by_guesses(won: npt.NDArray[np.bool_], guesses: Any) -> list[dict[str, int]]:
    """Return the number of games and wins for each number of guesses."""
    games = np.bincount(guesses) if len(guesses) else np.zeros(0, int)
    wins = np.bincount(guesses[won], minlength=len(games)) if len(guesses) else games
    return [
        {"guesses": n, "games": int(count), "wins": int(wins[n])}
        for n, count in enumerate(games)
        if count
    ]


def _calibration(binned: Calibration) -> list[dict[str, Any]]:
    """Return predicted and actual risk in steps of five percent; 100 % belongs to the last step."""
    rows = []
    for _, group in groupby(binned.bins, lambda one: min(one.percent, 99) // _STEP):
        bins = list(group)
        n, mines = sum(one.guesses for one in bins), sum(one.mines for one in bins)
        low, high = wilson(mines, n)
        rows.append(
            {
                "predicted": sum(one.expected for one in bins) / n,
                "n": n,
                "mines": mines,
                "share": mines / n,
                "low": low,
                "high": high,
            }
        )
    return rows
