"""A bot in a session's game: get its choices, and perform their actions one by one."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from sapper.actions import Action, ActionKind
from sapper.errors import BotFailed, IllegalAction
from sapper.game import Game, Status
from sapper.generation import substream
from sapper.position import Position
from sapper.rules import Settings
from sapper.server import limits
from sapper.server.jobs.errors import Superseded
from sapper.server.jobs.job_runner import Job, JobRunner
from sapper.server.jobs.snapshot import Snapshot
from sapper.server.protocol import Json
from sapper.server.session.game_settings import GameSettings
from sapper.server.session.moves import Moved, check_length, is_heavy_move, move_message
from sapper.server.session.session import Session
from sapper.simulation import BotRunner
from sapper.solver.bots import Choice, make_bot

__all__ = ["TIME_LIMIT_S", "BotPlay", "BotWorker"]

TIME_LIMIT_S: Final = 60.0
"""Time limit for a bot's choice in seconds."""

_Made = TypeVar("_Made")

_KINDS: Final = {
    ActionKind.OPEN: "open",
    ActionKind.CHORD: "chord",
    ActionKind.FLAG: "mark",
    ActionKind.QUESTION: "mark",
}

_SHORT_S: Final = 0.15
"""Thinking is shown only if it takes longer than this."""


class BotWorker:
    """A bot that is created and called in threads.

    The threads do not belong to a pool, so a bot that never answers blocks nothing, not even the
    server's exit.

    Args:
        name: Name of the bot in the registry.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._runner: BotRunner | None = None
        self._game: str | None = None

    async def choose(
        self, position: Position, settings: Settings, game: str
    ) -> tuple[Choice, float]:
        """Return the bot's choice in a position, and the seconds that it took.

        Args:
            position: The player's view.
            settings: The game's settings. Its seed determines the bot's separate seed.
            game: Identifies the game.

        Raises:
            BotFailed: If the bot fails or exceeds its time limit.
        """
        try:
            return await asyncio.wait_for(
                _aside(lambda: self._choose(position, settings, game)), TIME_LIMIT_S
            )
        except TimeoutError:
            raise self.failed(f"no answer within {TIME_LIMIT_S:g} seconds") from None

    def failed(self, reason: str) -> BotFailed:
        """Return the bot's error with its name."""
        return BotFailed(f"bot {self.name}: {reason}")

    def settle(self, done: int, *, opened: bool) -> None:
        """Report the effect of the last choice.

        Raises:
            BotFailed: If the bot is stuck.
        """
        if self._runner is not None and self._runner.settle(done, opened=opened):
            raise self.failed(
                "it sets and takes off marks without opening a cell"
                if done
                else "it chose nothing that does anything"
            )

    def _choose(self, position: Position, settings: Settings, game: str) -> tuple[Choice, float]:
        if self._runner is None:
            self._runner = BotRunner(make_bot(self.name), self.name)
        runner = self._runner
        if self._game != game:
            seed = substream(settings.seed, "bot")
            runner.begin(settings.level, seed, settings=replace(settings, seed=0))
            self._game = game
        before = runner.think_s
        return runner.choose(position), runner.think_s - before


