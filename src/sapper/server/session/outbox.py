"""The messages that wait for a window."""

from __future__ import annotations

import asyncio
from collections import deque

from sapper.server import limits
from sapper.server.instruments import note_refusal
from sapper.server.protocol import Json, encode
from sapper.server.storage.save_queue import Ticket

__all__ = ["Outbox", "saving_message"]


def saving_message(problem: str | None, *, trying: bool = True) -> Json:
    """Return the message that saving is failing or, for None, that it works again.

    Args:
        problem: The reason, for players.
        trying: Whether saving is retried before the server restarts.
    """
    return {"type": "saving", "problem": problem, **({} if trying else {"restart": True})}


class Outbox:
    """The queue of messages for one window.

    Attributes:
        full: Set once the window has left too many messages unread and should be closed.
        thinks: Whether the window computes chances itself.
    """

    def __init__(self) -> None:
        self.full = asyncio.Event()
        self.thinks = False
        self._waiting: deque[tuple[str, Ticket | None]] = deque()
        self._characters = 0
        self._news = asyncio.Event()
        self._problem: str | None = None

    def __len__(self) -> int:
        """Return the number of waiting messages."""
        return len(self._waiting)

    def put(self, message: Json | str, ticket: Ticket | None = None) -> None:
        """Queue a message, to be sent in order once its ticket is settled."""
        if self.full.is_set():
            return
        text = message if isinstance(message, str) else encode(message)
        if (
            len(self._waiting) >= limits.OUTBOX_MESSAGES
            or self._characters + len(text) > limits.OUTBOX_BYTES
        ):
            note_refusal("outbox")
            self.close()
            return
        self._waiting.append((text, ticket))
        self._characters += len(text)
        # Nothing can be sent before the ticket is settled, so do not wake the sender twice.
        if ticket is None:
            self._news.set()
        else:
            ticket.tell(self._news.set)

    def close(self) -> None:
        """Drop the waiting messages and close the window, which then reconnects."""
        self._waiting.clear()
        self.full.set()

    def warn(self, trouble: Json) -> None:
        """Queue the message that nothing is being saved, for a new window."""
        self._problem = trouble["problem"]
        self.put(trouble)

    async def get(self) -> str:
        """Return the next message, once it may be sent."""
        while not self._waiting:
            self._news.clear()
            await self._news.wait()
        text, ticket = self._waiting[0]
        if ticket is not None:
            await ticket.wait()
            if self.full.is_set():
                # This happens, for example, when the change was not saved and the window is about
                # to be closed.
                await asyncio.Event().wait()
            if ticket.problem is not None and ticket.problem != self._problem:
                # Send this message first, or the window would assume that the answer has been
                # saved.
                self._problem = ticket.problem
                return encode(saving_message(ticket.problem))
        if self._waiting:
            self._waiting.popleft()
            self._characters -= len(text)
        return text

    def saved_again(self) -> None:
        """Tell the window that saving works again, if it was warned."""
        if self._problem is not None:
            self._problem = None
            self.put(saving_message(None))
