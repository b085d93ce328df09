"""The connections of a server to the other workers of its site."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from sapper.server.cluster.bus import Bus, LocalBus
from sapper.server.cluster.claims import Claims, OwnClaims, SharedClaims
from sapper.server.cluster.redis_bus import RedisBus
from sapper.server.storage.store import Store

__all__ = ["Cluster", "join", "only_worker", "site_of"]


class Cluster(NamedTuple):
    """The connections of a worker to the other workers.

    Attributes:
        bus: Passes messages.
        claims: Claims sessions.
        leads: Whether this worker does the work that only one worker does, for all of them.
    """

    bus: Bus
    claims: Claims
    leads: bool = True


def only_worker() -> Cluster:
    """Return the cluster of a server without other workers."""
    return Cluster(LocalBus(), OwnClaims())


def join(store: Store, redis: str, *, leads: bool = True) -> Cluster:
    """Return the cluster of a worker.

    Args:
        store: The worker's store, opened with its name.
        redis: The address of Redis.
        leads: Whether it does the work that only one worker does, for all of them.
    """
    assert store.ownership is not None
    bus = RedisBus(redis, site_of(store.secret()), store.ownership.worker)
    return Cluster(bus, SharedClaims(store.ownership, bus), leads)


def site_of(secret: bytes) -> str:
    """Return the name of a site in Redis, given the key that signs its cookies."""
    return hashlib.sha256(b"site " + secret).hexdigest()[:16]
