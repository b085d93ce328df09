"""The command group `sapper replay`."""

from __future__ import annotations

from sapper.cli.epilog import example
from sapper.cli.replay import analyze, convert, info, show, view
from sapper.cli.signatures import Group

__all__ = ["app"]

app = Group(
    name="replay",
    help="Read games recorded by many programs: show, measure, analyse and convert them.",
    no_args_is_help=True,
)


app.command(epilog=example(info.EXAMPLE))(info.info)
app.command(epilog=example(show.EXAMPLE))(show.show)
app.command(
    epilog=example(view.EXAMPLE), short_help="View a replay in the terminal, click by click."
)(view.view)
app.command(
    epilog=example(analyze.EXAMPLE),
    short_help="Measure a replay: its guesses, their risk, its metrics.",
)(analyze.analyze)
app.command(epilog=example(convert.EXAMPLE), short_help="Write a replay in another format.")(
    convert.convert
)
