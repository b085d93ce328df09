"""The command group `sapper lab`."""

from __future__ import annotations

import typer

from sapper.cli.lab import calibrate, compare, rank, report, reproduce, run, sweep

__all__ = ["app"]

app = typer.Typer(
    name="lab",
    help="Measure bots: win rates, comparisons and calibration, on one machine or a cluster.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _example(line: str) -> str:
    return f"\b\nExample:\n  {line}"


app.command(epilog=_example(run.EXAMPLE))(run.run)
app.command(epilog=_example(compare.EXAMPLE))(compare.compare)
app.command(epilog=_example(calibrate.EXAMPLE))(calibrate.calibrate)
app.command(epilog=_example(sweep.EXAMPLE))(sweep.sweep)
app.command(epilog=_example(rank.EXAMPLE))(rank.rank)
app.command(epilog=_example(report.EXAMPLE))(report.report)
app.command(epilog=_example(reproduce.EXAMPLE))(reproduce.reproduce)
