"""A session with the windows that show it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from sapper.errors import IllegalAction, SapperError
from sapper.server import limits, session_messages
from sapper.server.analysis_tasks import AnalysisTasks
from sapper.server.autoplay import Autoplay
from sapper.server.handlers import REPLACING, job_for
from sapper.server.job_future import Busy
from sapper.server.job_runner import JobRunner
from sapper.server.outbox import Outbox, encode
from sapper.server.protocol import Json, error_body, read_message, reply_id, whole_of
from sapper.server.review_job import Reviewable
from sapper.server.saving import Ticket
from sapper.server.secrecy import check_over
from sapper.server.session import Session
from sapper.server.workers import WorkerPool
from sapper.translation import t

__all__ = ["Client"]

_log: Final = logging.getLogger(__name__)


class Client:
    """Passes on a session's messages, and has its positions analysed in the background.

    Args:
        session: The session that it serves.
        save: Called after every change; gives the ticket of the batch that saves it.
        moves: The worker threads for player actions.
        analyses: Workers for background analysis.
        notice: Why the saved session could not be loaded, for the first window.

    Attributes:
        users: Number of connections that hold this client in memory.
    """

    def __init__(
        self,
        session: Session,
        save: Callable[[Session], Ticket],
        moves: WorkerPool,
        analyses: WorkerPool,
        notice: str | None = None,
    ) -> None:
        self.session = session
        self.windows: set[Outbox] = set()
        self.users = 0
        self._notice = notice
        self._save = save
        self._runner = JobRunner(moves, self._publish)
        self._analysis = AnalysisTasks(
            session, analyses, self._runner, self._tell, lambda: save(session)
        )
        self._autoplay = Autoplay(session, self._runner, self._tell, self._publish, self._backlog)

    async def join(self, menu: Json, trouble: Callable[[], Json | None] | None = None) -> Outbox:
        """Admit a window; its outbox starts with the whole state.

        Args:
            menu: The choices that there are.
            trouble: Returns the message that nothing is being saved, if so.
        """
        await self._runner.idle()
        outbox = Outbox()
        outbox.put({**session_messages.state(self.session), "type": "welcome", "menu": menu})
        # Checked now, because saving may work again since the runner was busy.
        if trouble is not None and (told := trouble()) is not None:
            outbox.warn(told)
        if self._notice is not None:
            outbox.put(error_body("not_loaded", self._notice))
            self._notice = None
        self.windows.add(outbox)
        self._analysis.welcome(outbox.put)
        return outbox

    def leave(self, outbox: Outbox) -> None:
        """Let a window go; the bot pauses if it was the last."""
        self.windows.discard(outbox)
        if not self.windows:
            self._autoplay.pause()

    @property
    def busy(self) -> bool:
        """Whether something is being done for it that must not be dropped."""
        return self._runner.busy or self._analysis.active or self._autoplay.active

    def _backlog(self) -> int:
        """Number of messages not yet sent to the slowest window."""
        return max(map(len, self.windows), default=0)

    def _publish(self, message: Json) -> None:
        """Save a change, then send it to all windows."""
        ticket = self._save(self.session)
        self._tell(message, ticket)
        self._analysis.refresh()

    def _tell(self, message: Json | str, ticket: Ticket | None = None) -> None:
        text = message if isinstance(message, str) else encode(message)
        for outbox in self.windows:
            outbox.put(text, ticket)

    async def receive(self, text: str | bytes | None, outbox: Outbox) -> None:
        """Answer a window's message; whatever is wrong with it, the window stays connected."""
        re = None
        try:
            message = read_message(text)
            re = reply_id(message)
            await self._answer(message, re, outbox)
        except SapperError as problem:
            outbox.put(error_body(problem.code, str(problem), re))
        except Exception:
            _log.exception("a message could not be answered")
            said = t("something went wrong on the server; the game is unchanged")
            outbox.put(error_body("internal", said, re))

    async def to_review(self, *, helping: bool) -> Reviewable:
        """Return the state of the game between two jobs, for a review.

        Args:
            helping: Whether a review of a running game counts as help, which is then noted.
        """
        await self._runner.idle(limits.JOB_BUDGET_S)
        session = self.session
        if session.big:
            raise IllegalAction(
                f"a review takes boards of at most {limits.SMALL_CELLS:,} cells, "
                f"this one has {len(session.now.cells):,}"
            )
        if helping and session.now.running:
            session.help("review")
            self._save(session)
        return Reviewable(session.key, session.game.trail(), session.now, session.helped)

    async def finished_game(self) -> Json:
        """Return the saved form of the game between two jobs.

        Raises:
            StillRunning: If it is not over.
        """
        await self._runner.idle(limits.JOB_BUDGET_S)
        session = self.session
        if session.big:
            raise IllegalAction(
                f"a replay has at most {limits.SMALL_CELLS:,} cells in the browser, "
                f"this one {len(session.now.cells):,}"
            )
        why = t("this game is still running, and its replay would show the mines")
        check_over(session.now, why)
        return session.game.to_json()

    async def do(self, message: Json) -> None:
        """Handle a message that did not come from a window; all windows get the outcome.

        Raises:
            SapperError: If it cannot be done.
        """
        kind = message["type"]
        if self._autoplay.interrupts(kind, None):
            raise Busy(t("a bot is playing; pause it first"))
        told = await self._runner.run(
            lambda: job_for(self.session, message), replaces=kind in REPLACING
        )
        self._publish(told)
        self._autoplay.noticed(kind)

    async def _answer(self, message: Json, re: str | None, outbox: Outbox) -> None:
        kind = message["type"]
        if kind == "hint":
            self._analysis.start_hint(re, outbox.put)
        elif kind == "sync":
            await self._runner.idle(limits.JOB_BUDGET_S)
            outbox.put(session_messages.state(self.session, re))
            self._analysis.welcome(outbox.put)
        elif kind == "drawn":
            self._autoplay.drawn(whole_of(message, "turn"))
        elif kind == "automatic":
            self._autoplay.receive(message, re)
            self._save(self.session)
            self._analysis.refresh()
        elif not self._autoplay.interrupts(kind, re):
            told = await self._runner.run(
                lambda: job_for(self.session, message, re), replaces=kind in REPLACING
            )
            self._publish(told)
            self._autoplay.noticed(kind)
