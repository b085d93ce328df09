"""Sets of IP addresses and networks, as given in the server's options."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from sapper._util.shortening import shown
from sapper.errors import BadSetting

__all__ = [
    "NO_NETWORKS",
    "SUBSCRIBER_BITS",
    "IPAddress",
    "IPNetwork",
    "Networks",
    "parse_address",
    "parse_subscribers",
]

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
IPNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network

SUBSCRIBER_BITS: Final = 64
"""Length of the IPv6 prefix of one subscriber (RFC 6177)."""


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


def parse_subscribers(text: str) -> IPNetwork:
    """Parse an address or a network; an IPv6 address stands for the network of its subscriber.

    >>> parse_subscribers("2001:db8::7")
    IPv6Network('2001:db8::/64')
    >>> parse_subscribers("203.0.113.9/24")
    IPv4Network('203.0.113.0/24')

    Raises:
        BadSetting: If the text is neither an address nor a network.
    """
    address = parse_address(text)
    if isinstance(address, ipaddress.IPv6Address):
        return ipaddress.ip_network((int(address), SUBSCRIBER_BITS), strict=False)
    if address is not None:
        return ipaddress.ip_network(address)
    try:
        found = ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise BadSetting(
            "expected an IP address or a network, such as 203.0.113.9 or 2001:db8::/48, "
            f"got {shown(text)}"
        ) from None
    mapped = parse_address(str(found.network_address))
    if isinstance(found, ipaddress.IPv6Network) and isinstance(mapped, ipaddress.IPv4Address):
        # Visitors with IPv4 addresses in IPv6 form are known by their IPv4 addresses.
        return ipaddress.ip_network((int(mapped), max(0, found.prefixlen - 96)), strict=False)
    return found


def _parse_network(text: str) -> IPNetwork:
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        raise BadSetting(
            "expected an IP address or a network, such as 127.0.0.1 or 10.0.0.0/8, "
            f"got {shown(text)}"
        ) from None
