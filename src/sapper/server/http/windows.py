"""The open windows of players, so that those of an ended login can be closed."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Container, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sapper.server.cluster.bus import Bus, BusMessage

__all__ = ["OpenWindows"]


class _Window(NamedTuple):
    """An open window; see `OpenWindows.window`."""

    player: str
    login: str
    shared_from: str


class OpenWindows:
    """The player and the login of each open window in this process.

    Args:
        bus: The bus that reaches the windows of other workers.
    """

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._windows: dict[asyncio.Event, _Window] = {}
        bus.on("close-windows", self._close)

    @contextmanager
    def window(self, player: str, login: str, shared_from: str = "") -> Iterator[asyncio.Event]:
        """Count a window as open in this block; yield the event that asks it to close.

        Args:
            player: Its session id.
            login: Digest of the window's login; empty for a guest.
            shared_from: Its network address, if it shows what visitors do together.
        """
        closing = asyncio.Event()
        self._windows[closing] = _Window(player, login, shared_from)
        try:
            yield closing
        finally:
            del self._windows[closing]

    @property
    def players(self) -> set[str]:
        """The players with open windows in this process."""
        return {one.player for one in self._windows.values()}

    async def close(
        self, player: str, *, login: str | None = None, other_than: str | None = None
    ) -> None:
        """Ask a player's windows to close, in all workers.

        Args:
            player: The session id.
            login: Digest of the login whose windows close (default: all).
            other_than: Digest of the login whose windows stay open.
        """
        payload = {"player": player, "login": login, "other_than": other_than}
        await self._bus.broadcast("close-windows", payload)

    def _close(self, message: BusMessage) -> None:
        given = message.payload
        for closing, one in self._windows.items():
            is_meant = given["login"] in (None, one.login) and given["other_than"] != one.login
            if one.player == given["player"] and is_meant:
                closing.set()

    def close_signed_in(self, players: Collection[str]) -> None:
        """Ask the windows in which these players are signed in to close."""
        if not players:
            return
        for closing, one in self._windows.items():
            if one.login and one.player in players:
                closing.set()

    def close_banned(self, banned: Container[str]) -> None:
        """Ask the windows that guests at these addresses share with others to close."""
        for closing, one in self._windows.items():
            if not one.login and one.shared_from and one.shared_from in banned:
                closing.set()
