"""The command group `sapper admin people`: accounts of players."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from sapper._util.whole_file import Existing, check_target, written_whole
from sapper.cli.database_option import DatabaseUrl
from sapper.cli.epilog import example
from sapper.cli.exit_status import ExitStatus
from sapper.cli.moments import moment_ms, shown_moment
from sapper.cli.output import emit
from sapper.cli.reasons import Reason, Until, checked_reason
from sapper.cli.replay.tables import pairs
from sapper.cli.signatures import Argument, Group, Option
from sapper.cli.terminal import print_table
from sapper.errors import BadSetting

if TYPE_CHECKING:
    from sapper.history.tables import Tables
    from sapper.server.accounts.records import Ban, Person

__all__ = ["app", "note_person"]

_GAMES_AT_ONCE: Final = 20

app = Group(
    name="people",
    help="List, rename, ban, delete and export the accounts of players. The server may be running.",
    short_help="List, rename, ban, delete and export accounts.",
    no_args_is_help=True,
)

Who = Annotated[str, Argument(metavar="NAME", help="Name or id of an account.")]
Json = Annotated[bool, Option("--json", help="Print JSON.")]
Yes = Annotated[bool, Option("--yes", help="Do not ask for confirmation.")]


class _Order(StrEnum):
    NAME = "name"
    CREATED = "created"
    SEEN = "seen"
    GAMES = "games"


_KEYS: Final[dict[_Order, Callable[[Person], Any]]] = {
    _Order.CREATED: lambda one: -one.account.created_ms,
    _Order.SEEN: lambda one: -(one.seen_ms or 0),
    _Order.GAMES: lambda one: -one.games,
}


@app.command(
    "list",
    epilog=example("sapper admin people list --search ann --sort seen"),
    short_help="List accounts.",
)
def list_people(
    search: Annotated[str, Option(metavar="TEXT", help="Only names that contain this text.")] = "",
    sort: Annotated[
        _Order,
        Option(help="Order: by name, or by creation, visit or games, latest or most first."),
    ] = _Order.NAME,
    banned: Annotated[bool, Option("--banned", help="Only banned accounts.")] = False,
    limit: Annotated[
        int, Option(metavar="N", min=1, help="Maximum number of accounts to print.")
    ] = 100,
    json: Json = False,
    database: DatabaseUrl = None,
) -> int:
    """List accounts with their games and last visit; with --json, one per line.

    The exit status is 1 if there are none.
    """
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.people import People

    with opened_beside(database) as opened:
        people = [one for one in People(opened).all(search) if one.ban or not banned]
    if sort in _KEYS:
        people.sort(key=_KEYS[sort])
    for one in people[:limit] if json else ():
        emit(_json(one))
    if not json:
        _print_table(people[:limit])
        listed = f", {limit:,} listed" if len(people) > limit else ""
        print(f"{len(people):,} account{'s' * (len(people) != 1)}{listed}")
    return ExitStatus.DONE if people else ExitStatus.NEGATIVE


@app.command(epilog=example("sapper admin people show Ann"), short_help="Show an account.")
def show(name: Who, json: Json = False, database: DatabaseUrl = None) -> int:
    """Show an account with its passkeys, identities and signed-in browsers."""
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.people import People
    from sapper.server.storage.player_data import account_json

    with opened_beside(database) as opened:
        people = People(opened)
        person = people.find(name)
        details = people.details(person)
    if json:
        emit({**_json(person), **account_json(person.account, details)})
        return ExitStatus.DONE
    account = person.account
    rows: list[tuple[str, Any]] = [
        ("name", account.name),
        ("id", account.id),
        ("created", shown_moment(account.created_ms)),
        ("renamed", shown_moment(account.renamed_ms)),
        ("last visit", shown_moment(person.seen_ms)),
        ("games", f"{person.games:,}"),
        ("banned", _ban_text(person.ban)),
        ("recovery codes", details.codes),
    ]
    for passkey in details.passkeys:
        locked = ", locked" if passkey.locked_ms else ""
        rows.append(("passkey", f"{passkey.device or 'unknown browser'}{locked}"))
    for identity in details.identities:
        rows.append(("identity", f"{identity.subject} at {identity.issuer}"))
    for login in details.logins:
        device = login.device or "unknown browser"
        rows.append(("signed in", f"{device}, last visit {shown_moment(login.seen_ms)}"))
    pairs(rows)
    return ExitStatus.DONE


@app.command(epilog=example("sapper admin people rename Ann Anna"), short_help="Rename an account.")
def rename(
    name: Who,
    new: Annotated[str, Argument(metavar="NEW", help="New name.")],
    database: DatabaseUrl = None,
) -> int:
    """Rename an account, even if it was renamed recently.

    The usual rules for names apply. The former name stays reserved for the account for 30 days,
    and its owner can choose another name only after that time.
    """
    from sapper.server.accounts.names import Name
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.people import People

    chosen = Name.of(new)
    with opened_beside(database) as opened:
        people = People(opened)
        person = people.find(name)
        people.rename(person, chosen)
        note_person(opened, "people rename", person, f"from {person.account.name}", chosen.shown)
    print(f"Renamed {person.account.name} to {chosen.shown}.")
    return ExitStatus.DONE


@app.command(
    epilog=example('sapper admin people ban Ann --reason "Offensive name" --until 7d'),
    short_help="Ban an account.",
)
def ban(name: Who, reason: Reason, until: Until = None, database: DatabaseUrl = None) -> int:
    """Ban an account, or change its ban.

    Nobody can sign in to the account. Browsers that are signed in become guests within seconds,
    show the reason, and cannot claim another name. They are signed in again when the ban ends.
    """
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.people import People

    text = checked_reason(reason)
    until_ms = None if until is None else moment_ms("--until", until, int(time.time() * 1000))
    with opened_beside(database) as opened:
        people = People(opened)
        person = people.find(name)
        people.ban(person, text, until_ms)
        end = "until it is unbanned" if until_ms is None else f"until {shown_moment(until_ms)}"
        note_person(opened, "people ban", person, f"{end}: {text}")
    print(f"Banned {person.account.name} {end}.")
    return ExitStatus.DONE


@app.command(epilog=example("sapper admin people unban Ann"), short_help="End a ban.")
def unban(name: Who, database: DatabaseUrl = None) -> int:
    """End the ban of an account; the exit status is 1 if it is not banned."""
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.people import People

    with opened_beside(database) as opened:
        people = People(opened)
        person = people.find(name)
        ended = people.unban(person)
        if ended:
            note_person(opened, "people unban", person)
    print(f"{person.account.name} is {'no longer' if ended else 'not'} banned.")
    return ExitStatus.DONE if ended else ExitStatus.NEGATIVE


@app.command(
    epilog=example("sapper admin people delete Ann --yes"),
    short_help="Delete an account and all its data.",
)
def delete(name: Who, yes: Yes = False, database: DatabaseUrl = None) -> int:
    """Delete an account with all its games, replays and results.

    This cannot be undone. Backups still contain the data.
    """
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.people import People

    with opened_beside(database) as opened:
        people = People(opened)
        person = people.find(name)
        own = person.account.name
        if not yes and not _confirmed(own, person.games):
            print("Nothing was deleted.")
            return ExitStatus.NEGATIVE
        # First, so that the log says only that an account was deleted.
        note_person(opened, "people delete", person)
        people.delete(person)
    print(f"Deleted {own} and {person.games:,} games.")
    return ExitStatus.DONE


@app.command(
    epilog=example("sapper admin people export Ann ann.zip"),
    short_help="Write everything stored about a person to a zip file.",
)
def export(
    name: Who,
    file: Annotated[Path, Argument(metavar="FILE", help="Zip file to write.")],
    force: Annotated[bool, Option("--force", help="Overwrite an existing file.")] = False,
    database: DatabaseUrl = None,
) -> int:
    """Write everything stored about a person to a zip file, like the export on the Account page."""
    from sapper.server.jobs.exporting import replays_of
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.people import People
    from sapper.server.storage.player_data import PlayerExport, account_json

    existing = Existing.unless_forced(force)
    check_target(file, existing)
    with opened_beside(database) as opened:
        people = People(opened)
        person = people.find(name)
        view = account_json(person.account, people.details(person))
        account = person.account
        made = PlayerExport(opened, account.player, account.id, {"account.json": view})
        try:
            while games := made.next_games(_GAMES_AT_ONCE):
                made.add(games, replays_of(games))
            made.finish()
            with written_whole(file, existing) as path:
                path.write_bytes(made.path.read_bytes())
        finally:
            made.discard()
        note_person(opened, "people export", person)
    print(f"Wrote {os.fspath(file)}: {person.games:,} games of {person.account.name}.")
    return ExitStatus.DONE


def note_person(
    opened: Tables, action: str, person: Person, detail: str = "", name: str | None = None
) -> None:
    """Add an action about a person to the log of operators."""
    from sapper.server.storage.operator_log import OperatorLog

    account = person.account
    OperatorLog(opened).add(action, detail, account=account.id, name=name or account.name)


def _confirmed(name: str, games: int) -> bool:
    if not sys.stdin.isatty():
        raise BadSetting("confirm with --yes: deleting an account cannot be undone")
    answer = input(f"Delete {name} and {games:,} games? Type the name to confirm: ")
    return answer.strip() == name


def _json(person: Person) -> dict[str, Any]:
    account, ban = person.account, person.ban
    return {
        "name": account.name,
        "id": account.id,
        "created_ms": account.created_ms,
        "renamed_ms": account.renamed_ms,
        "seen_ms": person.seen_ms,
        "games": person.games,
        "ban": ban and {"reason": ban.reason, "since_ms": ban.since_ms, "until_ms": ban.until_ms},
    }


def _ban_text(ban: Ban | None) -> str:
    if ban is None:
        return "no"
    end = "" if ban.until_ms is None else f" until {shown_moment(ban.until_ms)}"
    return f"since {shown_moment(ban.since_ms)}{end}: {ban.reason}"


def _print_table(people: list[Person]) -> None:
    if not people:
        return
    rows = []
    for one in people:
        ban = "" if one.ban is None else f"until {shown_moment(one.ban.until_ms)}"
        rows.append(
            [
                one.account.name,
                shown_moment(one.account.created_ms),
                shown_moment(one.seen_ms),
                f"{one.games:,}",
                ban.replace("until -", "yes"),
            ]
        )
    print_table(("name", "created", "last visit", "games", "banned"), rows, (0, 1, 2, 4))
