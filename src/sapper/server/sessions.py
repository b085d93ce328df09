"""All clients, by session; saves them as they change."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from sapper.server.client import Client
from sapper.server.session import Session
from sapper.server.store import Store

__all__ = ["Sessions"]

_log: Final = logging.getLogger(__name__)

_AT_MOST: Final = 500
"""Sessions kept in memory: past this, those that nobody looks at are saved and let go."""


class Sessions:
    """Finds or loads the client of a session, and writes what changed without making it wait.

    Args:
        store: Where sessions are kept.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._clients: dict[str, Client] = {}
        self._unsaved: set[str] = set()
        self._wake = asyncio.Event()

    def client(self, session_id: str) -> Client:
        """The client of a session."""
        client = self._clients.get(session_id)
        if client is None:
            client = Client(Session.load(session_id, self._store), self._note)
            self._clients[session_id] = client
            self._make_room()
        return client

    def _note(self, session: Session) -> None:
        self._unsaved.add(session.id)
        self._wake.set()

    def _make_room(self) -> None:
        if len(self._clients) <= _AT_MOST:
            return
        for session_id, client in list(self._clients.items()):
            if not client.windows and session_id not in self._unsaved:
                del self._clients[session_id]
                return

    async def keep_saving(self) -> None:
        """Write each change soon after it happened, for ever."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._unsaved:
                session_id = self._unsaved.pop()
                # Made here, where nothing can change it meanwhile; written elsewhere.
                data = self._clients[session_id].session.to_json()
                try:
                    await asyncio.to_thread(self._store.save_session, session_id, data)
                except Exception:
                    _log.exception("a session could not be saved")

    def save_all(self) -> None:
        """Write every session now: running clocks have moved on since they were saved."""
        for session_id, client in self._clients.items():
            if client.session.game.log:
                self._store.save_session(session_id, client.session.to_json())
        self._unsaved.clear()
