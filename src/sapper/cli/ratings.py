"""The commands `sapper admin ratings`."""

from __future__ import annotations

from typing import Annotated

from sapper.cli.database_option import DatabaseUrl
from sapper.cli.epilog import example
from sapper.cli.exit_status import ExitStatus
from sapper.cli.output import emit
from sapper.cli.signatures import Group, Option

__all__ = ["app"]

app = Group(
    name="ratings",
    short_help="Compute ratings again.",
    help="Maintain the ratings of players. The server may be running.",
    no_args_is_help=True,
)


@app.command(
    epilog=example("sapper admin ratings recompute --dry-run"),
    short_help="Compute all ratings again from their rounds.",
)
def recompute(
    dry_run: Annotated[
        bool, Option("--dry-run", help="Report the changes without making them.")
    ] = False,
    json: Annotated[bool, Option("--json", help="Print JSON, one list per line.")] = False,
    database: DatabaseUrl = None,
) -> int:
    """Compute all ratings again from their rounds, and report what changed.

    Run it once after an update from a version whose ratings could explode; repeating it changes
    nothing. Places that were not stored are read from recordings. Where both are missing, players
    keep a rating between 1000 and 2000 as a provisional one; others start again. The exit status is
    1 if nothing changes.
    """
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.operator_log import OperatorLog
    from sapper.server.storage.rating_history import recompute as run

    with opened_beside(database) as opened:
        found = run(opened, dry_run=dry_run)
        rounds = sum(one.rounds for one in found.lists)
        changed = sum(one.changed for one in found.lists)
        if not dry_run:
            detail = f"{changed} of {sum(one.players for one in found.lists)} ratings changed"
            OperatorLog(opened).add("ratings recompute", detail)
    for one in found.lists:
        if json:
            emit(one._asdict())
            continue
        text = f"{one.list}: {one.rounds:,} rounds, {one.changed:,} of {one.players:,} ratings"
        if one.changed:
            text += f"; most: {one.player}, {one.before:,.0f} to {one.after:,.0f}"
        if one.lost:
            text += f"; players with lost rounds: {one.lost:,}"
        print(text)
    if not json:
        verb = "would change" if dry_run else "changed"
        print(
            f"{changed:,} ratings {verb}, from {rounds:,} rounds, "
            f"{found.recovered:,} of them read from recordings."
        )
    return ExitStatus.DONE if changed else ExitStatus.NEGATIVE
