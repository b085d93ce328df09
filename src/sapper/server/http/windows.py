"""The open windows of players, to close those of a login that has ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

__all__ = ["OpenWindows"]


class OpenWindows:
    """Knows the player and the login of each open window of this process."""

    def __init__(self) -> None:
        self._windows: dict[asyncio.Event, tuple[str, str]] = {}

    @contextmanager
    def window(self, player: str, login: str) -> Iterator[asyncio.Event]:
        """Count a window as open in this block; yield the event that asks it to close.

        Args:
            player: Its session id.
            login: Digest of its login; empty for a guest.
        """
        closing = asyncio.Event()
        self._windows[closing] = (player, login)
        try:
            yield closing
        finally:
            del self._windows[closing]

    def close(self, player: str, ended: Callable[[str], bool]) -> None:
        """Ask windows of a player to close.

        Args:
            player: The session id.
            ended: Returns whether the windows of a login, given by its digest, are to close.
        """
        for closing, (owner, login) in self._windows.items():
            if owner == player and ended(login):
                closing.set()

    def close_signed_in(self, players: Collection[str]) -> None:
        """Ask the windows of players to close in which they are signed in."""
        if not players:
            return
        for closing, (owner, login) in self._windows.items():
            if login and owner in players:
                closing.set()
