"""Plots with labelled axes and intervals that are readable without colour."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper._util.installing import pip_install
from sapper._util.shortening import shown
from sapper._util.whole_file import check_target, written_whole
from sapper.errors import BadSetting, MissingExtra
from sapper.lab.calibrate import Calibration
from sapper.lab.charts import win_rates
from sapper.lab.sweep import SweepPoint
from sapper.stats import wilson

try:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogFormatter
except ModuleNotFoundError:
    raise MissingExtra(f"matplotlib is not installed: {pip_install('lab')}") from None

__all__ = [
    "check_kind",
    "reliability",
    "save",
    "svg",
    "sweep_plot",
    "win_rate_by_bbbv",
    "win_rate_so_far",
]

_KINDS = (".png", ".svg", ".pdf")
_GREYS = ["black", "0.35", "0.55"]
_MARKERS = ["o", "s", "^", "D", "v", "P"]
_LINES = ["-", "--", ":", "-."]
_MIN_COUNT = 20
"""Minimum number of games or guesses for a point of its own."""


def _figure(width: float = 7.0, height: float = 4.5) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.grid(color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    return figure, axes


def _bars(
    at: Sequence[float] | npt.NDArray[np.float64],
    ends: Sequence[tuple[float, float]],
) -> npt.NDArray[np.float64]:
    """Return the lengths of error bars below and above each value, given the ends of intervals."""
    low, high = np.array(ends, dtype=float).T
    middle = np.asarray(at, dtype=float)
    lengths: npt.NDArray[np.float64] = np.maximum(0, np.array([middle - low, high - middle]))
    return lengths


def reliability(calibrations: Mapping[str, Calibration], title: str = "") -> Figure:
    """Plot the actual share of mines against predicted risk, one series per bot."""
    figure, axes = _figure(6.0, 6.0)
    axes.plot([0, 100], [0, 100], color="0.6", linewidth=1, label="as predicted")
    top = 10.0
    for number, (name, one) in enumerate(calibrations.items()):
        bins = [b for b in one.bins if b.guesses >= _MIN_COUNT]
        if not bins:
            continue
        risk, share = [100 * b.risk for b in bins], [100 * b.share for b in bins]
        ends = [(100 * b.interval[0], 100 * b.interval[1]) for b in bins]
        top = max(top, *risk, *(high for _, high in ends))
        axes.errorbar(
            risk,
            share,
            _bars(share, ends),
            linestyle="none",
            marker=_MARKERS[number % len(_MARKERS)],
            markersize=4,
            markerfacecolor="white" if number % 2 else _GREYS[number % len(_GREYS)],
            color=_GREYS[number % len(_GREYS)],
            elinewidth=0.8,
            label=f"{name}: {one.guesses:,} guesses, {one.mines:,} mines, "
            f"{one.expected:,.0f} predicted",
        )
    axes.set(
        xlim=(0, top * 1.03),
        ylim=(0, top * 1.03),
        aspect="equal",
        xlabel="predicted risk (%)",
        ylabel="guesses that hit a mine (%), with 95 % intervals",
        title=title,
    )
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), fontsize="small")
    return figure


def sweep_plot(
    points: Sequence[SweepPoint], lines: Sequence[str | None] = (None,), title: str = ""
) -> Figure:
    """Plot wins on the left axis, and the uses of each level (guesses for None) on the right."""
    if not points:
        raise BadSetting("a plot of a sweep needs at least one point")
    figure, left = _figure()
    densities = [point.density for point in points]
    by_density = len(set(densities)) > 1
    at = densities if by_density else [float(point.cells) for point in points]
    rates = [point.tally.win_rate for point in points]
    series = [
        left.errorbar(
            at,
            rates,
            _bars(rates, [point.tally.interval for point in points]),
            color="black",
            marker="o",
            capsize=2,
            label="wins (left axis)",
        )
    ]
    right = left.twinx()
    for number, level in enumerate(lines):
        name = "guesses" if level is None else f"uses of {level}"
        means = [point.tally.per_game(level) for point in points]
        series.append(
            right.errorbar(
                at,
                [mean for mean, _, _ in means],
                _bars([m for m, _, _ in means], [(low, high) for _, low, high in means]),
                color="0.4",
                marker=_MARKERS[(number + 1) % len(_MARKERS)],
                markerfacecolor="white",
                linestyle=_LINES[(number + 1) % len(_LINES)],
                capsize=2,
                label=f"{name} (right axis)",
            )
        )
    left.set(
        xlabel="mine density (mines per cell)" if by_density else "board size (cells)",
        ylabel="share of games won, with 95 % intervals",
        ylim=(0, 1),
        title=title,
    )
    if not by_density:
        left.locator_params(axis="x", integer=True)
    right.set(ylabel="times a game, with 95 % intervals")
    right.set_ylim(bottom=0)
    left.legend(handles=series, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3)
    return figure


def win_rate_so_far(won: npt.NDArray[np.bool_], title: str = "") -> Figure:
    """Plot the win rate after each number of games, with its interval."""
    figure, axes = _figure()
    at = np.unique(np.geomspace(1, max(1, len(won)), 400).astype(int))[: len(won)]
    rate, low, high = win_rates(won, at)
    axes.fill_between(at, 100 * low, 100 * high, color="0.85", label="Wilson 95 % interval")
    axes.plot(at, 100 * rate, color="black", label="win rate")
    axes.set(xscale="log", xlabel="games", ylabel="games won (%)", ylim=(0, 100), title=title)
    # Otherwise, the axis for a run of a single game would start at 0.1 games.
    axes.set_xlim(1, max(2, len(won)))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    # Short runs need labels between powers of ten; print those in plain digits as well.
    axes.xaxis.set_minor_formatter(LogFormatter())
    axes.legend()
    return figure


def win_rate_by_bbbv(table: Any, title: str = "") -> Figure:
    """Plot win rates by 3BV."""
    figure, axes = _figure()
    ended = table.filter(table.column("bbbv").is_valid())
    bbbv = ended.column("bbbv").to_numpy()
    won = ended.column("result").to_numpy() == "won"
    # Make groups of roughly equal size that keep games with the same 3BV together.
    quantiles = np.quantile(bbbv, np.linspace(0, 1, 21)) if len(bbbv) else np.array([])
    edges = [*np.unique(quantiles.astype(int)), np.inf]
    rows = []
    for low, high in pairwise(edges):
        inside = (bbbv >= low) & (bbbv < high)
        if inside.sum() >= _MIN_COUNT:
            rows.append((bbbv[inside].mean(), int(won[inside].sum()), int(inside.sum())))
    if rows:
        share = [100 * wins / n for _, wins, n in rows]
        ends = [(100 * low, 100 * high) for low, high in (wilson(k, n) for _, k, n in rows)]
        at = [mean for mean, _, _ in rows]
        axes.errorbar(at, share, _bars(share, ends), color="black", marker="o", capsize=2)
    axes.set(
        xlabel="3BV of the board (clicks)",
        ylabel="games won (%), with 95 % intervals",
        ylim=(0, 100),
        title=title,
    )
    axes.locator_params(axis="x", integer=True)
    return figure


def svg(figure: Figure) -> str:
    """Return a figure as an SVG element to embed in a page."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    text = file.getvalue()
    return text[text.index("<svg") :]


def check_kind(path: Path | str) -> None:
    """Reject an unusable file name for a plot, before any work is done.

    Raises:
        BadSetting: If the name does not end in .png, .svg or .pdf, or the file exists and is of
            another kind.
    """
    if Path(path).suffix.lower() not in _KINDS:
        raise BadSetting(f"a plot is a .png, .svg or .pdf file, not {shown(str(path))}")
    check_target(Path(path), kind=Path(path).suffix[1:].upper())


def save(figure: Figure, path: Path | str) -> None:
    """Write a figure to a file in the format of its suffix: ``.png``, ``.svg``, ``.pdf``.

    Raises:
        BadSetting: If the file cannot be written, or its suffix is unknown.
    """
    try:
        check_kind(path)
        with written_whole(Path(path)) as temporary:
            figure.savefig(temporary, dpi=150, format=Path(path).suffix[1:].lower())
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise BadSetting(f"cannot draw {str(path)!r}: {reason}") from None
