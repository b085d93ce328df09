"""Plots have labelled axes and can be read without colour."""

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from sapper.errors import BadSetting
from sapper.lab import plots, run
from sapper.lab.calibrate import calibration
from sapper.lab.spec import Spec
from sapper.lab.sweep import sweep
from sapper.simulation.match import Match
from support.marks import sampled


def reliability() -> Figure:
    """A reliability plot of two bots."""
    bots = ("exact", "autosweeper")
    found = {bot: calibration(run(bot, "beginner", n=100, seed=1).table()) for bot in bots}
    return plots.reliability(found)


def sweeping() -> Figure:
    """A plot over two densities."""
    specs = [Spec(Match("exact", f"9x9@{d}"), 1, 30) for d in (0.1, 0.2)]
    return plots.sweep_plot(sweep(specs), [None, "proved"])


def sizes() -> Figure:
    """A plot over two sizes."""
    return plots.sweep_plot(sweep([Spec(Match("exact", f"{n}x9@0.1"), 1, 30) for n in (9, 12)]))


def bbbv() -> Figure:
    """A plot of one run."""
    return plots.win_rate_by_bbbv(run("exact", "beginner", n=400, seed=1).table())


def so_far() -> Figure:
    """A plot of a run after three games."""
    return plots.win_rate_so_far(np.array([True, False, True]))


def few_numbers() -> Figure:
    """A plot of games with a 3BV of 2, 3 or 4."""
    columns = {"bbbv": [2, 3, 3, 4] * 30, "result": ["won", "lost"] * 60}
    return plots.win_rate_by_bbbv(pa.table(columns))


def _ticks(figure: Figure) -> list[tuple[float, str]]:
    """Return the visible, labelled ticks of the lower axis."""
    figure.savefig(io.BytesIO(), format="png")
    axis = figure.axes[0].xaxis
    low, high = figure.axes[0].get_xlim()
    ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
    found = [(float(tick.get_loc()), tick.label1.get_text()) for tick in ticks]
    return sorted((at, text) for at, text in found if text and low <= at <= high)


@pytest.mark.parametrize("games", sampled([3, 1, 2, 50, 8, 3000], 3))
def test_game_ticks_are_exact(games: int) -> None:
    """Ticks are whole numbers from the first game, even if there are few games."""
    ticks = _ticks(plots.win_rate_so_far(np.ones(games, dtype=bool)))
    assert ticks[0] == (1, "1")
    assert [float(text.replace(",", "")) for _, text in ticks] == [at for at, _ in ticks]


@pytest.mark.parametrize("make", [few_numbers, sizes])
def test_count_ticks_are_integers(make: Callable[[], Figure]) -> None:
    """Ticks are whole numbers, since no board takes 2.25 clicks."""
    ticks = _ticks(make())
    assert len(ticks) > 2
    assert all(at == int(at) and text == f"{at:.0f}" for at, text in ticks)


@pytest.mark.parametrize("make", [reliability, sweeping, sizes, bbbv, so_far])
def test_plot_is_readable(make: Callable[[], Figure], tmp_path: Path) -> None:
    """The axes have names, the lines are grey, and the plot can be saved."""
    figure = make()
    for axes in figure.axes:
        assert axes.get_ylabel()
        for line in axes.get_lines():
            assert len(set(to_rgb(line.get_color()))) == 1
    assert figure.axes[0].get_xlabel()
    plots.save(figure, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert plots.svg(figure).startswith("<svg")


def test_runs_without_games_have_plots() -> None:
    """A run without games can be plotted."""
    table = run("exact", "beginner", n=0, seed=1).table()
    plots.svg(plots.win_rate_by_bbbv(table))
    plots.svg(plots.win_rate_so_far(np.array([], dtype=bool)))
    plots.svg(plots.reliability({"exact": calibration(table)}))


def test_invalid_plots_are_rejected(tmp_path: Path) -> None:
    """Unknown file types, missing directories and empty data raise errors."""
    for name in ("plot.txt", "missing/plot.png"):
        with pytest.raises(BadSetting, match="cannot draw"):
            plots.save(so_far(), tmp_path / name)
    with pytest.raises(BadSetting, match="at least one point"):
        plots.sweep_plot([])
