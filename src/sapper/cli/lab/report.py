"""`sapper lab report`: write a run as an HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from sapper._util.whole_file import written_whole
from sapper.cli.output import emit
from sapper.cli.signatures import Argument, Option

__all__ = ["EXAMPLE", "report"]

EXAMPLE = "sapper lab report runs/exact"


def report(
    directory: Annotated[str, Argument(metavar="DIR", help="Saved run.")],
    out: Annotated[
        str | None,
        Option("--out", metavar="FILE", help="Output file (default: DIR/report.html)."),
    ] = None,
    as_json: Annotated[
        bool,
        Option("--json", help="Print one JSON object with the file name and the figures."),
    ] = False,
) -> None:
    """Write a saved run as a single HTML page.

    The page is self-contained: tables and plots are embedded. Unfinished runs are accepted.
    """
    from sapper.lab.report import report as page
    from sapper.lab.runs import Run

    saved = Run.open(directory)
    path = Path(directory) / "report.html" if out is None else Path(out)
    with written_whole(path) as whole:
        whole.write_text(page(saved), encoding="utf-8")
    if as_json:
        emit({"page": str(path), **saved.summary})
    else:
        print(path)
