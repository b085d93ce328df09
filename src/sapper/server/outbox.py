"""Messages waiting for one window: in order, bounded, and never sent before they are saved."""

from __future__ import annotations

import asyncio
import json
from collections import deque

from sapper.server import limits
from sapper.server.protocol import Json
from sapper.server.saving import Ticket
from sapper.web.language import translated

__all__ = ["Outbox", "encode", "saving_message"]


def encode(message: object) -> str:
    """Return the JSON text of a message, in the language of the request.

    ASCII only: a lone surrogate, which a browser may send in an id, has no UTF-8 form.
    """
    return json.dumps(translated(message), separators=(",", ":"))


def saving_message(problem: str | None, *, trying: bool = True) -> Json:
    """Message that the game is not being saved, and why; with None, that it is again.

    Args:
        problem: The reason, for players.
        trying: Whether saving is retried, and not only when the server starts again.
    """
    return {"type": "saving", "problem": problem, **({} if trying else {"restart": True})}


class Outbox:
    """Messages for one window.

    Attributes:
        full: Set once the window has left too much unread; it is to be closed then.
    """

    def __init__(self) -> None:
        self.full = asyncio.Event()
        self._waiting: deque[tuple[str, Ticket | None]] = deque()
        self._characters = 0
        self._news = asyncio.Event()
        self._problem: str | None = None

    def __len__(self) -> int:
        """Return the number of waiting messages."""
        return len(self._waiting)

    def put(self, message: Json | str, ticket: Ticket | None = None) -> None:
        """Queue a message; it is sent in order, once its ticket is settled."""
        if self.full.is_set():
            return
        text = message if isinstance(message, str) else encode(message)
        if (
            len(self._waiting) >= limits.OUTBOX_MESSAGES
            or self._characters + len(text) > limits.OUTBOX_BYTES
        ):
            self._waiting.clear()
            self.full.set()
            return
        self._waiting.append((text, ticket))
        self._characters += len(text)
        self._news.set()

    def warn(self, trouble: Json) -> None:
        """Queue a message that nothing is being saved, for a new window."""
        self._problem = trouble["problem"]
        self.put(trouble)

    async def get(self) -> str:
        """Return the next message that may be sent."""
        while not self._waiting:
            self._news.clear()
            await self._news.wait()
        text, ticket = self._waiting[0]
        if ticket is not None:
            await ticket.wait()
            if ticket.problem is not None and ticket.problem != self._problem:
                # First, so that the window never takes the answer as saved.
                self._problem = ticket.problem
                return encode(saving_message(ticket.problem))
        if self._waiting:
            self._waiting.popleft()
            self._characters -= len(text)
        return text

    def saved_again(self) -> None:
        """Report that saving works again, if the window was told that it did not."""
        if self._problem is not None:
            self._problem = None
            self.put(saving_message(None))
