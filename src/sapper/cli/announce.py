"""The commands `sapper admin announce`, `announcements` and `withdraw`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from sapper._util.shortening import shown
from sapper.cli.database_option import DatabaseUrl
from sapper.cli.epilog import example
from sapper.cli.exit_status import ExitStatus
from sapper.cli.moments import parse_duration_ms, shown_moment
from sapper.cli.output import emit
from sapper.cli.signatures import Argument, Group, Option
from sapper.errors import BadSetting

if TYPE_CHECKING:
    from sapper.server.storage.announcements import Announcement

__all__ = ["add_commands"]

_LONGEST_MS: Final = 30 * 86_400_000
_SHOWN_MS: Final = 3_600_000
_SHOWN_AFTER_EVENT_MS: Final = 60_000


def announce(
    text: Annotated[str, Argument(metavar="TEXT", help="Text, which is not translated.")] = "",
    within: Annotated[
        str | None,
        Option(
            "--in",
            metavar="DURATION",
            help="Time until the announced event, such as 10m; windows show a countdown.",
        ),
    ] = None,
    restart: Annotated[
        bool,
        Option("--restart", help="The event is a restart of the server. The text may be omitted."),
    ] = False,
    lasts: Annotated[
        str | None,
        Option(
            "--for",
            metavar="DURATION",
            help="How long to show it (default: 1h, or until 1m after the event).",
        ),
    ] = None,
    database: DatabaseUrl = None,
) -> int:
    """Show a message in all open windows, and in windows opened before it ends.

    A restart announcement ends once the server has restarted. This command does not restart the
    server.
    """
    from sapper.server.storage.announcements import LONGEST, Announcements
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.operator_log import OperatorLog

    line = " ".join(text.split())
    if len(line) > LONGEST:
        raise BadSetting(f"the text must have at most {LONGEST} characters, got {len(line)}")
    if not line and not restart:
        raise BadSetting("give a text to announce, or --restart")
    if not line.isprintable():
        raise BadSetting(f"the text must be printable, got {shown(line)}")
    event = None if within is None else _duration("--in", within)
    if restart and event is None:
        event = 0
    default = _SHOWN_MS if event is None else _SHOWN_AFTER_EVENT_MS
    lasts_ms = default if lasts is None else _duration("--for", lasts)
    with opened_beside(database) as opened:
        made = Announcements(opened).add(line, lasts_ms, event_in_ms=event, restart=restart)
        OperatorLog(opened).add("announce", _line(made))
    print(f"Announced {made.id} until {shown_moment(made.until_ms)}.")
    return ExitStatus.DONE


def announcements(
    json: Annotated[bool, Option("--json", help="Print JSON.")] = False,
    database: DatabaseUrl = None,
) -> int:
    """List current announcements; the exit status is 1 if there are none."""
    from sapper.server.storage.announcements import Announcements
    from sapper.server.storage.beside import opened_beside

    with opened_beside(database) as opened:
        found = Announcements(opened).active()
    for one in found:
        emit(one._asdict()) if json else print(_line(one))
    if not found and not json:
        print("There are no announcements.")
    return ExitStatus.DONE if found else ExitStatus.NEGATIVE


def withdraw(
    id: Annotated[
        str | None, Argument(metavar="ID", help="Id of an announcement (default: all).")
    ] = None,
    database: DatabaseUrl = None,
) -> int:
    """End announcements; the exit status is 1 if there are none."""
    from sapper.server.storage.announcements import Announcements
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.operator_log import OperatorLog

    with opened_beside(database) as opened:
        ended = Announcements(opened).withdraw(id)
        for one in ended:
            OperatorLog(opened).add("withdraw", _line(one))
    for one in ended:
        print(f"Withdrew {_line(one)}")
    if not ended:
        print("There are no announcements." if id is None else f"No announcement is {shown(id)}.")
    return ExitStatus.DONE if ended else ExitStatus.NEGATIVE


def add_commands(app: Group) -> None:
    """Add the commands to a group."""
    short = {
        announce: "Show a message or a countdown in all open windows.",
        announcements: "List announcements.",
        withdraw: "End announcements.",
    }
    examples = {
        announce: 'sapper admin announce "New version" --restart --in 10m',
        announcements: "sapper admin announcements",
        withdraw: "sapper admin withdraw",
    }
    command: Any
    for command, text in short.items():
        app.command(epilog=example(examples[command]), short_help=text)(command)


def _duration(option: str, text: str) -> int:
    found = parse_duration_ms(option, text)
    if found > _LONGEST_MS:
        raise BadSetting(f"{option}: expected at most 30d, got {shown(text)}")
    return found


def _line(one: Announcement) -> str:
    kind = "restart" if one.restart else "event"
    event = "" if one.event_ms is None else f", {kind} at {shown_moment(one.event_ms)}"
    return f"{one.id}  until {shown_moment(one.until_ms)}{event}  {one.text}".rstrip()
