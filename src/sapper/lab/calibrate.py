"""Calibration: compare predicted mine risk with how often guesses hit mines."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.lab.table import fatal_risks
from sapper.stats import wilson

__all__ = ["COLUMNS", "Bin", "Calibration", "calibration"]

COLUMNS = ["result", "risks", "last_risk"]
"""The columns needed for a calibration."""

_ROUNDING = 1e-9
"""Tolerance for rounding: a risk of one half may be a float just below 0.5."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Guesses whose predicted risk rounds down to the same percent.

    Attributes:
        percent: The risk in whole percent, rounded down (20.6 % is in bin 20), as in the table that
            the authors of the bot `groups` published.
        guesses: Number of cells opened at that risk.
        mines: Number of these cells that were mines.
        expected: Expected number of mines: the sum of the risks.
    """

    percent: int
    guesses: int
    mines: int
    expected: float

    @property
    def share(self) -> float:
        """Share of the guesses that hit a mine, from 0 to 1."""
        return self.mines / self.guesses

    @property
    def interval(self) -> tuple[float, float]:
        """The Wilson 95 % interval of that share."""
        return wilson(self.mines, self.guesses)

    @property
    def risk(self) -> float:
        """Mean predicted risk of these guesses."""
        return self.expected / self.guesses


@dataclass(frozen=True, slots=True)
class Calibration:
    """All guesses of a run, binned by risk.

    Attributes:
        bins: One bin for each percent with at least one guess.
        variance: The sum of ``risk * (1 - risk)``: the variance of the number of mines if the
            predicted risks are correct.
    """

    bins: tuple[Bin, ...]
    variance: float

    @property
    def guesses(self) -> int:
        """Number of guesses with an estimate."""
        return sum(one.guesses for one in self.bins)

    @property
    def mines(self) -> int:
        """Number of these guesses that hit a mine."""
        return sum(one.mines for one in self.bins)

    @property
    def expected(self) -> float:
        """Expected number of mines."""
        return sum(one.expected for one in self.bins)

    @property
    def z(self) -> float:
        """Difference between actual and expected mines, in standard deviations.

        A game continues only after a safe guess, but the chance of each guess does not depend on
        earlier ones. The variance of the sum is therefore the same as for independent guesses.
        """
        return (self.mines - self.expected) / sqrt(self.variance) if self.variance else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return all figures as JSON."""
        return {
            "guesses": self.guesses,
            "mines": self.mines,
            "expected": self.expected,
            "z": self.z,
            "bins": [
                {
                    "percent": one.percent,
                    "guesses": one.guesses,
                    "mines": one.mines,
                    "risk": one.risk,
                    "share": one.share,
                    "interval": list(one.interval),
                }
                for one in self.bins
            ],
        }


def calibration(table: Any) -> Calibration:
    """Group the guesses of games by percent of risk; the table needs `COLUMNS`."""
    risks, fatal = fatal_risks(table)
    return of_guesses(risks, fatal)


def of_guesses(risks: npt.NDArray[np.float64], fatal: npt.NDArray[np.bool_]) -> Calibration:
    """Group guesses by percent of risk.

    Args:
        risks: The predicted risk of each guess.
        fatal: Whether each guess hit a mine.
    """
    percent = np.floor(100 * risks + _ROUNDING).astype(np.int64)
    guesses = np.bincount(percent)
    mines = np.bincount(percent, fatal.astype(np.float64))
    expected = np.bincount(percent, risks)
    bins = [
        Bin(int(at), int(guesses[at]), int(mines[at]), float(expected[at]))
        for at in np.flatnonzero(guesses)
    ]
    return Calibration(tuple(bins), float(np.sum(risks * (1 - risks))))
