"""`sapper lab calibrate`: compare predicted mine risk with actual mine hits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sapper.cli import completing
from sapper.cli.lab import options as opt
from sapper.cli.lab.progress import run_bars
from sapper.cli.lab.words import grid, interval
from sapper.cli.output import emit
from sapper.cli.parsing import TopologyName, shaped
from sapper.cli.signatures import Argument

if TYPE_CHECKING:
    from sapper.lab.calibrate import Calibration
    from sapper.lab.runs import Run

__all__ = ["EXAMPLE", "calibrate", "table"]

EXAMPLE = "sapper lab calibrate exact groups autosweeper -n 2000 --plot reliability.png"


def calibrate(
    what: Annotated[
        list[str],
        Argument(
            metavar="BOT|DIR...",
            help="Bots to run, or saved-run directories.",
            autocompletion=completing.bot_names,
        ),
    ],
    level: opt.LevelText = "expert",
    topology: TopologyName = None,
    rules: opt.Rules = "classic",
    first_click: opt.FirstClickText = None,
    start: opt.StartText = "0,0",
    n: opt.Games = 1000,
    seed: opt.Seed = 1,
    rule: opt.RuleTexts = None,
    workers: opt.Workers = None,
    dask: opt.Dask = None,
    bot_seconds: opt.BotSeconds = 60.0,
    plot: opt.Plot = None,
    as_json: opt.Json = False,
) -> None:
    """Compare predicted mine risk with how often guesses hit mines.

    For each percent of risk, print how many cells were opened and how many were mines.
    """
    opt.check_plot(plot)
    from sapper.lab.calibrate import COLUMNS, calibration
    from sapper.lab.runs import Run, play

    settings = opt.GameOptions(shaped(level, topology), rules, first_click, start, rule, seed, n)
    calibrations: dict[str, Calibration] = {}
    with run_bars() as watch:
        for name in what:
            games = (
                Run.open(name)
                if Path(name).is_dir()
                else play(settings.spec(name), workers, dask, bot_seconds=bot_seconds, watch=watch)
            )
            calibrations[_label(name, games)] = calibration(games.table(COLUMNS))
    if plot is not None:
        from sapper.lab.plots import reliability, save

        save(reliability(calibrations), plot)
    if as_json:
        emit({name: one.to_json() for name, one in calibrations.items()})
    else:
        print("\n\n".join(f"{name}\n{table(one)}" for name, one in calibrations.items()))


def _label(name: str, games_run: Run) -> str:
    return f"{games_run.spec.name} ({name})" if Path(name).is_dir() else name


def table(result: Calibration) -> str:
    """Return the table by percent of risk, with a totals line."""
    rows = [("risk, %", "opened", "mines", "actual, %")]
    rows += [
        (
            str(one.percent),
            f"{one.guesses:,}",
            f"{one.mines:,}",
            f"{100 * one.share:5.1f} {interval(*one.interval, scale=100):>14}",
        )
        for one in result.bins
    ]
    total = (
        f"{result.guesses:,} guesses, {result.mines:,} mines, {result.expected:,.1f} predicted, "
        f"z = {result.z:+.1f}"
    )
    return f"{grid(rows)}\n{total}"
