"""The command group `sapper lab`."""

from __future__ import annotations

from sapper.cli.epilog import example
from sapper.cli.lab import calibrate, compare, rank, replay, report, reproduce, run, sweep
from sapper.cli.signatures import Group

__all__ = ["app"]

app = Group(
    name="lab",
    help="Measure bots: win rates, comparisons and calibration, on one machine or a cluster.",
    no_args_is_help=True,
)


app.command(epilog=example(run.EXAMPLE))(run.run)
app.command(epilog=example(compare.EXAMPLE))(compare.compare)
app.command(epilog=example(calibrate.EXAMPLE))(calibrate.calibrate)
app.command(epilog=example(sweep.EXAMPLE))(sweep.sweep)
app.command(epilog=example(rank.EXAMPLE))(rank.rank)
app.command(epilog=example(replay.EXAMPLE))(replay.replay)
app.command(epilog=example(report.EXAMPLE))(report.report)
app.command(epilog=example(reproduce.EXAMPLE))(reproduce.reproduce)
