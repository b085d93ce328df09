"""The command group `sapper replay`."""

from __future__ import annotations

import typer

from sapper.cli.replay import analyze, convert, info, show

__all__ = ["app"]

app = typer.Typer(
    name="replay",
    help="Read recorded games of many programs: show, measure, analyse and convert them.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _example(line: str) -> str:
    return f"\b\nExample:\n  {line}"


app.command(epilog=_example(info.EXAMPLE))(info.info)
app.command(epilog=_example(show.EXAMPLE))(show.show)
app.command(epilog=_example(analyze.EXAMPLE))(analyze.analyze)
app.command(epilog=_example(convert.EXAMPLE))(convert.convert)
