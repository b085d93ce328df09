"""Automatic mode: a bot plays a session's game while windows show it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from sapper.errors import IllegalAction, SapperError
from sapper.game import Game
from sapper.server.jobs.errors import Superseded
from sapper.server.jobs.job_runner import Job, JobRunner
from sapper.server.jobs.snapshot import Snapshot
from sapper.server.messages.incoming import AutomaticChange, Effect
from sapper.server.protocol import BadMessage, Json
from sapper.server.session import state_messages
from sapper.server.session.bot_play import BotPlay
from sapper.server.session.session import Session
from sapper.translation import t

__all__ = ["Autoplay", "Pace"]

_log: Final = logging.getLogger(__name__)

_UNSEEN_S: Final = 1.0
"""Maximum wait in seconds for windows that do not draw."""

_LOOK_S: Final = 1.0
"""Seconds to show the end of a game before the next one."""
_BACKLOG: Final = 32
"""The bot waits while a window has more unsent messages than this."""
_BACKLOG_PAUSE_S: Final = 0.02


class Pace:
    """Waits between actions and wakes up when something changes."""

    def __init__(self) -> None:
        self._last = 0.0
        self._drawn: int | None = None
        self._news = asyncio.Event()

    def stir(self) -> None:
        """Wake up, because something has changed."""
        self._news.set()

    def acted(self) -> None:
        """Record that an action was just performed."""
        self._last = asyncio.get_running_loop().time()

    def drawn(self, turn: int) -> None:
        """Record that a window has drawn the board of a turn."""
        self._drawn = max(turn, self._drawn or 0)
        self.stir()

    async def wait(
        self, is_wanted: Callable[[], bool], delay_s: Callable[[], float], turn: Callable[[], int]
    ) -> None:
        """Wait until the next action is due and the last one is drawn.

        Args:
            is_wanted: Function that returns whether to keep waiting.
            delay_s: Function that returns the seconds between actions, which may change at any
                time.
            turn: The turn to draw first, if windows report drawing.
        """
        loop, patient = asyncio.get_running_loop(), True
        while patient and is_wanted():
            left = self._last + delay_s() - loop.time()
            if left <= 0 and (self._drawn is None or self._drawn >= turn()):
                break
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), left if left > 0 else _UNSEEN_S)
            except TimeoutError:
                patient = left > 0
        # Let other tasks run even when there is nothing to wait for.
        await asyncio.sleep(0)


class Autoplay:
    """Plays a session's game with its bot, one visible action at a time.

    Args:
        session: The session.
        runner: Runs the session's actions, the bot's and the player's, one at a time.
        tell: Called with each message to all windows that does not require saving.
        publish: Called with each message about a change.
        backlog: Function that returns the number of messages not yet sent to the slowest window.
    """

    def __init__(
        self,
        session: Session,
        runner: JobRunner,
        tell: Callable[[Json], None],
        publish: Callable[[Json], None],
        backlog: Callable[[], int],
    ) -> None:
        self._session, self._runner, self._backlog = session, runner, backlog
        self._tell, self._publish = tell, publish
        self._task: asyncio.Task[None] | None = None
        self._steps = 0
        self._paced = Pace()
        self._play = BotPlay(session, runner, self._should_play, self._acted, self._tell_state)

    # Requests from windows.

    def receive(self, changes: AutomaticChange, re: str | None) -> None:
        """Play, pause or step, or change the bot, its speed or looping.

        Raises:
            SapperError: If this is not possible; nothing has changed.
        """
        session, auto = self._session, self._session.automatic
        do = changes.get("do")
        if do and session.assist.mode != "automatic":
            raise BadMessage(t("bots play only in automatic mode; choose it first"))
        if do in ("play", "step"):
            self._play.check_size()
        if do == "step" and session.now.over:
            raise IllegalAction(f"cannot step: the game is {session.now.status}")
        before = auto.bot
        auto.change(changes)
        if auto.bot != before:
            self._play.drop_plan()
            auto.problem, auto.alone = None, not session.now.actions
        if do:
            auto.problem = None
            auto.running = do == "play"
            self._steps = self._steps + 1 if do == "step" else 0
        self._go()
        self._tell_state(re)

    def interrupts(self, effect: Effect, re: str | None) -> bool:
        """Pause for a message with this effect; return whether the pause is its only effect."""
        # The board was changing under the pointer, so the click was not meant for the current one.
        swallowed = effect is Effect.CELL
        stops = self._session.automatic.running and effect is not Effect.NONE
        if stops:
            self.pause(re if swallowed else None)
        return stops and swallowed

    def pause(self, re: str | None = None) -> None:
        """Stop the bot."""
        self._session.automatic.running = False
        self._steps = 0
        self._go()
        self._tell_state(re)

    def noticed(self, effect: Effect) -> None:
        """Record that a message with this effect was answered."""
        session, auto = self._session, self._session.automatic
        if session.assist.mode != "automatic" and (auto.running or self._steps):
            auto.thinking = False
            self.pause()
        if effect is not Effect.NONE:
            auto.alone, auto.choice = False, None
        self._go()

    def drawn(self, turn: int) -> None:
        """Record that a window has drawn the board of a turn."""
        self._paced.drawn(turn)

    @property
    def active(self) -> bool:
        """Whether the bot is playing."""
        return self._task is not None

    # Play.

    def _go(self) -> None:
        self._paced.stir()
        if self._task is None and self._should_play():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def _should_play(self) -> bool:
        auto = self._session.automatic
        return self._session.assist.mode == "automatic" and (auto.running or self._steps > 0)

    async def _run(self) -> None:
        try:
            while self._should_play():
                if self._session.now.over:
                    await self._next_game()
                    continue
                if not self._play.ready():
                    await self._play.think()
                    continue
                await self._act()
                if self._session.now.over:
                    await self._look()
                    continue
                # Compute the next choice now, so that windows can show it.
                if not self._play.ready():
                    await self._play.think()
                await self._pace()
        except Superseded:
            self.pause()
        except SapperError as problem:
            self._stop(str(problem))
        except Exception:
            _log.exception("a bot could not play on")
            self._stop("something went wrong on the server; the game is unchanged")
        finally:
            self._task = None

    def _stop(self, problem: str) -> None:
        auto = self._session.automatic
        auto.running = auto.thinking = False
        auto.problem = f"{problem[:1].upper()}{problem[1:]}."
        self._steps = 0
        self._play.drop_worker()
        self._tell_state()

    async def _act(self) -> None:
        message = await self._play.act()
        if message is None:
            return
        if message:
            self._publish(message)
        if not self._session.now.over:
            self._play.settle()

    def _acted(self) -> None:
        self._steps = max(0, self._steps - 1)
        self._paced.acted()

    async def _look(self) -> None:
        """Wait a moment at the end of a game, then start another one or stop."""
        session, auto, key = self._session, self._session.automatic, self._session.key
        self._steps = 0
        auto.running = auto.running and auto.loop
        self._tell_state()
        if auto.running:
            await self._pace(_LOOK_S if auto.delay_ms else 0.0)
        if session.now.over and session.key == key and auto.running and not auto.loop:
            self.pause()

    async def _next_game(self) -> None:
        """Start another game after the end of one."""
        session, settings = self._session, self._session.next_settings
        key = session.key

        def work() -> tuple[Game, Snapshot]:
            game = settings.game()
            return game, Snapshot.of(game)

        def finish(started: tuple[Game, Snapshot]) -> Json:
            session.set_game(started[0], None, started[1])
            return state_messages.next_state(session, None)

        def make() -> Job[tuple[Game, Snapshot]]:
            session.make_room(settings.cells)
            return Job(work, finish)

        message = await self._runner.run(make)
        if session.key != key:
            self._publish(message)

    async def _pace(self, rest_s: float = 0.0) -> None:
        """Wait for the next action, unless a step is requested or the game has changed."""
        session, key = self._session, self._session.key
        await self._paced.wait(
            lambda: self._should_play() and not self._steps and session.key == key,
            lambda: max(session.automatic.delay_ms / 1000, rest_s),
            lambda: session.turn,
        )
        # Some windows do not report when they have drawn, so do not send more than they can read.
        while self._should_play() and self._backlog() > _BACKLOG:
            await asyncio.sleep(_BACKLOG_PAUSE_S)

    def _tell_state(self, re: str | None = None) -> None:
        session = self._session
        state = {"automatic": session.automatic.to_window(), "clock": session.clock_json()}
        self._tell({"type": "automatic", "re": re, **state})
