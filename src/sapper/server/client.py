"""A session with the windows that look at it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from sapper.errors import SapperError
from sapper.server.analysis_tasks import AnalysisTasks
from sapper.server.autoplay import Autoplay
from sapper.server.handlers import handle
from sapper.server.protocol import Json, error_body, read_message, reply_id, whole_of
from sapper.server.session import Session

__all__ = ["Client", "Outbox"]

_log: Final = logging.getLogger(__name__)

Outbox = asyncio.Queue[Json]
"""What one window is to be told, in order."""


class Client:
    """Passes a session's messages on, and has its positions looked at meanwhile.

    Args:
        session: The session that it serves.
        changed: Called after every change, so that it can be saved.
    """

    def __init__(self, session: Session, changed: Callable[[Session], None]) -> None:
        self.session = session
        self.windows: set[Outbox] = set()
        self._changed = changed
        self._analysis = AnalysisTasks(session, self._tell, lambda: changed(session))
        self._autoplay = Autoplay(session, self._tell, self._has_changed)

    def join(self, menu: Json) -> Outbox:
        """Let a window in; its outbox starts with all that it needs to know."""
        outbox = Outbox()
        outbox.put_nowait({**self.session.state(), "type": "welcome", "menu": menu})
        self.windows.add(outbox)
        self._analysis.welcome(outbox.put_nowait)
        return outbox

    def leave(self, outbox: Outbox) -> None:
        """Let a window go; nobody watches a bot then, if it was the last."""
        self.windows.discard(outbox)
        if not self.windows:
            self._autoplay.pause()

    def _has_changed(self) -> None:
        self._changed(self.session)
        self._analysis.refresh()

    def _tell(self, message: Json) -> None:
        for outbox in self.windows:
            outbox.put_nowait(message)

    def receive(self, text: str | bytes | None, outbox: Outbox) -> None:
        """Answer a window's message; whatever is wrong with it, the window stays connected."""
        re = None
        try:
            message = read_message(text)
            re = reply_id(message)
            if message["type"] == "hint":
                self._analysis.start(self._hint(re, outbox))
                return
            if message["type"] == "sync":
                outbox.put_nowait(self.session.state(re))
                self._analysis.welcome(outbox.put_nowait)
                return
            if message["type"] == "drawn":
                self._autoplay.drawn(whole_of(message, "turn"))
                return
            if message["type"] == "automatic":
                self._autoplay.receive(message, re)
            elif not self._autoplay.interrupts(message["type"], re):
                self._tell(handle(self.session, message, re))
                self._autoplay.noticed(message["type"])
        except SapperError as problem:
            outbox.put_nowait(error_body(problem.code, str(problem), re))
            return
        except Exception:
            _log.exception("a message could not be answered")
            said = "something went wrong on the server; the game is as it was"
            outbox.put_nowait(error_body("internal", said, re))
            return
        self._has_changed()

    async def _hint(self, re: str | None, outbox: Outbox) -> None:
        try:
            await self._analysis.hint(re)
        except SapperError as problem:
            outbox.put_nowait(error_body(problem.code, str(problem), re))
