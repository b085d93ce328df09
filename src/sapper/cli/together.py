"""The command groups `sapper admin rooms` and `sapper admin tournaments`."""

from __future__ import annotations

import json as json_module
import time
from typing import TYPE_CHECKING, Annotated

from sapper._util.shortening import shown
from sapper.cli.database_option import DatabaseUrl
from sapper.cli.epilog import example
from sapper.cli.exit_status import ExitStatus
from sapper.cli.output import emit
from sapper.cli.people import note_person
from sapper.cli.reasons import Reason, checked_reason
from sapper.cli.signatures import Argument, Group, Option
from sapper.errors import BadSetting

if TYPE_CHECKING:
    from sapper.server.storage.tournaments import Tournament

__all__ = ["rooms_app", "tournaments_app"]

rooms_app = Group(
    name="rooms",
    short_help="List and delete rooms.",
    help="List and delete rooms. The server may be running.",
    no_args_is_help=True,
)
tournaments_app = Group(
    name="tournaments",
    short_help="End, rename and clean up tournaments.",
    help="End, rename and clean up tournaments. The server may be running.",
    no_args_is_help=True,
)

Code = Annotated[str, Argument(metavar="CODE", help="Code, as in the URL.")]
Who = Annotated[str, Argument(metavar="NAME", help="Name of the player's account.")]
Json = Annotated[bool, Option("--json", help="Print JSON, one per line.")]


@rooms_app.command("list", epilog=example("sapper admin rooms list"), short_help="List open rooms.")
def list_rooms(json: Json = False, database: DatabaseUrl = None) -> int:
    """List the open rooms, newest first, listed or not; the exit status is 1 if there are none."""
    from sapper.community.nicknames import nickname
    from sapper.server.storage.beside import opened_beside

    with opened_beside(database) as opened, opened.reading() as db:
        rows = db.execute("SELECT code, summary FROM rooms ORDER BY made_ms DESC").fetchall()
    for code, text in rows:
        about = json_module.loads(text)
        if json:
            emit({**about, "code": code})
            continue
        players, host = about["players"], nickname(about["host"] or "nobody")
        level = about["level"]
        print(f"{code}  {about['kind']} {level}, {about['phase']}, {players} players, host: {host}")
    if not rows and not json:
        print("No room is open.")
    return ExitStatus.DONE if rows else ExitStatus.NEGATIVE


@rooms_app.command(
    epilog=example('sapper admin rooms delete K7MPQ2 --reason "Abuse"'),
    short_help="Delete a room.",
)
def delete(code: Code, reason: Reason, database: DatabaseUrl = None) -> int:
    """Delete a room; its windows show within seconds that it is closed.

    A running game has no result. The recordings of finished games are kept.
    """
    from sapper.server.rooms.codes import parse_code
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.operator_log import OperatorLog
    from sapper.server.storage.rooms import delete_room

    found, text = parse_code(code), checked_reason(reason)
    with opened_beside(database) as opened:
        with opened.writing() as db:
            done = found is not None and delete_room(db, found, int(time.time() * 1000))
        if not done:
            raise BadSetting(f"no room has the code {shown(code)}")
        OperatorLog(opened).add("rooms delete", f"{found}: {text}")
    print(f"Deleted the room {found}.")
    return ExitStatus.DONE


@tournaments_app.command(
    "list", epilog=example("sapper admin tournaments list"), short_help="List tournaments."
)
def list_tournaments(json: Json = False, database: DatabaseUrl = None) -> int:
    """List the running tournaments and the latest finished ones; exit with 1 if there are none."""
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.tournaments import Tournaments

    with opened_beside(database) as opened:
        found = Tournaments(opened).listed()
    for one in found:
        state, name = "running" if one.finished_ms is None else "over", one.settings.name
        if json:
            emit({"code": one.code, "name": name, "players": one.players, "state": state})
        else:
            print(f"{one.code}  {name}: {one.players} players, {state}")
    if not found and not json:
        print("There are no tournaments.")
    return ExitStatus.DONE if found else ExitStatus.NEGATIVE


@tournaments_app.command(
    epilog=example('sapper admin tournaments end ABCDEF --reason "Broken"'),
    short_help="End a tournament.",
)
def end(code: Code, reason: Reason, database: DatabaseUrl = None) -> int:
    """End a tournament now. Races that are running do not count."""
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.operator_log import OperatorLog
    from sapper.server.storage.tournaments import Tournaments

    text = checked_reason(reason)
    with opened_beside(database) as opened:
        found = _existing(Tournaments(opened).stop(code.upper()), code)
        OperatorLog(opened).add("tournaments end", f"{found.code}: {text}")
    print(f"Ended the tournament {found.code}.")
    return ExitStatus.DONE


@tournaments_app.command(
    epilog=example("sapper admin tournaments release ABCDEF Ann"),
    short_help="Take a player out of a race.",
)
def release(code: Code, name: Who, database: DatabaseUrl = None) -> int:
    """Take a player out of a race that does not end, so that the player can race again."""
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.people import People
    from sapper.server.storage.tournaments import Tournaments

    with opened_beside(database) as opened:
        person = People(opened).find(name)
        found = _existing(Tournaments(opened).release(code.upper(), person.account.player), code)
        note_person(opened, "tournaments release", person, found.code)
    print(f"Released {person.account.name} in the tournament {found.code}.")
    return ExitStatus.DONE


@tournaments_app.command(
    epilog=example('sapper admin tournaments remove ABCDEF Ann --reason "Cheating"'),
    short_help="Remove a player.",
)
def remove(code: Code, name: Who, reason: Reason, database: DatabaseUrl = None) -> int:
    """Remove a player from a tournament and its table; the player cannot join it again."""
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.people import People
    from sapper.server.storage.tournaments import Tournaments

    text = checked_reason(reason)
    with opened_beside(database) as opened:
        person = People(opened).find(name)
        found = _existing(Tournaments(opened).remove(code.upper(), person.account.player), code)
        note_person(opened, "tournaments remove", person, f"{found.code}: {text}")
    print(f"Removed {person.account.name} from the tournament {found.code}.")
    return ExitStatus.DONE


@tournaments_app.command(
    epilog=example('sapper admin tournaments rename ABCDEF "Friday cup"'),
    short_help="Rename a tournament.",
)
def rename(
    code: Code,
    title: Annotated[str, Argument(metavar="TITLE", help="The new name.")],
    database: DatabaseUrl = None,
) -> int:
    """Change the name of a running or finished tournament."""
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.operator_log import OperatorLog
    from sapper.server.storage.tournaments import Tournaments

    line = " ".join(title.split())
    if not line.isprintable():
        raise BadSetting(f"the name must be printable, got {shown(line)}")
    with opened_beside(database) as opened:
        found = _existing(Tournaments(opened).rename(code.upper(), line), code)
        OperatorLog(opened).add("tournaments rename", f"{found.code}: {line}")
    print(f"Renamed the tournament {found.code} to {line}.")
    return ExitStatus.DONE


def _existing(found: Tournament | None, code: str) -> Tournament:
    if found is None:
        raise BadSetting(f"no tournament has the code {shown(code)}")
    return found
