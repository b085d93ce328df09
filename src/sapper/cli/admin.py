"""The command group `sapper admin`: a server's saved games, people and announcements."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sapper.cli import announce, fair_play
from sapper.cli.database_option import DatabaseUrl
from sapper.cli.epilog import example
from sapper.cli.exit_status import ExitStatus
from sapper.cli.people import app as people_app

__all__ = ["app"]

app = typer.Typer(
    name="admin",
    help="Administer a server: its people, announcements and saved games, in an SQLite file on "
    "this computer or in a PostgreSQL database.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(people_app, short_help="List, rename, ban, delete and export accounts.")
announce.add_commands(app)
fair_play.add_commands(app)

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="SQLite file with saved games.")]
Overwrite = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]
Force = Annotated[bool, typer.Option("--force", help="Replace saved games in the database.")]


@app.command(
    epilog=example("sapper admin migrate --database postgresql:///sapper"),
    short_help="Create missing tables, and update those of an earlier version.",
)
def migrate(database: DatabaseUrl = None) -> int:
    """Create missing tables, and update those of an earlier version.

    Servers that use the database must be stopped, unless there is nothing to do. SQLite files are
    also updated whenever a server opens them.
    """
    # Imported here because the server's imports are slow.
    from sapper.server.storage.maintenance import migrate as run

    applied, version = run(database)
    print(f"Schema version {version}: {'updated' if applied else 'nothing to do'}.")
    return ExitStatus.DONE


@app.command(
    epilog=example("sapper admin check"),
    short_help="Read all saved games, and report damage.",
)
def check(database: DatabaseUrl = None) -> int:
    """Read all saved games and report any damage; the exit status is then 1.

    The server may be running.
    """
    from sapper.server.storage.maintenance import check as run

    report = run(database)
    _print_rows(report.rows)
    for problem in report.problems:
        print(problem)
    if not report.problems:
        print("No problems found.")
    return ExitStatus.NEGATIVE if report.problems else ExitStatus.DONE


@app.command(
    epilog=example("sapper admin backup /var/backups/sapper/monday.sqlite3"),
    short_help="Write a copy of all saved games to a file.",
)
def backup(file: BackupFile, database: DatabaseUrl = None, force: Overwrite = False) -> int:
    """Write a copy of all saved games to an SQLite file, whatever database the server uses.

    The server may be running. The file contains the key that signs visitors' cookies. A server's
    own file is never overwritten.
    """
    from sapper.server.storage.maintenance import backup as run

    _print_rows(
        {table: content.rows for table, content in run(database, file, force=force).items()}
    )
    return ExitStatus.DONE


@app.command(
    epilog=example("sapper admin restore /var/backups/sapper/monday.sqlite3 --force"),
    short_help="Replace all saved games with those from a backup.",
)
def restore(file: BackupFile, database: DatabaseUrl = None, force: Force = False) -> int:
    """Replace all saved games with those in a backup or another saved games file.

    The server must be stopped. A replaced SQLite file is kept under another name in the same
    directory; the content of a PostgreSQL database is lost.
    """
    from sapper.server.storage.maintenance import restore as run

    content = run(file, database, force=force)
    _print_rows({table: content.rows for table, content in content.items()})
    return ExitStatus.DONE


@app.command(
    epilog=example("sapper admin copy /var/lib/sapper/play.sqlite3 postgresql:///sapper"),
    short_help="Copy an SQLite file to a PostgreSQL database.",
)
def copy(
    sqlite: Annotated[Path, typer.Argument(metavar="SQLITE", help="File of saved games.")],
    postgresql: Annotated[
        str,
        typer.Argument(metavar="POSTGRESQL", help="Database, postgresql://USER@HOST/NAME."),
    ],
    force: Force = False,
) -> int:
    """Copy an SQLite file to a PostgreSQL database, and compare the two.

    Servers that use either of them must be stopped. The tables are created if they are missing.
    """
    from sapper.server.storage.maintenance import copy as run

    content = run(sqlite, postgresql, force=force)
    _print_rows({table: content.rows for table, content in content.items()})
    return ExitStatus.DONE


def _print_rows(rows: dict[str, int]) -> None:
    for table, count in rows.items():
        print(f"{table:<16} {count:>12,}")
