"""A bot plays a session's game while its windows watch."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Final

from sapper.actions import Action, ActionKind
from sapper.errors import IllegalAction, SapperError
from sapper.game import Status
from sapper.generation import substream
from sapper.server.bot_worker import BotFailed, BotWorker
from sapper.server.game_settings import GameSettings
from sapper.server.handlers import move_message
from sapper.server.pace import Pace
from sapper.server.protocol import BadMessage, Json, text_of
from sapper.server.session import Session
from sapper.solver.bots import Choice

__all__ = ["Autoplay"]

_log: Final = logging.getLogger(__name__)

_KINDS: Final = {
    ActionKind.OPEN: "open",
    ActionKind.CHORD: "chord",
    ActionKind.FLAG: "mark",
    ActionKind.QUESTION: "mark",
}
_MOVES: Final = frozenset({"open", "chord", "mark"})
_OTHERS: Final = frozenset({"undo", "again", "position"})

_SHORT_S: Final = 0.15
"""Thinking that is over sooner is not worth a word."""
_LOOK_S: Final = 1.0
"""How long the end of a game stays to be looked at before the next one."""


class Autoplay:
    """Lets a session's bot play, one visible action after the other.

    Args:
        session: Whose game it plays.
        tell: Called with each message for all windows.
        changed: Called after every change, so that it is saved and looked at.
    """

    def __init__(
        self, session: Session, tell: Callable[[Json], None], changed: Callable[[], None]
    ) -> None:
        self._session, self._tell, self._changed = session, tell, changed
        self._task: asyncio.Task[None] | None = None
        self._worker: BotWorker | None = None
        self._plan: deque[Action] = deque()
        self._planned: object = None
        self._effective = self._idle = self._steps = 0
        self._paced = Pace()

    # What windows ask for.

    def receive(self, message: Json, re: str | None) -> None:
        """Play, pause or step, or change the bot, its speed and whether it goes on.

        Raises:
            SapperError: If it cannot be done; nothing has changed then.
        """
        session, auto = self._session, self._session.automatic
        do = text_of(message, "do", ("play", "pause", "step")) if "do" in message else ""
        if do and session.assist.mode != "automatic":
            raise BadMessage("a bot plays in the mode automatic; choose it first")
        if do == "step" and session.game.over:
            raise IllegalAction(f"there is no step to take: the game is {session.game.status}")
        before = auto.bot
        auto.change(message)
        if auto.bot != before:
            self._plan.clear()
            auto.problem, auto.alone = None, not session.game.log
        if do:
            auto.problem = None
            auto.running = do == "play"
            self._steps = self._steps + 1 if do == "step" else 0
        if do == "play" and session.game.over:
            self._next_game(re)
        self._go()
        self._tell_state(re)

    def interrupts(self, kind: str, re: str | None) -> bool:
        """Pause for what a player does; gives whether the pause is all that comes of it."""
        # Under the pointer the board was changing: a click was not meant for what is there now.
        swallowed = kind in _MOVES
        stops = self._session.automatic.running and (swallowed or kind in _OTHERS)
        if stops:
            self.pause(re if swallowed else None)
        return stops and swallowed

    def pause(self, re: str | None = None) -> None:
        """Let the bot play no further."""
        self._session.automatic.running = False
        self._steps = 0
        self._go()
        self._tell_state(re)

    def noticed(self, kind: str) -> None:
        """Take note of a message that was answered."""
        session, auto = self._session, self._session.automatic
        if session.assist.mode != "automatic":
            auto.running = auto.thinking = False
        if kind in _MOVES | _OTHERS:
            auto.alone, auto.choice = False, None
        self._go()

    def drawn(self, turn: int) -> None:
        """A window has drawn the board as it was at a turn."""
        self._paced.drawn(turn)

    # How it plays.

    def _go(self) -> None:
        self._paced.stir()
        if self._task is None and self._wanted():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def _wanted(self) -> bool:
        auto = self._session.automatic
        return self._session.assist.mode == "automatic" and (auto.running or self._steps > 0)

    def _now(self) -> object:
        """Differs from what it was whenever anything was done to the game."""
        return self._session.key, len(self._session.game.log)

    async def _run(self) -> None:
        try:
            while self._wanted():
                if not self._ready():
                    await self._think()
                    continue
                self._act()
                if self._session.game.over:
                    await self._look()
                    continue
                # Thinking ahead, so that one sees what comes next.
                if not self._ready():
                    await self._think()
                await self._pace()
        except SapperError as problem:
            self._stop(str(problem))
        except Exception:
            _log.exception("a bot could not play on")
            self._stop("something went wrong on the server; the game is as it was")
        finally:
            self._task = None

    def _stop(self, problem: str) -> None:
        auto = self._session.automatic
        auto.running = auto.thinking = False
        auto.problem = f"{problem[:1].upper()}{problem[1:]}."
        self._steps = 0
        self._plan.clear()
        # What has failed once is made anew.
        self._worker = None
        self._tell_state()

    def _ready(self) -> bool:
        return bool(self._plan) and self._planned == self._now()

    async def _think(self) -> None:
        """Ask the bot what to do now, unless the game went on meanwhile."""
        session, game = self._session, self._session.game
        worker = self._worker
        if worker is None or worker.name != session.automatic.bot:
            worker = self._worker = BotWorker(session.automatic.bot)
        now, seed = self._now(), substream(game.seed, "bot")
        before = game.clock.solver_s
        game.clock.solver.start()
        asked = asyncio.ensure_future(worker.choose(game.position, game.level, session.key, seed))
        try:
            if not (await asyncio.wait({asked}, timeout=_SHORT_S))[0]:
                session.automatic.thinking = True
                self._tell_state()
            choice, seconds = await asked
        finally:
            session.automatic.thinking = False
            game.clock.solver.stop()
        # Without the way to the thread and back, which is no thinking.
        game.clock.solver.set(before + seconds)
        if now == self._now() and worker.name == session.automatic.bot:
            self._take(choice)

    def _take(self, choice: Choice) -> None:
        session = self._session
        session.automatic.chose(choice, session.game.position.topology)
        self._plan, self._planned, self._effective = deque(choice.actions), self._now(), 0
        if not self._plan:
            self._fruitless()
        self._tell_state()

    def _act(self) -> None:
        """Do the next action of the plan that changes anything, and tell of it."""
        session, game = self._session, self._session.game
        session.help("bot")
        action, done = self._plan[0], False
        while self._plan and not done:
            action = self._plan.popleft()
            done = self._do(action)
        self._planned = self._now()
        if not done:
            if not self._effective:
                self._fruitless()
            return
        self._effective += 1
        self._steps = max(0, self._steps - 1)
        self._paced.acted()
        assert action.cell is not None
        bot = session.automatic.bot
        self._tell(move_message(session, _KINDS[action.kind], action.cell, True, bot=bot))
        if game.over:
            session.automatic.ended(game.status is Status.WON, GameSettings.of(game))
        self._changed()

    def _do(self, action: Action) -> bool:
        """Do one action; gives whether it did anything."""
        game, bot = self._session.game, self._session.automatic.bot
        done = game.play(action)
        opens = action.kind in (ActionKind.OPEN, ActionKind.CHORD)
        self._idle = 0 if done and opens else self._idle + done
        if self._idle > 2 * game.level.shape().size:
            self._idle = 0
            raise BotFailed(f"the bot {bot} sets and takes off marks without an end")
        return done

    def _fruitless(self) -> None:
        raise BotFailed(f"the bot {self._session.automatic.bot} chose nothing that does anything")

    async def _look(self) -> None:
        """Stay a moment at the end of a game; then go on with another one, or stop."""
        session, auto, key = self._session, self._session.automatic, self._session.key
        self._steps = 0
        auto.running = auto.running and auto.loop
        self._tell_state()
        if auto.running:
            await self._pace(_LOOK_S if auto.delay_ms else 0.0)
        if not session.game.over or session.key != key:
            return
        if auto.running and auto.loop:
            self._next_game()
        elif auto.running:
            self.pause()

    def _next_game(self, re: str | None = None) -> None:
        session = self._session
        session.set_game(session.next_settings.game())
        self._tell(session.told_all(re))
        self._changed()

    async def _pace(self, rest_s: float = 0.0) -> None:
        """Wait for the next action, unless a step is asked for or the game is another one."""
        session, key = self._session, self._session.key
        await self._paced.wait(
            lambda: self._wanted() and not self._steps and session.key == key,
            lambda: max(session.automatic.delay_ms / 1000, rest_s),
            lambda: session.turn,
        )

    def _tell_state(self, re: str | None = None) -> None:
        session = self._session
        told = {"automatic": session.automatic.told(), "clock": session.clock_told()}
        self._tell({"type": "automatic", "re": re, **told})
