"""The networks whose guests are banned, in the memory of a process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from sapper.errors import BadSetting
from sapper.server.http.networks import IPNetwork, parse_address, parse_subscribers
from sapper.server.storage.network_bans import NetworkBan

__all__ = ["BannedNetworks"]


class BannedNetworks:
    """The addresses of banned guests.

    Args:
        clock: Seconds since 1970.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._bans: list[NetworkBan] = []
        self._networks: list[tuple[IPNetwork, NetworkBan]] = []

    def replace(self, bans: Iterable[NetworkBan]) -> None:
        """Replace all bans by those in the database."""
        found = list(bans)
        if found != self._bans:
            self._bans, self._networks = found, [*_parsed(found)]

    def __contains__(self, address: object) -> bool:
        """Return whether guests at an address are banned."""
        return isinstance(address, str) and self._ban_of(address) is not None

    def check(self, address: str) -> None:
        """Check that guests at an address are not banned.

        Raises:
            NetworkBanned: If they are.
        """
        if (ban := self._ban_of(address)) is not None:
            raise ban.refusal()

    def _ban_of(self, address: str) -> NetworkBan | None:
        """Return the ban of an address that lasts longest."""
        if not self._networks or (parsed := parse_address(address)) is None:
            return None
        now = self._clock() * 1000
        found = [
            ban
            for network, ban in self._networks
            if parsed in network and (ban.until_ms is None or ban.until_ms > now)
        ]
        return max(found, key=lambda ban: ban.until_ms or float("inf"), default=None)


def _parsed(bans: Iterable[NetworkBan]) -> Iterable[tuple[IPNetwork, NetworkBan]]:
    for ban in bans:
        try:
            yield parse_subscribers(ban.network), ban
        except BadSetting:
            # A row that no command has written.
            continue