async def _aside(work: Callable[[], _Made]) -> _Made:
    """Run work in a separate daemon thread and return the result."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[_Made] = loop.create_future()

    def settle(result: _Made | None, problem: BaseException | None) -> None:
        if done.cancelled():
            return
        if problem is not None:
            done.set_exception(problem)
        else:
            done.set_result(result)  # type: ignore[arg-type]  # made, as nothing was raised

    def run() -> None:
        result, problem = None, None
        try:
            result = work()
        except BaseException as raised:
            problem = raised
        # The server may have stopped in the meantime.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, result, problem)

    threading.Thread(target=run, name="bot-choice", daemon=True).start()
    return await done


class BotPlay:
    """Gets choices from the session's bot and performs their actions.

    Args:
        session: The session.
        runner: Runs the session's actions, the bot's and the player's, one at a time.
        wanted: Function that returns whether the bot should continue.
        acted: Called after each action that had an effect.
        tell_state: Called when the bot's displayed state has changed.
    """

    def __init__(
        self,
        session: Session,
        runner: JobRunner,
        wanted: Callable[[], bool],
        acted: Callable[[], None],
        tell_state: Callable[[], None],
    ) -> None:
        self._session, self._runner = session, runner
        self._wanted, self._done, self._tell_state = wanted, acted, tell_state
        self._worker: BotWorker | None = None
        self._plan: deque[Action] = deque()
        self._planned: object = None
        self._effective = 0
        self._opened = False

    def check_size(self) -> None:
        """Raise `IllegalAction` if the board is too big for bots."""
        if self._session.big:
            raise IllegalAction(
                f"bots play boards of at most {limits.SMALL_CELLS:,} cells here, "
                f"this one has {len(self._session.now.cells):,}"
            )

    def drop_plan(self) -> None:
        """Discard the planned actions."""
        self._plan.clear()

    def drop_worker(self) -> None:
        """Discard the planned actions and a failed bot; the next choice recreates it."""
        self._plan.clear()
        self._worker = None

    def ready(self) -> bool:
        """Whether an action is planned for the current position."""
        return bool(self._plan) and self._planned == self._now()

    async def think(self) -> None:
        """Get the bot's next choice and plan it, unless the game has changed."""
        session, game = self._session, self._session.game
        self.check_size()
        worker = self._worker
        if worker is None or worker.name != session.automatic.bot:
            worker = self._worker = BotWorker(session.automatic.bot)
        now = self._now()
        before = game.clock.solver_s
        game.clock.solver.start()
        position = session.now.position
        thinking = asyncio.ensure_future(worker.choose(position, game.settings, session.key))
        try:
            if not (await asyncio.wait({thinking}, timeout=_SHORT_S))[0]:
                session.automatic.thinking = True
                self._tell_state()
            choice, seconds = await thinking
        finally:
            session.automatic.thinking = False
            game.clock.solver.stop()
        # The time for passing work to the thread and back does not count as thinking time.
        game.clock.solver.set(before + seconds)
        if now == self._now() and worker.name == session.automatic.bot:
            self._take(choice)

    async def act(self) -> Json | None:
        """Perform planned actions up to the first one with an effect.

        Returns:
            The message about that action, empty if none had an effect; None if the game was
            replaced.
        """
        session, key = self._session, self._session.key

        def make() -> Job[tuple[int, int, Moved]]:
            if not self.ready() or not self._wanted():
                raise Superseded("the game changed while the bot was choosing")
            session.help("bot")
            actions = tuple(self._plan)
            return Job(
                partial(_first_effective, session.game, actions),
                lambda result: self._acted(actions, *result),
                is_heavy_move(session.game.settings, session.now, marks=_only_marks(actions)),
            )

        message = await self._runner.run(make)
        return message if session.key == key else None

    def settle(self) -> None:
        """Report the effect of a finished plan to the bot's worker; raise if the bot is stuck."""
        if not self._plan and self._worker is not None:
            self._worker.settle(self._effective, opened=self._opened)

    def _now(self) -> object:
        """Return a value that changes with every action in the game."""
        return self._session.key, self._session.now.actions

    def _take(self, choice: Choice) -> None:
        session = self._session
        session.automatic.chose(choice, session.now.position.topology)
        self._plan, self._planned = deque(choice.actions), self._now()
        self._effective, self._opened = 0, False
        self.settle()
        self._tell_state()

    def _acted(self, actions: Sequence[Action], effective: int, used: int, moved: Moved) -> Json:
        """Record the effect of planned actions; return the message, empty if there was none."""
        session, bot = self._session, self._session.automatic.bot
        action = actions[effective - 1]
        self._plan = deque(actions[used:])
        if not moved.done:
            session.replace_game(moved.game)
            session.now = moved.now
            self._planned = self._now()
            return {}
        self._effective += 1
        self._opened |= action.kind in (ActionKind.OPEN, ActionKind.CHORD)
        self._done()
        assert action.cell is not None
        message = move_message(session, _KINDS[action.kind], action.cell, moved, bot=bot)
        self._planned = self._now()
        if moved.now.over:
            won = moved.now.status is Status.WON
            session.automatic.ended(won, GameSettings.of(session.game))
        return message


def _first_effective(game: Game, actions: Sequence[Action]) -> tuple[int, int, Moved]:
    """Perform actions up to the first one with an effect, and later ones that have become void.

    The next choice is then known, and marked on the board, while the bot waits or is paused.

    Returns:
        The number of actions up to the first one with an effect, the number performed, and the
        effect.
    """
    done, effective = False, 0
    for action in actions:
        check_length(game)
        done, effective = game.play(action), effective + 1
        if done:
            break
    used = effective
    while used < len(actions) and not game.over and _opens_open_cell(game, actions[used]):
        check_length(game)
        game.play(actions[used])
        used += 1
    return effective, used, Moved(done, Snapshot.of(game), game)


def _opens_open_cell(game: Game, action: Action) -> bool:
    if action.kind is not ActionKind.OPEN or action.cell is None:
        return False
    return not game.position.is_unopened(action.cell)


def _only_marks(actions: Sequence[Action]) -> bool:
    return all(_KINDS.get(action.kind) == "mark" for action in actions)
