"""The command group `sapper admin networks`: bans of guests by network."""

from __future__ import annotations

import ipaddress
import time
from typing import TYPE_CHECKING, Annotated, Final

from sapper.cli.database_option import DatabaseUrl
from sapper.cli.epilog import example
from sapper.cli.exit_status import ExitStatus
from sapper.cli.moments import moment_ms, shown_moment
from sapper.cli.output import emit
from sapper.cli.reasons import Reason, Until, checked_reason
from sapper.cli.signatures import Argument, Group, Option
from sapper.errors import BadSetting

if TYPE_CHECKING:
    from sapper.server.http.networks import IPNetwork

__all__ = ["app"]

_THIS_MACHINE: Final = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1"))

app = Group(
    name="networks",
    short_help="Ban the guests on a network.",
    help="Ban the guests on a network from rooms and names. The server may be running.",
    no_args_is_help=True,
)

Network = Annotated[
    str,
    Argument(
        metavar="NETWORK",
        help="IP address or network, such as 203.0.113.9, 203.0.113.0/24 or 2001:db8::/48; an "
        "IPv6 address stands for its /64 network.",
    ),
]


@app.command(
    epilog=example('sapper admin networks ban 203.0.113.0/24 --reason "Spam" --until 7d'),
    short_help="Ban the guests on a network.",
)
def ban(network: Network, reason: Reason, until: Until = None, database: DatabaseUrl = None) -> int:
    """Ban the guests on a network, or change their ban.

    They can neither create nor enter rooms, nor claim names; their room windows close within
    seconds and show the reason. They can still play alone, and sign in to accounts that they
    already have; `sapper admin people ban` bans those.
    """
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.network_bans import NetworkBans
    from sapper.server.storage.operator_log import OperatorLog

    found = _parsed(network)
    if any(found.overlaps(own) for own in _THIS_MACHINE if own.version == found.version):
        raise BadSetting(
            f"{found} includes this machine, and with it all visitors whose reverse proxy is not "
            "named with --proxy"
        )
    text = checked_reason(reason)
    until_ms = None if until is None else moment_ms("--until", until, int(time.time() * 1000))
    end = "until it is unbanned" if until_ms is None else f"until {shown_moment(until_ms)}"
    with opened_beside(database) as opened:
        NetworkBans(opened).ban(str(found), text, until_ms)
        OperatorLog(opened).add("networks ban", f"{found} {end}: {text}")
    print(f"Banned guests on {found} {end}.")
    return ExitStatus.DONE


@app.command(epilog=example("sapper admin networks unban 203.0.113.0/24"), short_help="End a ban.")
def unban(network: Network, database: DatabaseUrl = None) -> int:
    """End the ban of a network as listed; the exit status is 1 if it is not banned."""
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.network_bans import NetworkBans
    from sapper.server.storage.operator_log import OperatorLog

    found = _parsed(network)
    with opened_beside(database) as opened:
        ended = NetworkBans(opened).unban(str(found))
        if ended:
            OperatorLog(opened).add("networks unban", str(found))
    print(f"{found} is {'no longer' if ended else 'not'} banned.")
    return ExitStatus.DONE if ended else ExitStatus.NEGATIVE


@app.command("list", epilog=example("sapper admin networks list"), short_help="List bans.")
def list_networks(
    json: Annotated[bool, Option("--json", help="Print JSON, one ban per line.")] = False,
    database: DatabaseUrl = None,
) -> int:
    """List the networks whose guests are banned, oldest ban first.

    The exit status is 1 if there are none.
    """
    from sapper.server.storage.beside import opened_beside
    from sapper.server.storage.network_bans import NetworkBans

    with opened_beside(database) as opened:
        found = NetworkBans(opened).all()
    for one in found:
        if json:
            emit(one._asdict())
            continue
        end = "" if one.until_ms is None else f" until {shown_moment(one.until_ms)}"
        print(f"{one.network}  since {shown_moment(one.since_ms)}{end}: {one.reason}")
    if not found and not json:
        print("No network is banned.")
    return ExitStatus.DONE if found else ExitStatus.NEGATIVE


def _parsed(text: str) -> IPNetwork:
    from sapper.server.http.networks import parse_subscribers

    try:
        return parse_subscribers(text.strip())
    except BadSetting as problem:
        raise BadSetting(f"NETWORK: {problem}") from None
