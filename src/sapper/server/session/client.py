"""A session and its windows."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, Final

from sapper.errors import IllegalAction, SapperError
from sapper.server import limits
from sapper.server.jobs.job_runner import Job, JobRunner
from sapper.server.jobs.reviews import Reviewable
from sapper.server.jobs.workers import WorkerPool
from sapper.server.messages.incoming import (
    JOBS,
    AutomaticChange,
    Drawn,
    Effect,
    Handlers,
    Nothing,
    Thinking,
    fields_in,
    parse,
    reply_id,
)
from sapper.server.protocol import Json, encode, error_body
from sapper.server.session import help_jobs, moves, new_games, state_messages
from sapper.server.session.analysis_tasks import AnalysisTasks
from sapper.server.session.autoplay import Autoplay
from sapper.server.session.outbox import Outbox
from sapper.server.session.secrecy import check_over
from sapper.server.session.session import Session
from sapper.server.storage.day_results import Day
from sapper.server.storage.save_queue import Ticket
from sapper.translation import t

__all__ = ["REQUESTS", "Client"]

_log: Final = logging.getLogger(__name__)

_WITH_JOBS: Final = (help_jobs, moves, new_games)
"""The modules whose functions register in `JOBS`."""

REQUESTS: Final = Handlers[Callable[..., Awaitable[None]]]()
"""Methods of `Client` for messages that need no job."""


class Client:
    """Connects a session to its windows, and runs its background analysis.

    Args:
        session: The session.
        save: Called after every change; returns the ticket of the batch that saves it.
        moves: Worker threads for players' actions.
        analyses: Workers for background analysis.
        notice: The reason why the saved session could not be loaded; sent to the first window.

    Attributes:
        users: Number of connections for which this client is kept in memory.
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
        self._guests: dict[Outbox, str] = {}
        self._notice = notice
        self._save = save
        self._runner = JobRunner(moves, self._publish)
        self._analysis = AnalysisTasks(
            session, analyses, self._runner, self._tell, lambda: save(session), self._all_think
        )
        self._autoplay = Autoplay(session, self._runner, self._tell, self._publish, self._backlog)

    async def join(
        self,
        menu: Json,
        trouble: Callable[[], Json | None] | None = None,
        guest: str | None = None,
        started: Iterable[Day] = (),
    ) -> Outbox:
        """Add a window; its outbox starts with the complete state.

        Args:
            menu: The available choices.
            trouble: Function that returns the message that nothing is being saved, or None.
            guest: The guest of the browser, even while it is signed in; None if it has none.
            started: The days of the daily boards that the guest has started.
        """
        await self._runner.idle()
        outbox = Outbox()
        if guest is not None:
            self._guests[outbox] = guest
            self.session.welcome_guest(guest, {*started})
        outbox.put({**state_messages.state(self.session), "type": "welcome", "menu": menu})
        # Do not check this earlier: saving may have recovered while the runner was busy.
        if trouble is not None and (warning := trouble()) is not None:
            outbox.warn(warning)
        if self._notice is not None:
            outbox.put(error_body("not_loaded", self._notice))
            self._notice = None
        self.windows.add(outbox)
        self._analysis.welcome(outbox.put)
        return outbox

    def leave(self, outbox: Outbox) -> None:
        """Remove a window; the bot pauses if it was the last one."""
        self.windows.discard(outbox)
        guest = self._guests.pop(outbox, None)
        if guest is not None and guest not in self._guests.values():
            self.session.guests.pop(guest, None)
        if not self.windows:
            self._autoplay.pause()

    def close(self) -> None:
        """Close all windows and save nothing more, because another worker has the session."""
        self.session.deleted = True
        for outbox in self.windows:
            outbox.close()

    def _all_think(self) -> bool:
        """Return whether every window computes chances itself."""
        return bool(self.windows) and all(outbox.thinks for outbox in self.windows)

    @property
    def busy(self) -> bool:
        """Whether any work in progress must not be dropped."""
        return self._runner.busy or self._analysis.active or self._autoplay.active

    def _backlog(self) -> int:
        """Return the number of messages not yet sent to the slowest window."""
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
        """Answer a window's message; errors do not disconnect the window."""
        re = None
        try:
            message = parse(text)
            re = reply_id(message)
            kind, fields = fields_in(message)
            if (request := REQUESTS.by_kind.get(kind.name)) is not None:
                await request(self, fields, re, outbox)
            elif not self._autoplay.interrupts(kind.effect, re):
                make = partial(JOBS.by_kind[kind.name], self.session, fields, re)
                await self._do(make, kind.effect, replaces=kind.replaces)
        except SapperError as problem:
            outbox.put(error_body(problem.code, str(problem), re))
        except Exception:
            _log.exception("a message could not be answered")
            fallback = t("something went wrong on the server; the game is unchanged")
            outbox.put(error_body("internal", fallback, re))

    async def to_review(self, *, helping: bool) -> Reviewable:
        """Return the state of the game between jobs, for a review.

        Args:
            helping: Whether to record the review of a running game as help.
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
        """Return the saved form of the game between jobs.

        Raises:
            StillRunning: If the game is not over.
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

    async def replace_game(self, make: Callable[[Session], Job[Any]]) -> None:
        """Run a job that starts another game; all windows get the outcome.

        Raises:
            SapperError: If the game cannot be started.
        """
        self._autoplay.interrupts(Effect.GAME, None)
        await self._do(lambda: make(self.session), Effect.GAME, replaces=True)

    async def _do(self, make: Callable[[], Job[Any]], effect: Effect, *, replaces: bool) -> None:
        self._publish(await self._runner.run(make, replaces=replaces))
        self._autoplay.noticed(effect)

    @REQUESTS.register("hint")
    async def _hint(self, _: Nothing, re: str | None, outbox: Outbox) -> None:
        self._analysis.start_hint(re, outbox.put)

    @REQUESTS.register("sync")
    async def _sync(self, _: Nothing, re: str | None, outbox: Outbox) -> None:
        await self._runner.idle(limits.JOB_BUDGET_S)
        outbox.put(state_messages.state(self.session, re))
        self._analysis.welcome(outbox.put)

    @REQUESTS.register("thinking")
    async def _thinking(self, fields: Thinking, _: str | None, outbox: Outbox) -> None:
        outbox.thinks = fields["here"]
        self._analysis.refresh()

    @REQUESTS.register("guesses")
    async def _guesses(self, _: Nothing, __: str | None, ___: Outbox) -> None:
        self._analysis.count_guesses()

    @REQUESTS.register("drawn")
    async def _drawn(self, fields: Drawn, _: str | None, __: Outbox) -> None:
        self._autoplay.drawn(fields["turn"])

    @REQUESTS.register("automatic")
    async def _automatic(self, fields: AutomaticChange, re: str | None, _: Outbox) -> None:
        self._autoplay.receive(fields, re)
        self._save(self.session)
        self._analysis.refresh()
