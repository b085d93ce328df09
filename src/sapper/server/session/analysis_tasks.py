"""Analyze a running game in the background, without delaying clicks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any, Final, TypeVar

from sapper.errors import Cancelled, IllegalAction, SapperError
from sapper.game import Status
from sapper.game.review import Reviewer
from sapper.game.trail import Trail
from sapper.overlays import OVERLAYS, marks_of
from sapper.position import Position
from sapper.rules import FirstClick, OptionValue, Settings
from sapper.server import limits
from sapper.server.jobs.errors import Busy
from sapper.server.jobs.job_cost import is_heavy_position
from sapper.server.jobs.job_runner import JobRunner
from sapper.server.jobs.overlay import ChanceCover, MarkCover
from sapper.server.jobs.snapshot import Snapshot
from sapper.server.jobs.workers import WorkerPool
from sapper.server.protocol import Json, encode, error_body
from sapper.server.session.assist_messages import (
    first_hint,
    guesses_message,
    hint_message,
    look,
    marks_message,
    review_message,
)
from sapper.server.session.session import Session
from sapper.solver import Analysis
from sapper.translation import t, tn
from sapper.web.language import current_language

__all__ = ["AnalysisTasks"]

_log: Final = logging.getLogger(__name__)

Tell = Callable[[Json | str], None]
_Result = TypeVar("_Result")


class AnalysisTasks:
    """Analyses a session's position on worker threads and sends the results.

    Results that arrive after another move are discarded.

    Args:
        session: The session.
        pool: The worker threads.
        runner: Runs the session's jobs.
        tell: Called with each message to all windows.
        changed: Called when the use of help has changed the session.
        all_think: Returns whether every window computes chances itself.
    """

    def __init__(
        self,
        session: Session,
        pool: WorkerPool,
        runner: JobRunner,
        tell: Tell,
        changed: Callable[[], object],
        all_think: Callable[[], bool] = lambda: False,
    ) -> None:
        self.session = session
        self._pool, self._runner = pool, runner
        self._tell = tell
        self._changed = changed
        self._all_think = all_think
        self._tasks: set[asyncio.Task[None]] = set()
        self._covering = self._looking_back = self._hinting = False
        self._counting = False
        self._analysis: Analysis | None = None
        self._overlay_sent: ChanceCover | MarkCover | None = None
        self._overlay_key = session.key
        self._reviewer, self._looked_at = Reviewer(), session.key
        self._for_new_windows: dict[str, tuple[int, str, str]] = {}

    @property
    def active(self) -> bool:
        """Whether an analysis is running."""
        return bool(self._tasks)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        # The event loop keeps only weak references to tasks.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def welcome(self, tell: Tell) -> None:
        """Send a new window the results that other windows already have."""
        for turn, language, text in self._for_new_windows.values():
            if turn == self.session.turn and language == current_language():
                tell(text)
        self._overlay_sent = None
        self.refresh()

    def refresh(self) -> None:
        """Ensure that the overlay and the review are computed and sent."""
        layer, playing = self.session.layer, self.session.now.status is Status.PLAYING
        if layer in ("none", "marks") or not playing or self._overlay_key != self.session.key:
            # The windows have already removed the overlay from the board.
            self._overlay_sent, self._overlay_key = None, self.session.key
        if layer != "none" and not self._covering:
            if self._windows_cover(layer):
                # A window that stops computing chances needs all of them.
                self._overlay_sent = None
            else:
                self._covering = True
                self._start(self._cover())
        if not self._looking_back and not self._guesses_can_wait:
            self._looking_back = True
            self._start(self._look_back())

    def count_guesses(self) -> None:
        """Count the guesses so far, even if the windows count them."""
        if self.session.big or self.session.now.status is Status.READY:
            return
        self._counting = True
        if not self._looking_back:
            self._looking_back = True
            self._start(self._look_back())

    def _windows_cover(self, layer: str) -> bool:
        """Return whether the windows compute this layer from their own chances."""
        compact = layer in OVERLAYS and OVERLAYS[layer].compact
        return compact and not self.session.big and self._all_think()

    @property
    def _guesses_can_wait(self) -> bool:
        """Whether counting the guesses can wait."""
        now, mode = self.session.now, self.session.assist.mode
        if now.status is Status.READY:
            return True
        if now.status is not Status.LOST and (self.session.big or self._windows_count):
            # Guesses are not counted on big boards, and windows that compute chances count them.
            return True
        if mode == "solo":
            # They are only sent at the end, so they can be counted then.
            return now.running and not is_heavy_position(now.position)
        return mode == "automatic" and not now.over

    @property
    def _windows_count(self) -> bool:
        """Whether the windows count the guesses."""
        assist = self.session.assist
        return assist.mode == "assisted" and self._windows_cover(self.session.layer)

    async def _analyzed(
        self, position: Position, use: Callable[[Analysis | None], tuple[Analysis, _Result]]
    ) -> _Result:
        """Run a job with the analysis of a position, reused if only flags have changed."""
        if is_heavy_position(position):
            return await self._within_budget(partial(_second, use))
        before = self._analysis
        if before is not None and before.position != position.without_flags():
            before = None
        self._analysis, result = await self._pool.submit(partial(use, before))
        return result

    async def _within_budget(self, work: Callable[[], _Result]) -> _Result:
        """Run a job in a worker process, and stop it after its budget.

        Raises:
            Cancelled: If the job takes longer.
        """
        running = self._pool.submit(work, heavy=True)
        await self._pool.until_ready(running)
        stop = asyncio.get_running_loop().call_later(
            limits.ANALYSIS_BUDGET_S, self._pool.stop, running
        )
        try:
            return await running
        finally:
            stop.cancel()

    async def _cover(self) -> None:
        """Send the overlay of the current position."""
        session = self.session
        try:
            while session.layer != "none" and not session.now.over:
                if session.now.status is Status.READY and session.layer != "marks":
                    return
                turn, position, layer = session.turn, session.now.position, session.layer
                options, sent = dict(session.game.settings.options), self._overlay_sent

                text, overlay = await self._analyzed(
                    position, partial(_overlay, position, layer, options, turn, sent)
                )
                # A window that connected in the meantime does not have the previous overlay.
                same = (session.turn, session.layer) == (turn, layer)
                if same and sent is self._overlay_sent:
                    if len(text) > limits.OVERLAY_CHARACTERS:
                        raise IllegalAction(t("this board has too many cells to show every chance"))
                    self._overlay_sent = overlay
                    self._tell(text)
                    return
        except Busy:
            _log.warning("an overlay was left out, as too many jobs wait")
        except Cancelled:
            reason = tn(
                "the chances take longer than {n} second right now and were left out",
                "the chances take longer than {n} seconds right now and were left out",
                round(limits.ANALYSIS_BUDGET_S),
            )
            self._tell(error_body("too_slow", reason))
        except SapperError as problem:
            self._tell(error_body(problem.code, str(problem)))
        except Exception:
            _log.exception("a position could not be analysed")
        finally:
            self._covering = False

    def start_hint(self, re: str | None, tell: Tell) -> None:
        """Compute a hint, and send it to all windows; send errors only to the requesting one.

        Raises:
            Busy: If the session is already waiting for a hint.
        """
        if self._hinting:
            raise Busy(t("your last hint is still being computed"))
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
            raise IllegalAction(f"no hint is possible: the game is {now.status}")
        if now.status is Status.READY and settings.first_click is not FirstClick.ANY:
            self._tell(first_hint(position, turn, re))
            return
        message = await self._analyzed(position, partial(_hint, position, settings, turn, re))
        if session.turn == turn:
            session.help("hint")
            self._tell(message)
            self._changed()

    async def _look_back(self) -> None:
        """Send the guesses so far and, after a loss, its explanation."""
        session = self.session
        try:
            while True:
                # A job may be changing the game.
                await self._runner.idle()
                turn, now = session.turn, session.now
                if self._looked_at != session.key:
                    self._looked_at, self._reviewer = session.key, Reviewer()
                counting, brief = self._counting, self._windows_count and not self._counting
                work = partial(_review, self._reviewer, session.game.trail(), now, turn, brief)
                if is_heavy_position(now.position):
                    self._reviewer, guesses, review = await self._within_budget(work)
                else:
                    _, guesses, review = await self._pool.submit(work)
                if session.turn != turn:
                    continue
                if guesses is not None and (now.over or session.assist.mode == "assisted"):
                    self._keep("guesses", turn, guesses)
                if review is not None:
                    self._keep("review", turn, review)
                if counting or not self._counting:
                    self._counting = False
                    return
        except Busy:
            _log.warning("a count of guesses was left out, as too many jobs wait")
        except Cancelled:
            _log.warning("a count of guesses was left out, as it took too long")
        except SapperError as problem:
            self._tell(error_body(problem.code, str(problem)))
        except Exception:
            _log.exception("a game could not be reviewed")
        finally:
            self._looking_back = False

    def _keep(self, kind: str, turn: int, text: str) -> None:
        """Send a message and store it for windows that connect later."""
        self._for_new_windows[kind] = turn, current_language(), text
        self._tell(text)


# The jobs; they run in a thread or in a worker process.


def _overlay(
    position: Position,
    layer: str,
    options: Mapping[str, OptionValue],
    turn: int,
    sent: ChanceCover | MarkCover | None,
    analysis: Analysis | None,
) -> tuple[Analysis, tuple[str, ChanceCover | MarkCover | None]]:
    analysis = analysis or look(position.without_flags())
    if layer == "marks":
        return analysis, (encode(marks_message(analysis, position, options, turn)), None)
    if OVERLAYS[layer].compact:
        chances = ChanceCover.of(analysis)
        return analysis, (encode(chances.message(analysis, turn, sent)), chances)
    cover = MarkCover(layer, marks_of(layer, position, analysis))
    return analysis, (encode(cover.message(turn, sent)), cover)


def _hint(
    position: Position, settings: Settings, turn: int, re: str | None, analysis: Analysis | None
) -> tuple[Analysis, str]:
    analysis = analysis or look(position.without_flags())
    return analysis, encode(hint_message(analysis, position, settings, turn, re))


def _second(use: Callable[[Analysis | None], tuple[Analysis, _Result]]) -> _Result:
    """Analyse a position, but do not return the analysis, because it is large."""
    return use(None)[1]


def _review(
    reviewer: Reviewer, trail: Trail, now: Snapshot, turn: int, brief: bool
) -> tuple[Reviewer, str | None, str | None]:
    """Return the reviewer and the messages about guesses and a loss, if any.

    Guesses are not counted if `brief`, and on big boards.
    """
    if brief or len(now.cells) > limits.SMALL_CELLS:
        if trail.board is None:
            return reviewer, None, None
        loss = Reviewer().post_mortem(trail, last_only=True)
        return reviewer, None, encode(review_message(loss, now.position, turn))
    guesses = encode(guesses_message(reviewer.guesses(trail), turn, over=now.over))
    if trail.board is None:
        return reviewer, guesses, None
    post_mortem = reviewer.post_mortem(trail)
    return reviewer, guesses, encode(review_message(post_mortem, now.position, turn))
