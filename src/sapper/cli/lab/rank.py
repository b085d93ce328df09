"""`sapper lab rank`: rank all bots in one table."""

from __future__ import annotations

from typing import Annotated

from sapper.cli import completing
from sapper.cli.lab import options as opt
from sapper.cli.lab.progress import run_bars
from sapper.cli.output import emit
from sapper.cli.signatures import Option

__all__ = ["EXAMPLE", "rank"]

EXAMPLE = "sapper lab rank -n 1000 --bot my_bot.py:MyBot"


def rank(
    n: opt.Games = 1000,
    seed: opt.Seed = 1,
    bot: Annotated[
        list[str] | None,
        Option(
            "--bot",
            metavar="B",
            help="Additional bot: FILE.py:NAME or engine:COMMAND; may be repeated.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        Option(
            "--only",
            metavar="NAME",
            help="Built-in bot to run (default: all); may be repeated.",
            autocompletion=completing.bot_names,
        ),
    ] = None,
    baseline: Annotated[
        str,
        Option(metavar="B", help="Bot with which the others are compared."),
    ] = "champion",
    workers: opt.Workers = None,
    dask: opt.Dask = None,
    bot_seconds: opt.BotSeconds = 60.0,
    engine_seconds: Annotated[
        float,
        Option(metavar="S", help="Time limit in seconds of each choice of an engine."),
    ] = 10.0,
    as_json: opt.Json = False,
) -> None:
    """Rank all bots on beginner, intermediate and expert boards.

    All bots play the same boards under classic rules, with a safe first click at (0, 0); on expert
    boards also with an opening at (3, 3). Print Markdown tables with win rates and Wilson 95 %
    intervals, paired differences from a baseline, and processor time in milliseconds per game.
    """
    from sapper.lab.rank import rank as play

    with run_bars() as watch:
        ranking = play(
            bot or (),
            only=only or (),
            baseline=baseline,
            n=n,
            seed=seed,
            workers=workers,
            dask=dask,
            bot_seconds=bot_seconds,
            engine_seconds=engine_seconds,
            watch=watch,
        )
    if as_json:
        emit(ranking.to_json())
    else:
        print(ranking.to_markdown())
