"""The command group `sapper admin`: the saved games of a server."""

from __future__ import annotations

from typing import Annotated

import typer

from sapper.cli.epilog import example
from sapper.cli.exit_status import ExitStatus

__all__ = ["app"]

app = typer.Typer(
    name="admin",
    help="Administer the saved games of a server: those in an SQLite file on this computer, or in "
    "a PostgreSQL database.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="SAPPER_DATABASE",
        show_envvar=False,
        help="PostgreSQL database, postgresql://USER@HOST/NAME (default: SAPPER_DATABASE, or the "
        "SQLite file).",
    ),
]


@app.command(
    epilog=example("sapper admin migrate --database postgresql:///sapper"),
    short_help="Create missing tables, and update those of an earlier version.",
)
def migrate(database: DatabaseUrl = None) -> int:
    """Create missing tables, and update those of an earlier version.

    No server may use the database. SQLite files are also updated whenever a server opens them.
    """
    # Imported here because the server's imports are slow.
    from sapper.server.storage.maintenance import migrate as run

    applied, version = run(database)
    print(f"Schema version {version}: {'updated' if applied else 'nothing to do'}.")
    return ExitStatus.DONE
