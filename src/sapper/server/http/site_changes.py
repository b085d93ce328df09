"""Changes in the database that all processes apply: announcements, bans and erased players.

Every server process checks for them regularly, so they reach all processes, and can be made by
another process on the same machine or database.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

import anyio
import anyio.to_thread

from sapper.history.tables import Tables
from sapper.server.accounts.records import Ban
from sapper.server.http.banned_networks import BannedNetworks
from sapper.server.http.windows import OpenWindows
from sapper.server.protocol import Json
from sapper.server.rooms.hub import RoomHub
from sapper.server.session.sessions import Sessions
from sapper.server.storage.accounts import Accounts
from sapper.server.storage.announcements import Announcement, Announcements, active
from sapper.server.storage.bans import banned_players, removed_players
from sapper.server.storage.feature_tables import alias_of
from sapper.server.storage.network_bans import NetworkBan, NetworkBans, network_bans
from sapper.server.storage.rooms import closed_rooms

__all__ = ["SiteChanges"]

_log: Final = logging.getLogger(__name__)

_INTERVAL_S: Final = 1.0
_THREADS: Final = anyio.CapacityLimiter(1)


class _Found(NamedTuple):
    """The state of the database at one moment."""

    announcements: list[Announcement]
    banned: set[str]
    networks: list[NetworkBan]
    removed: dict[str, int]
    closed: set[str]


class SiteChanges:
    """Applies changes by the operator to the windows and sessions of this process.

    Args:
        database: The database.
        windows: The open windows.
        sessions: The sessions in memory.
        rooms: The rooms in memory.
        networks: The banned networks in memory.
        clock: Seconds since 1970.
    """

    def __init__(
        self,
        database: Tables,
        windows: OpenWindows,
        sessions: Sessions,
        rooms: RoomHub,
        networks: BannedNetworks,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database, self._windows, self._sessions = database, windows, sessions
        self._rooms, self._networks, self._clock = rooms, networks, clock
        self._accounts = Accounts(database)
        self._announcements: list[Announcement] = []
        self._removed: dict[str, int] = {}

    async def start(self) -> None:
        """Find the changes made before this process serves visitors."""
        # Players removed before are not in memory.
        found = await self._in_thread(self._begin)
        if found is not None:
            self._networks.replace(found.networks)

    async def run(self) -> None:
        """Check for changes until cancelled."""
        while True:
            found = await self._in_thread(self._find)
            if found is not None:
                # The next search finds failed changes again.
                with suppress(OSError, sqlite3.Error):
                    await self._apply(found)
            await asyncio.sleep(_INTERVAL_S)

    def message(self, ban: Ban | None = None) -> Json | None:
        """Return the message with everything that a new window must show, or None.

        Args:
            ban: The ban of the browser.
        """
        if not self._announcements and ban is None:
            return None
        return self._message(ban)

    def _message(self, ban: Ban | None = None) -> Json:
        now = int(self._clock() * 1000)
        shown = [one for one in self._announcements if one.until_ms > now]
        message: Json = {
            "type": "announcements",
            "announcements": [_announcement_json(one, now) for one in shown],
        }
        if ban is not None:
            message["ban"] = {"name": ban.name, "reason": ban.reason, "until_ms": ban.until_ms}
        return message

    async def _in_thread(self, read: Callable[[], _Found]) -> _Found | None:
        try:
            return await anyio.to_thread.run_sync(read, limiter=_THREADS)
        except (OSError, sqlite3.Error):
            # The save queue already reports that the database is unavailable.
            return None

    def _begin(self) -> _Found:
        Announcements(self._database).restarted()
        found = self._find()
        self._removed = found.removed
        return found

    def _find(self) -> _Found:
        now = int(self._clock() * 1000)
        with self._database.reading() as db:
            networks = network_bans(db)
            found = active(db, now), banned_players(db, now), networks, removed_players(db)
            closed = closed_rooms(db)
        if any(one.until_ms is not None and one.until_ms <= now for one in networks):
            NetworkBans(self._database, self._clock).expire()
        return _Found(*found, closed)

    async def _apply(self, found: _Found) -> None:
        if found.announcements != self._announcements:
            self._log_new(found.announcements)
            self._announcements = found.announcements
            self._sessions.tell(self._message())
            self._rooms.tell(self._message())
        self._rooms.remove(found.closed)
        self._windows.close_signed_in(found.banned)
        self._networks.replace(found.networks)
        self._windows.close_banned(self._networks)
        for alias, when in found.removed.items():
            if self._removed.get(alias) != when:
                await self._forget(alias)
        self._removed = found.removed

    async def _forget(self, alias: str) -> None:
        """Remove an erased player from memory; every worker does this for itself."""
        for player in self._sessions.ids | self._windows.players:
            if alias_of(player) == alias:
                await self._windows.close(player)
        for player in self._sessions.ids:
            if alias_of(player) == alias:
                await self._sessions.delete(player, partial(self._accounts.delete_player, player))
        await self._rooms.forget(alias)

    def _log_new(self, announcements: Iterable[Announcement]) -> None:
        known = {one.id for one in self._announcements}
        for one in announcements:
            if one.id not in known:
                text = f": {one.text}" if one.text else ""
                what = "announced a restart" if one.restart else "announced"
                _log.warning("%s%s", what, text)


def _announcement_json(one: Announcement, now: int) -> Json:
    return {
        "id": one.id,
        "text": one.text,
        "restart": one.restart,
        "in_ms": None if one.event_ms is None else one.event_ms - now,
        "ends_in_ms": one.until_ms - now,
    }
