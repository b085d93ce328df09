"""`sapper lab reproduce`: published figures beside ours."""

from __future__ import annotations

from typing import Annotated

import typer

from sapper.cli.lab import options as opt
from sapper.cli.lab.progress import shown
from sapper.cli.lab.words import grid
from sapper.cli.output import emit

__all__ = ["EXAMPLE", "reproduce"]

EXAMPLE = "sapper lab reproduce autosweeper -n 1000"


def reproduce(
    name: Annotated[
        str,
        typer.Argument(metavar="EXPERIMENT", help="groups, autosweeper, kaboom, fair or arrange."),
    ],
    n: Annotated[
        int, typer.Option("-n", metavar="N", min=1, help="Games, or positions, for each row.")
    ] = 200,
    workers: opt.Workers = None,
    dask: opt.Dask = None,
    as_json: opt.Json = False,
) -> None:
    """Run the experiment of a program that Sapper brings back, and compare.

    What its authors published, or what their program did when it was run again, stands beside
    what comes of the same experiment here. More games make narrower intervals.
    """
    from sapper.lab.reproduce import reproduce as play
    from sapper.lab.results import published

    with shown() as watch:
        found = play(name, n, workers, dask, watch)
    source = published()[name]["source"]
    if as_json:
        emit({"experiment": name, "source": source, "n": n, "tables": [r.to_json() for r in found]})
        return
    parts = [
        "\n".join([one.title, "", grid([one.columns, *one.rows]), *one.notes]) for one in found
    ]
    print("\n\n".join([source, *parts]))
