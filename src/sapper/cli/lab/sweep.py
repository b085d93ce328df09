"""`sapper lab sweep`: measure a bot over a range of densities or sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from sapper.cli.lab import options as opt
from sapper.cli.lab.progress import run_bars
from sapper.cli.lab.words import grid, mean, percent
from sapper.cli.output import emit
from sapper.cli.parsing import TopologyName, parse_size, shaped
from sapper.cli.signatures import Option

if TYPE_CHECKING:
    from sapper.lab.sweep import SweepPoint

__all__ = ["EXAMPLE", "sweep"]

EXAMPLE = (
    "sapper lab sweep --bot autosweeper --size 20x20 --density 0.05:0.2:0.01 --first-click any "
    "--start bot -n 1000 --uses 'level 2' --plot sweep.png"
)


def sweep(
    bot: opt.Bot = "exact",
    size: Annotated[
        str, Option(metavar="WxH,...", help="Board sizes, separated by commas.")
    ] = "30x16",
    density: Annotated[
        str,
        Option(
            metavar="D,...",
            help="Mine densities from 0 to 1, separated by commas, or FIRST:LAST:STEP.",
        ),
    ] = "0.1:0.25:0.01",
    total: Annotated[
        bool,
        Option(
            "--total",
            help="Use an exact mine total, known to the bot (default: each cell independently).",
        ),
    ] = False,
    topology: TopologyName = None,
    rules: opt.Rules = "classic",
    first_click: opt.FirstClickText = None,
    start: opt.StartText = "0,0",
    n: opt.Games = 1000,
    seed: opt.Seed = 1,
    option: opt.OptionTexts = None,
    rule: opt.RuleTexts = None,
    workers: opt.Workers = None,
    dask: opt.Dask = None,
    out: opt.Out = None,
    resume: opt.ResumeRuns = False,
    bot_seconds: opt.BotSeconds = 60.0,
    uses: Annotated[
        list[str] | None,
        Option(metavar="LEVEL", help="Bot level whose usage to plot; may be repeated."),
    ] = None,
    plot: opt.Plot = None,
    as_json: opt.Json = False,
) -> None:
    """Measure a bot over a range of densities or sizes.

    Run -n games at each point, with the same seeds, and report win rates, guesses and the number of
    decisions that each level of the bot made.
    """
    opt.check_plot(plot)
    opt.check_out(out, resume)
    from sapper.lab.sweep import spread, to_json
    from sapper.lab.sweep import sweep as play

    # With --total, two densities may result in the same number of mines.
    levels = dict.fromkeys(
        shaped(_level(one, d, total), topology) for one in size.split(",") for d in spread(density)
    )
    specs = [
        opt.GameOptions(level, rules, first_click, start, rule, seed, n).spec(bot, option)
        for level in levels
    ]
    with run_bars() as watch:
        points = play(
            specs,
            workers=workers,
            dask=dask,
            out=out,
            resume=resume,
            bot_seconds=bot_seconds,
            watch=watch,
        )
    if plot is not None:
        from sapper.lab.plots import save, sweep_plot

        save(sweep_plot(points, [None, *(uses or [])], f"{bot}, {n:,} games per point"), plot)
    if as_json:
        emit(to_json(points))
    else:
        print(_text(points, uses or []))


def _level(size: str, density: float, total: bool) -> str:
    width, height = parse_size(size)
    mines = round(width * height * density)
    return f"{width}x{height}:{mines}" if total else f"{width}x{height}@{density:g}"


def _text(points: list[SweepPoint], uses: list[str]) -> str:
    rows = [("level", "won, %", "guesses per game", *(f"{level} per game" for level in uses))]
    for point in points:
        tally = point.tally
        means = [tally.per_game(level) for level in (None, *uses)]
        rows.append(
            (
                str(point.spec.match.settings.level),
                percent(tally.wins, tally.games),
                *(mean(*one) for one in means),
            )
        )
    return grid(rows)
