"""`sapper lab reproduce`: repeat a published experiment."""

from __future__ import annotations

from typing import Annotated

from sapper.cli import completing
from sapper.cli.lab import options as opt
from sapper.cli.lab.progress import run_bars
from sapper.cli.lab.words import grid
from sapper.cli.output import emit
from sapper.cli.signatures import Argument, Option

__all__ = ["EXAMPLE", "reproduce"]

EXAMPLE = "sapper lab reproduce autosweeper -n 1000"


def reproduce(
    name: Annotated[
        str,
        Argument(
            metavar="EXPERIMENT",
            help="Experiment: groups, autosweeper, kaboom, fair or arrange.",
            autocompletion=completing.experiments,
        ),
    ],
    n: Annotated[
        int, Option("-n", metavar="N", min=1, help="Number of games, or positions, per row.")
    ] = 200,
    workers: opt.Workers = None,
    dask: opt.Dask = None,
    as_json: opt.Json = False,
) -> None:
    """Repeat a published experiment and compare the results.

    Print the published figures, or those of a new run of the original program, next to the
    results of the same experiment in Sapper. More games give narrower intervals.
    """
    from sapper.lab.reproduce import reproduce as play
    from sapper.lab.results import published

    with run_bars() as watch:
        tables = play(name, n, workers, dask, watch)
    source = published()[name]["source"]
    if as_json:
        emit(
            {"experiment": name, "source": source, "n": n, "tables": [r.to_json() for r in tables]}
        )
        return
    parts = [
        "\n".join([one.title, "", grid([one.columns, *one.rows]), *one.notes]) for one in tables
    ]
    print("\n\n".join([source, *parts]))
