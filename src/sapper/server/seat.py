"""A session with the windows that look at it, and the thinking that goes on for it aside."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

from sapper.errors import IllegalAction, SapperError
from sapper.game import Status
from sapper.position import Position
from sapper.rules import Start
from sapper.server.assist import hint_message, look, loss_message, overlay_message
from sapper.server.protocol import Json, error_body, read_message, reply_id
from sapper.server.session import Session
from sapper.solver import Analysis

__all__ = ["Outbox", "Seat"]

_log: Final = logging.getLogger(__name__)

Outbox = asyncio.Queue[Json]
"""What one window is to be told, in order."""


class Seat:
    """Passes a session's messages on, and lets analyses run without making clicks wait.

    Args:
        session: Whose seat it is.
        changed: Called after every change, so that it can be saved.
    """

    def __init__(self, session: Session, changed: Callable[[Session], None]) -> None:
        self.session = session
        self.windows: set[Outbox] = set()
        self._changed = changed
        self._tasks: set[asyncio.Task[None]] = set()
        self._refreshing = False
        self._known: Analysis | None = None
        self._review: Json | None = None

    # Windows.

    def join(self, menu: Json) -> Outbox:
        """Let a window in; its outbox starts with all that it needs to know."""
        outbox = Outbox()
        outbox.put_nowait({**self.session.state(), "type": "welcome", "menu": menu})
        if self._review and self._review["turn"] == self.session.turn:
            outbox.put_nowait(self._review)
        self.windows.add(outbox)
        self._refresh()
        return outbox

    def leave(self, outbox: Outbox) -> None:
        """Let a window go."""
        self.windows.discard(outbox)

    def _tell(self, message: Json) -> None:
        for outbox in self.windows:
            outbox.put_nowait(message)

    # Messages.

    def receive(self, text: str | bytes | None, outbox: Outbox) -> None:
        """Answer a window's message; whatever is wrong with it, the window stays connected."""
        re = None
        try:
            message = read_message(text)
            re = reply_id(message)
            if message["type"] == "hint":
                self._start(self._hint(re, outbox))
                return
            if message["type"] == "sync":
                outbox.put_nowait(self.session.state(re))
                return
            self._tell(self.session.handle(message, re))
        except SapperError as problem:
            outbox.put_nowait(error_body(problem.code, str(problem), re))
            return
        except Exception:
            _log.exception("a message could not be answered")
            said = "something went wrong on the server; the game is as it was"
            outbox.put_nowait(error_body("internal", said, re))
            return
        self._changed(self.session)
        if self.session.last_loss is not None:
            self._start(self._explain_loss())
        self._refresh()

    # Thinking.

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        # The loop itself keeps only weak references.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _analysis(self, position: Position) -> Analysis:
        """The analysis of a position, from memory if only flags have changed since."""
        bare = position.without_flags()
        if self._known is None or self._known.position != bare:
            self._known = await asyncio.to_thread(look, bare)
        return self._known

    def _refresh(self) -> None:
        if self.session.shows_overlay and not self._refreshing:
            self._refreshing = True
            self._start(self._overlay())

    async def _overlay(self) -> None:
        """Send the overlay of the present position; one that came too late is not sent."""
        session = self.session
        try:
            while session.shows_overlay and session.game.status is Status.PLAYING:
                turn = session.turn
                analysis = await self._analysis(session.game.position)
                if session.turn == turn:
                    self._tell(overlay_message(analysis, turn))
                    return
        except SapperError as problem:
            self._tell(error_body(problem.code, str(problem)))
        finally:
            self._refreshing = False

    async def _hint(self, re: str | None, outbox: Outbox) -> None:
        session, game = self.session, self.session.game
        turn = session.turn
        try:
            if game.over:
                raise IllegalAction(f"there is nothing to hint at: the game is {game.status}")
            if game.status is Status.READY and game.settings.start is not Start.ANY:
                self._tell(_first_hint(session, re))
                return
            analysis = await self._analysis(game.position)
            if session.turn == turn:
                session.help("hint")
                self._tell(hint_message(analysis, turn, re))
                self._changed(session)
        except SapperError as problem:
            outbox.put_nowait(error_body(problem.code, str(problem), re))

    async def _explain_loss(self) -> None:
        session, turn = self.session, self.session.turn
        if session.last_loss is None:
            return
        before, exploded, chorded = session.last_loss
        wrong = []
        if chorded is not None:
            board = session.game.board
            wrong = [
                cell
                for cell in map(
                    before.topology.cell,
                    before.topology.graph.neighbours(before.topology.index(chorded)),
                )
                if before[cell] == "F" and not board.is_mine(cell)
            ]
        session.last_loss = None
        try:
            analysis = await self._analysis(before)
        except SapperError:
            return
        message = loss_message(analysis, exploded, wrong, turn)
        if message is not None and session.turn == turn:
            self._review = message
            self._tell(message)


def _first_hint(session: Session, re: str | None) -> Json:
    """The first click is promised to be safe wherever it goes; the middle is as good as any."""
    shape = session.game.position.topology
    cell = [shape.height // 2, shape.width // 2]
    return {
        "type": "hint",
        "re": re,
        "turn": session.turn,
        "cell": cell,
        "action": "open",
        "p_mine": 0.0,
        "proved": True,
        "sentence": "The first click is safe anywhere.",
        "safe_count": shape.size,
        "first": True,
        "exact": True,
    }
