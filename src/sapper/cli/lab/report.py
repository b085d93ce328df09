"""`sapper lab report`: a run as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sapper.cli.output import emit

__all__ = ["EXAMPLE", "report"]

EXAMPLE = "sapper lab report runs/exact"


def report(
    directory: Annotated[str, typer.Argument(metavar="DIR", help="A kept run.")],
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="FILE", help="The page; DIR/report.html where left out."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object: the page's name and the figures.")
    ] = False,
) -> None:
    """Write a run down as one page of HTML, good enough to be sent to someone.

    Tables and plots are in the page itself. A run that is not at its end has a page as well.
    """
    from sapper.lab.files import write_whole
    from sapper.lab.report import report as page
    from sapper.lab.runs import Run

    made = Run.open(directory)
    path = Path(directory) / "report.html" if out is None else Path(out)
    write_whole(path, page(made).encode())
    if as_json:
        emit({"page": str(path), **made.summary})
    else:
        print(path)
