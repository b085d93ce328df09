"""The analyses that go on beside a game: no click ever waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from sapper.errors import IllegalAction, SapperError
from sapper.game import Status
from sapper.position import Position
from sapper.rules import FirstClick
from sapper.server.assist_messages import (
    first_hint,
    guesses_message,
    hint_message,
    look,
    marks_message,
    review_message,
)
from sapper.server.hindsight import Hindsight
from sapper.server.overlay import Overlay
from sapper.server.protocol import Json, error_body
from sapper.server.session import Session
from sapper.solver import Analysis

__all__ = ["AnalysisTasks"]


class AnalysisTasks:
    """Looks at a session's position in other threads, and tells what it finds.

    What came too late, because the game went on meanwhile, is never told.

    Args:
        session: Whose game it is.
        tell: Called with each message for all windows.
        changed: Called when the session was changed by help.
    """

    def __init__(
        self, session: Session, tell: Callable[[Json], None], changed: Callable[[], None]
    ) -> None:
        self.session = session
        self._tell = tell
        self._changed = changed
        self._tasks: set[asyncio.Task[None]] = set()
        self._covering = self._looking_back = False
        self._known: Analysis | None = None
        self._overlay_told: Overlay | None = None
        self._overlay_key = session.key
        self._hindsight, self._looked_at = Hindsight(session.game), session.key
        self._kept: dict[str, Json] = {}

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Let work go on aside."""
        task = asyncio.get_running_loop().create_task(work)
        # The loop itself keeps only weak references.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def welcome(self, tell: Callable[[Json], None]) -> None:
        """Tell a window that has just come what the others know already."""
        for message in self._kept.values():
            if message["turn"] == self.session.turn:
                tell(message)
        self._overlay_told = None
        self.refresh()

    def refresh(self) -> None:
        """See to it that what lies over the board, and what looking back finds, is told."""
        layer, playing = self.session.layer, self.session.game.status is Status.PLAYING
        if layer in ("none", "marks") or not playing or self._overlay_key != self.session.key:
            # Windows have taken it off the board.
            self._overlay_told, self._overlay_key = None, self.session.key
        if layer != "none" and not self._covering:
            self._covering = True
            self.start(self._cover())
        watched = self.session.assist.mode == "automatic" and not self.session.game.over
        if not (self._looking_back or watched or self.session.game.status is Status.READY):
            self._looking_back = True
            self.start(self._look_back())

    async def _analysis(self, position: Position) -> Analysis:
        """The analysis of a position, from memory if only flags have changed since."""
        bare = position.without_flags()
        if self._known is None or self._known.position != bare:
            self._known = await asyncio.to_thread(look, bare)
        return self._known

    async def _cover(self) -> None:
        """Tell what lies over the present position."""
        session = self.session
        try:
            while session.layer != "none" and not session.game.over:
                if session.game.status is Status.READY and session.layer != "marks":
                    return
                turn, position = session.turn, session.game.position
                analysis = await self._analysis(position)
                if session.layer == "marks":
                    options = session.game.settings.options
                    message = await asyncio.to_thread(
                        marks_message, analysis, position, options, turn
                    )
                    overlay = None
                else:
                    overlay = await asyncio.to_thread(Overlay.of, analysis)
                    message = overlay.message(analysis, turn, self._overlay_told)
                if session.turn == turn:
                    self._overlay_told = overlay
                    self._tell(message)
                    return
        except SapperError as problem:
            self._tell(error_body(problem.code, str(problem)))
        finally:
            self._covering = False

    async def hint(self, re: str | None) -> None:
        """Tell one cell to open next.

        Raises:
            SapperError: If there is none.
        """
        session, game = self.session, self.session.game
        turn, position, settings = session.turn, game.position, game.settings
        if game.over:
            raise IllegalAction(f"there is nothing to hint at: the game is {game.status}")
        if game.status is Status.READY and settings.first_click is not FirstClick.ANY:
            self._tell(first_hint(position, turn, re))
            return
        analysis = await self._analysis(position)
        message = await asyncio.to_thread(hint_message, analysis, position, settings, turn, re)
        if session.turn == turn:
            session.help("hint")
            self._tell(message)
            self._changed()

    async def _look_back(self) -> None:
        """Tell the guesses up to now, and why the game was lost if it was."""
        session = self.session
        try:
            while True:
                turn = session.turn
                if self._looked_at != session.key:
                    self._looked_at, self._hindsight = session.key, Hindsight(session.game)
                back, lost = self._hindsight, session.game.status is Status.LOST
                back.note()
                guesses = await asyncio.to_thread(back.guesses)
                found = await asyncio.to_thread(back.post_mortem) if lost else None
                if session.turn != turn:
                    continue
                if session.game.over or session.assist.mode == "assisted":
                    self._keep(guesses_message(guesses, turn, over=session.game.over))
                if found is not None:
                    self._keep(review_message(found, session.game.position, turn))
                return
        except SapperError as problem:
            self._tell(error_body(problem.code, str(problem)))
        finally:
            self._looking_back = False

    def _keep(self, message: Json) -> None:
        """Tell a message, and keep it for windows that come later."""
        self._kept[message["type"]] = message
        self._tell(message)
