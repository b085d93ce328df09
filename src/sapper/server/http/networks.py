"""Sets of IP addresses and networks, as given in the server's options."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from sapper._util.shortening import shown
from sapper.errors import BadSetting

__all__ = ["NO_NETWORKS", "IPAddress", "Networks", "parse_address"]

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class Networks:
    """A set of IP networks, which is false if empty.

    Args:
        networks: Addresses and networks, such as ``127.0.0.1`` and ``10.0.0.0/8``.

    Raises:
        BadSetting: If a string is neither an address nor a network.
    """

    def __init__(self, networks: Iterable[str] = ()) -> None:
        self._networks = [_parse_network(text) for text in networks]

    def __bool__(self) -> bool:
        """Return whether the set contains any address."""
        return bool(self._networks)

    def __contains__(self, address: str | IPAddress) -> bool:
        """Return whether the set contains an address; False for text that is not an address."""
        parsed = _cached_address(address) if isinstance(address, str) else address
        return parsed is not None and any(parsed in network for network in self._networks)


NO_NETWORKS: Final = Networks()


def parse_address(text: str) -> IPAddress | None:
    """Parse an IP address; None for other text. An IPv4 address in IPv6 form is returned as IPv4.

    >>> parse_address("::ffff:192.0.2.1")
    IPv4Address('192.0.2.1')
    """
    try:
        parsed = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return mapped or parsed


_cached_address = lru_cache(4_096)(parse_address)


def _parse_network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        raise BadSetting(
            "expected an IP address or a network, such as 127.0.0.1 or 10.0.0.0/8, "
            f"got {shown(text)}"
        ) from None
