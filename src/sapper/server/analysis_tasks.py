"""Analysis in the background of a game: no click ever waits for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final

from sapper.errors import IllegalAction, SapperError
from sapper.game import Status
from sapper.game.review import Reviewer
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
from sapper.server.job_runner import JobRunner
from sapper.server.outbox import encode
from sapper.server.overlay import Overlay
from sapper.server.protocol import Json, error_body
from sapper.server.session import Session
from sapper.server.workers import Busy, WorkerPool
from sapper.solver import Analysis

__all__ = ["AnalysisTasks"]

_log: Final = logging.getLogger(__name__)

Tell = Callable[[Json | str], None]


class AnalysisTasks:
    """Analyses a session's position on worker threads, and sends the results.

    What came too late, because the game went on meanwhile, is never told.

    Args:
        session: Whose game it is.
        pool: The worker threads.
        runner: Where the session's own jobs are done.
        tell: Called with each message for all windows.
        changed: Called when the session was changed by help.
    """

    def __init__(
        self,
        session: Session,
        pool: WorkerPool,
        runner: JobRunner,
        tell: Tell,
        changed: Callable[[], object],
    ) -> None:
        self.session = session
        self._pool, self._runner = pool, runner
        self._tell = tell
        self._changed = changed
        self._tasks: set[asyncio.Task[None]] = set()
        self._covering = self._looking_back = self._hinting = False
        self._known: Analysis | None = None
        self._overlay_told: Overlay | None = None
        self._overlay_key = session.key
        self._reviewer, self._looked_at = Reviewer(), session.key
        self._kept: dict[str, tuple[int, str]] = {}

    @property
    def active(self) -> bool:
        """Whether an analysis is running."""
        return bool(self._tasks)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        # The loop itself keeps only weak references.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def welcome(self, tell: Tell) -> None:
        """Send a new window what the other windows already have."""
        for turn, text in self._kept.values():
            if turn == self.session.turn:
                tell(text)
        self._overlay_told = None
        self.refresh()

    def refresh(self) -> None:
        """Make sure that the overlay and the review are computed and sent."""
        layer, playing = self.session.layer, self.session.now.status is Status.PLAYING
        if layer in ("none", "marks") or not playing or self._overlay_key != self.session.key:
            # The windows have removed it from the board.
            self._overlay_told, self._overlay_key = None, self.session.key
        if layer != "none" and not self._covering:
            self._covering = True
            self._start(self._cover())
        watched = self.session.assist.mode == "automatic" and not self.session.now.over
        if not (self._looking_back or watched or self.session.now.status is Status.READY):
            self._looking_back = True
            self._start(self._look_back())

    def _analysis(self, position: Position) -> Analysis:
        """Return the analysis of a position, cached if only flags have changed."""
        bare, known = position.without_flags(), self._known
        if known is None or known.position != bare:
            known = self._known = look(bare)
        return known

    async def _cover(self) -> None:
        """Send the overlay of the current position."""
        session = self.session
        try:
            while session.layer != "none" and not session.now.over:
                if session.now.status is Status.READY and session.layer != "marks":
                    return
                turn, position, layer = session.turn, session.now.position, session.layer
                options, told = session.game.settings.options, self._overlay_told

                def work(
                    turn: int = turn,
                    position: Position = position,
                    layer: str = layer,
                    options: Any = options,
                    told: Overlay | None = told,
                ) -> tuple[str, Overlay | None]:
                    analysis = self._analysis(position)
                    if layer == "marks":
                        return encode(marks_message(analysis, position, options, turn)), None
                    overlay = Overlay.of(analysis)
                    return encode(overlay.message(analysis, turn, told)), overlay

                text, overlay = await self._pool.submit(work)
                # A window that connected in the meantime lacks what this builds on.
                if session.turn == turn and told is self._overlay_told:
                    self._overlay_told = overlay
                    self._tell(text)
                    return
        except Busy:
            _log.warning("an overlay was left out, as too many jobs wait")
        except SapperError as problem:
            self._tell(error_body(problem.code, str(problem)))
        except Exception:
            _log.exception("a position could not be analysed")
        finally:
            self._covering = False

    def start_hint(self, re: str | None, tell: Tell) -> None:
        """Compute a hint and send it to all windows; send an error only to the one that asked.

        Raises:
            Busy: If the session is waiting for a hint already.
        """
        if self._hinting:
            raise Busy("your last hint is still being worked out")
        self._hinting = True
        self._start(self._hint(re, tell))

    async def _hint(self, re: str | None, tell: Tell) -> None:
        try:
            await self._find_hint(re)
        except SapperError as problem:
            tell(error_body(problem.code, str(problem), re))
        except Exception:
            _log.exception("a hint could not be found")
            tell(error_body("internal", "something went wrong on the server", re))
        finally:
            self._hinting = False

    async def _find_hint(self, re: str | None) -> None:
        session, now, settings = self.session, self.session.now, self.session.game.settings
        turn, position = session.turn, now.position
        if now.over:
            raise IllegalAction(f"there is nothing to hint at: the game is {now.status}")
        if now.status is Status.READY and settings.first_click is not FirstClick.ANY:
            self._tell(first_hint(position, turn, re))
            return
        message = await self._pool.submit(
            lambda: hint_message(self._analysis(position), position, settings, turn, re)
        )
        if session.turn == turn:
            session.help("hint")
            self._tell(message)
            self._changed()

    async def _look_back(self) -> None:
        """Send the guesses so far, and why the game was lost if it was."""
        session = self.session
        try:
            while True:
                # A job may be changing the game.
                await self._runner.idle()
                turn, now = session.turn, session.now
                if self._looked_at != session.key:
                    self._looked_at, self._reviewer = session.key, Reviewer()
                reviewer, trail = self._reviewer, session.game.trail()
                guesses = await self._pool.submit(partial(reviewer.guesses, trail))
                found = None
                if now.status is Status.LOST:
                    found = await self._pool.submit(partial(reviewer.post_mortem, trail))
                if session.turn != turn:
                    continue
                if now.over or session.assist.mode == "assisted":
                    self._keep(guesses_message(guesses, turn, over=now.over))
                if found is not None:
                    self._keep(review_message(found, now.position, turn))
                return
        except Busy:
            _log.warning("a count of guesses was left out, as too many jobs wait")
        except SapperError as problem:
            self._tell(error_body(problem.code, str(problem)))
        except Exception:
            _log.exception("a game could not be reviewed")
        finally:
            self._looking_back = False

    def _keep(self, message: Json) -> None:
        """Send a message, and keep it for windows that connect later."""
        text = encode(message)
        self._kept[message["type"]] = message["turn"], text
        self._tell(text)
