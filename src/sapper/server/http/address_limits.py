"""Limits per network address."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Final

from sapper.server import limits
from sapper.server.http.networks import SUBSCRIBER_BITS, parse_address
from sapper.server.instruments import note_refusal

__all__ = ["AddressLimits", "AddressRate", "Rates", "TokenBucket", "network_of"]

_TRACKED: Final = 10_000
"""Maximum number of addresses or visitors to track; the least recently active is dropped first."""


class TokenBucket:
    """A rate limit that allows bursts.

    Args:
        rate: Requests per second.
        burst: Maximum number of requests in a burst.
        clock: Function that returns the seconds since a fixed moment.
    """

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left, self._at = burst, clock()

    def take(self) -> float:
        """Take a token and return 0, or return the seconds until one is available."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate) - 1
        self._at = now
        return max(0.0, -self._left / self._rate)

    def try_take(self) -> bool:
        """Take a token if one is available."""
        if self.take() > 0:
            self._left += 1
            return False
        return True


class Rates:
    """A `TokenBucket` for each address or visitor.

    Args:
        rate: Requests per second.
        burst: Maximum number of requests in a burst.
        clock: Function that returns the seconds since a fixed moment.
    """

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def bucket(self, who: str) -> TokenBucket:
        """Return the bucket of an address or visitor."""
        bucket = self._buckets.pop(who, None)
        if bucket is None:
            bucket = TokenBucket(self._rate, self._burst, self._clock)
        self._buckets[who] = bucket
        while len(self._buckets) > _TRACKED:
            self._buckets.popitem(last=False)
        return bucket


class AddressRate:
    """A `TokenBucket` for each address, except the addresses of this machine.

    Args:
        rate: Requests per second.
        burst: Maximum number of requests in a burst.
        limit: Name of the limit that refusals are counted under.
        clock: Function that returns the seconds since a fixed moment.
    """

    def __init__(
        self, rate: float, burst: float, limit: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rates, self._limit = Rates(rate, burst, clock), limit

    def try_take(self, address: str) -> bool:
        """Take a token for an address if one is available."""
        if _is_local(address) or self._rates.bucket(_network(address)).try_take():
            return True
        note_refusal(self._limit)
        return False

    def take(self, address: str) -> float:
        """Take a token for an address, and return the seconds until it is available."""
        return 0.0 if _is_local(address) else self._rates.bucket(_network(address)).take()


class AddressLimits:
    """Limits windows and new sessions per address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._windows: Counter[str] = Counter()
        self._new = AddressRate(
            limits.NEW_SESSIONS_PER_S, limits.NEW_SESSIONS_PER_ADDRESS, "new_sessions", clock
        )

    @property
    def windows(self) -> int:
        """Number of open windows."""
        return self._windows.total()

    def refusal(self, address: str) -> str | None:
        """Return the reason why an address may not open another window; None if it may."""
        if self.windows >= limits.WINDOWS:
            note_refusal("windows")
            return f"the server has {limits.WINDOWS} windows open, which is all it takes"
        most = limits.WINDOWS_PER_ADDRESS
        if self._windows[_network(address)] >= most and not _is_local(address):
            note_refusal("windows_per_address")
            return f"at most {most} windows can be open from one address"
        return None

    def opened(self, address: str) -> None:
        """Count an opened window."""
        self._windows[_network(address)] += 1

    def closed(self, address: str) -> None:
        """Count a closed window."""
        network = _network(address)
        self._windows[network] -= 1
        if self._windows[network] <= 0:
            del self._windows[network]

    def may_begin(self, address: str) -> bool:
        """Return whether an address may start another session; if so, count it."""
        return self._new.try_take(address)


def network_of(address: str) -> str | None:
    """Return the network that counts as one address; None for addresses of this machine."""
    return None if _is_local(address) else _network(address)


def _network(address: str) -> str:
    """Return the network of one subscriber: an IPv4 address, or an IPv6 /64."""
    parsed = parse_address(address)
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((int(parsed), SUBSCRIBER_BITS), strict=False))
    return address if parsed is None else str(parsed)


def _is_local(address: str) -> bool:
    parsed = parse_address(address)
    return parsed is not None and parsed.is_loopback
