"""`sapper lab rank`: rank all bots in one table."""

from __future__ import annotations

from typing import Annotated

import typer

from sapper.cli.lab import options as opt
from sapper.cli.lab.progress import progress_bars
from sapper.cli.output import emit

__all__ = ["EXAMPLE", "rank"]

EXAMPLE = "sapper lab rank -n 1000 --bot my_bot.py:MyBot"


def rank(
    n: opt.Games = 1000,
    seed: opt.Seed = 1,
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="FILE.py:NAME", help="Additional bot; may be repeated."),
    ] = None,
    workers: opt.Workers = None,
    dask: opt.Dask = None,
    bot_seconds: opt.BotSeconds = 60.0,
    as_json: opt.Json = False,
) -> None:
    """Rank all bots on beginner, intermediate and expert boards.

    All bots play under classic rules, with a safe first click at (0, 0). Print a Markdown table
    with win rates, Wilson 95 % intervals, and thinking time in milliseconds per game.
    """
    from sapper.lab.rank import rank as play

    with progress_bars() as watch:
        ranking = play(
            bot or (),
            n=n,
            seed=seed,
            workers=workers,
            dask=dask,
            bot_seconds=bot_seconds,
            watch=watch,
        )
    if as_json:
        emit(ranking.to_json())
    else:
        print(ranking.to_markdown())
