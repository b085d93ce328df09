"""The command group `sapper admin`: a server's saved games, people and announcements."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from sapper.cli import announce, fair_play
from sapper.cli.database_option import DatabaseUrl
from sapper.cli.epilog import example
from sapper.cli.exit_status import ExitStatus
from sapper.cli.moments import shown_moment
from sapper.cli.networks import app as networks_app
from sapper.cli.output import emit
from sapper.cli.people import app as people_app
from sapper.cli.ratings import app as ratings_app
from sapper.cli.signatures import Argument, Group, Option
from sapper.cli.together import rooms_app, tournaments_app

__all__ = ["app"]

app = Group(
    name="admin",
    help="Administer a server: its people, announcements and saved games, in an SQLite file on "
    "this computer or in a PostgreSQL database.",
    no_args_is_help=True,
)
announce.add_commands(app)
fair_play.add_commands(app)

BackupFile = Annotated[Path, Argument(metavar="FILE", help="SQLite file with saved games.")]
Overwrite = Annotated[bool, Option("--force", help="Overwrite an existing file.")]
Force = Annotated[bool, Option("--force", help="Replace saved games in the database.")]


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
    epilog=example("sapper admin drill /var/backups/sapper"),
    short_help="Test a backup by restoring it to a temporary place.",
)
def drill(
    backup: Annotated[
        Path,
        Argument(metavar="PATH", help="Backup, or a directory: its newest .sqlite3 file is used."),
    ],
    database: DatabaseUrl = None,
) -> int:
    """Restore a backup to a temporary place, read all of it, and compare it with the backup.

    Print the number of rows in each table next to today's number. The exit status is 1 if the
    backup is damaged, or if its key for cookies differs from today's. The server may be running;
    nothing is changed.
    """
    from sapper.server.storage.maintenance import drill as run

    found = run(backup, database)
    print(f"{found.file}, made {shown_moment(found.made_ms)}, can be restored.")
    print(f"{'table':<16} {'backup':>12} {'today':>12}")
    for table, count in found.rows.items():
        print(f"{table:<16} {count:>12,} {found.now[table]:>12,}")
    for problem in found.problems:
        print(problem)
    if not found.problems:
        print("No problems found.")
    return ExitStatus.NEGATIVE if found.problems else ExitStatus.DONE


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
    _note("restore", f"from {file}", database)
    _print_rows({table: content.rows for table, content in content.items()})
    return ExitStatus.DONE


@app.command(
    epilog=example("sapper admin copy /var/lib/sapper/play.sqlite3 postgresql:///sapper"),
    short_help="Copy an SQLite file to a PostgreSQL database.",
)
def copy(
    sqlite: Annotated[Path, Argument(metavar="SQLITE", help="File of saved games.")],
    postgresql: Annotated[
        str,
        Argument(metavar="POSTGRESQL", help="Database, postgresql://USER@HOST/NAME."),
    ],
    force: Force = False,
) -> int:
    """Copy an SQLite file to a PostgreSQL database, and compare the two.

    Servers that use either of them must be stopped. The tables are created if they are missing.
    """
    from sapper.server.storage.maintenance import copy as run

    content = run(sqlite, postgresql, force=force)
    _note("copy", f"from {sqlite}", postgresql)
    _print_rows({table: content.rows for table, content in content.items()})
    return ExitStatus.DONE


@app.command(
    epilog=example("sapper admin log --limit 20"), short_help="List the actions of operators."
)
def log(
    limit: Annotated[
        int, Option(metavar="N", min=1, help="Maximum number of actions to print.")
    ] = 100,
    as_json: Annotated[bool, Option("--json", help="Print JSON, one action per line.")] = False,
    database: DatabaseUrl = None,
) -> int:
    """List who renamed, banned, unbanned, deleted or exported accounts, and other changes.

    The latest action comes first; actions are kept for a year. The operator is the system user who
    ran the command (or `sudo`). The exit status is 1 if there are no actions.
    """
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.operator_log import OperatorLog

    with opened_beside(database) as opened:
        found = OperatorLog(opened).latest(limit)
    for one in found:
        if as_json:
            emit(one._asdict())
            continue
        words = (shown_moment(one.at_ms), one.operator, one.action, one.name, one.detail)
        print("  ".join(word for word in words if word))
    if not found and not as_json:
        print("There are no actions.")
    return ExitStatus.DONE if found else ExitStatus.NEGATIVE


app.add_command(people_app)
app.add_command(networks_app)
app.add_command(rooms_app)
app.add_command(tournaments_app)
app.add_command(ratings_app)
app.add_command(fair_play.entries)


def _note(action: str, detail: str, database: str | None) -> None:
    """Add an action to the log of operators."""
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.operator_log import OperatorLog

    with opened_beside(database) as opened:
        OperatorLog(opened).add(action, detail)


def _print_rows(rows: dict[str, int]) -> None:
    for table, count in rows.items():
        print(f"{table:<16} {count:>12,}")
