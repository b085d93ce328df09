"""Play entire games: read the board, get the bot's choice, click, and check every click."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

from sapper._util.interrupt import noticed
from sapper._util.shortening import joined
from sapper.actions import Action, ActionKind
from sapper.errors import BotFailed, InconsistentPosition, SapperError
from sapper.generation import new_seed
from sapper.position import FLAGGED, UNOPENED, Position
from sapper.rules import Level
from sapper.simulation import BotRunner
from sapper.solver.bots import Bot, Choice
from sapper.solver.exact import Solver
from sapper.vision.errors import Cause, PlayStopped, Unreadable
from sapper.vision.looks import to_cells
from sapper.vision.patience import HOLDS
from sapper.vision.playing.log import Log
from sapper.vision.playing.mine_total import MineTotal
from sapper.vision.playing.steady import SteadyBoard
from sapper.vision.playing.surface import PATIENCE, Surface, wait_for
from sapper.vision.reading import SURE, Reading

__all__ = ["Player", "WindowGame"]

_NEW_BOARD_S = 0.15
"""Seconds for which a new board must stay unchanged, so that the old one is completely gone."""
_NUMBERS = b"012345678"
_COVERED = (UNOPENED + FLAGGED).encode()


@dataclass(frozen=True, slots=True)
class WindowGame:
    """The result of a game.

    Attributes:
        result: ``won`` or ``lost``.
        position: The final position of the board.
        clicks: Number of clicks.
        guesses: Number of choices that the bot marked as guesses.
        risks: The bot's predicted risks of those guesses.
        total_from: Source of the mine total: ``told`` if given by the caller, ``read`` if read from
            the program, None if unknown.
        seconds: Duration in seconds.
    """

    result: str
    position: Position
    clicks: int
    guesses: int
    risks: tuple[float, ...]
    total_from: str | None = None
    seconds: float = 0.0


class _NoEffect(PlayStopped):
    """Clicks on a cell have no effect."""

    cause = Cause.NO_EFFECT


class Player:
    """Plays games in another program with a bot.

    Args:
        surface: The program.
        bot: The bot.
        mines: The mine total; None reads it from the program if possible.
        log: Log of the games.
        warn: Called with a message if the program shows a different total from `mines`.
        name: Name of the bot in errors (default: its class).
    """

    def __init__(
        self,
        surface: Surface,
        bot: Bot,
        mines: int | None = None,
        log: Log | None = None,
        warn: Callable[[str], None] | None = None,
        name: str | None = None,
    ) -> None:
        self._surface = surface
        self._runner = BotRunner(bot, name)
        self._total = MineTotal(surface, mines, warn)
        self._log = log or Log(None)
        self._board = SteadyBoard(surface, self._total, self._log)
        self._clicks = 0
        self._last_opened: int | None = None
        self._solver = Solver()

    def play(self) -> WindowGame:
        """Play one game to its end; start a new game if the current one is over.

        Raises:
            BotFailed: If the bot raises an exception or its choice is invalid.
            PlayStopped: If a click has no effect, the board is covered, or the user took over.
            Unreadable: If a cell cannot be read; a picture of it is in the log.
            NoWindow: If the window was closed.
        """
        try:
            return self._play()
        except SapperError as problem:
            self._log.stop(problem, self._board.last_position)
            raise
        except KeyboardInterrupt:
            noticed.set()
            self._log.end("stopped", self._board.last_position, reason="interrupted")
            raise

    def _play(self) -> WindowGame:
        self._board.last_position, self._clicks, self._last_opened = None, 0, None
        began = monotonic()
        reading = self._fresh()
        position = self._board.position(reading)
        # Use a new seed for each game, or a bot with random choices would repeat itself.
        seed = new_seed()
        self._runner.begin(Level(position.width, position.height, position.mines), seed)
        self._log.begin(
            bot_seed=seed,
            program=self._surface.name,
            theme=reading.theme,
            width=position.width,
            height=position.height,
            mines=position.mines,
            mines_from=self._total.source,
        )
        risks: list[float] = []
        guesses = 0
        while (result := self._result(reading, position)) is None:
            choice = self._choose(position)
            if choice.guess and position.mines is None and _opened(position):
                # The program may have been too busy to show the total at the beginning.
                self._total.read()
                if self._total.value is not None:
                    position = self._board.position(reading)
                    choice = self._choose(position)
            self._log.move(position, choice)
            guesses += choice.guess
            if choice.guess and choice.risk is not None:
                risks.append(choice.risk)
            clicks = self._clicks
            try:
                self._do(choice, position)
            except _NoEffect:
                if not self._all_mines(position, certain=False):
                    raise
                # Clicks have no effect and all remaining cells may be mines, so the program must
                # count the game as won.
                result = "won"
                break
            reading, before = self._board.read(), position
            position = self._board.position(reading)
            opened = position.cells != before.cells and _opened(position) > _opened(before)
            stuck = self._runner.settle(self._clicks - clicks, opened=opened)
            if stuck and self._result(reading, position) is None:
                raise PlayStopped("the bot is stuck: it opens no cell", Cause.BOT)
        self._log.end(result, position, clicks=self._clicks)
        seconds = monotonic() - began
        source = self._total.source
        return WindowGame(result, position, self._clicks, guesses, tuple(risks), source, seconds)

    def _fresh(self) -> Reading:
        """Return a playable board: the current one, or that of a new game."""
        self._total.forget()
        try:
            reading = self._board.read()
        except Unreadable:
            # The mine total given by the caller may be wrong, so report the displayed one too.
            self._total.read()
            raise
        # Do not wait for the total, which may be hidden at the end of a game.
        if self._total.at_the_end is None or not self._is_over(reading):
            self._total.read()
        attempt = 0
        while self._is_over(reading):
            self._board.last_position = None
            self._total.forget()
            if not self._surface.begin(attempt):
                raise PlayStopped(
                    "the game is over, and no new game could be started", Cause.NO_NEW_GAME
                )
            attempt += 1
            wait_for(self._surface.look, _other_than(reading), PATIENCE / 3)
            reading = self._board.read(_NEW_BOARD_S)
            self._total.read()
        return reading

    def _is_over(self, reading: Reading) -> bool:
        """Return whether the board shows the end of a game."""
        position = replace(self._board.position(reading), mines=self._total.at_the_end)
        return self._result(reading, position) is not None

    def _result(self, reading: Reading, position: Position) -> str | None:
        """Return the result of the game, or None if it is not over."""
        if reading.shows_mines:
            # Some programs show the mines even after a win, but then the last click shows a number.
            last = self._last_opened
            return "lost" if last is None or reading.looks[last] not in _NUMBERS else "won"
        covered = sum(cell in _COVERED for cell in position.cells)
        left = position.cells.count(UNOPENED.encode())
        if position.mines is None:
            # Many programs flag the mines of a won game; others leave them as they are.
            opened = left == 0 or self._all_mines(position)
        else:
            opened = covered == position.mines
        won = opened and (left == 0 or not self._surface.flags_win)
        return "won" if won else None

    def _all_mines(self, position: Position, *, certain: bool = True) -> bool:
        """Return whether all unopened cells are mines or, if the total is unknown, may be mines."""
        has_total = position.mines is not None or self._surface.flags_win
        if has_total or not _opened(position):
            return False
        try:
            if certain:
                analysis = self._solver.analyze(position)
                return len(analysis.mined) == position.cells.count(UNOPENED.encode())
            covered = sum(cell in _COVERED for cell in position.cells)
            self._solver.analyze(replace(position, mines=covered))
        except InconsistentPosition:
            return False
        return True

    def _choose(self, position: Position) -> Choice:
        try:
            choice = self._runner.choose(position)
        except BotFailed as failed:
            if isinstance(failed.__cause__, InconsistentPosition):
                raise PlayStopped(
                    f"the position read is impossible: {failed.__cause__}", Cause.CONTRADICTION
                ) from None
            raise
        if not choice.actions:
            raise PlayStopped("the bot has no move", Cause.BOT)
        return choice

    def _do(self, choice: Choice, position: Position) -> None:
        """Perform the choice; each click must take effect before the next one."""
        looks = position.cells
        for action in choice.actions:
            index = position.topology.index(action.cell or (-1, -1))
            # The cell may already be open as part of an opening.
            if action.kind is ActionKind.OPEN and looks[index] not in _COVERED:
                continue
            reading = self._click(action, index, looks[index])
            looks = to_cells(reading.looks)
            if reading.shows_mines:
                return

    def _click(self, action: Action, index: int, before: int) -> Reading:
        assert action.cell is not None
        readings: list[Reading] = []

        def changed(now: Reading) -> bool:
            readings[:] = [now]
            sure = now.confidence.ravel()[index] >= SURE
            return (sure and to_cells(now.looks)[index] != before) or now.shows_mines

        usual = self._surface.hold
        for seconds in HOLDS:
            self._clicks += 1
            self._surface.hold = max(usual, seconds)
            if action.kind is ActionKind.OPEN:
                self._last_opened = index
                self._surface.open(action.cell)
            elif action.kind is ActionKind.FLAG:
                self._surface.flag(action.cell)
            else:
                raise PlayStopped(
                    f"a bot can only open and flag here, got {action.kind}", Cause.BOT
                )
            attempt = 0
            while not wait_for(self._surface.look, changed, PATIENCE / len(HOLDS)):
                if not (self._board.is_covered(readings[0]) and self._surface.uncover(attempt)):
                    break
                attempt += 1
            else:
                return readings[0]
        self._surface.hold = usual
        if readings[0].unreadable:
            self._board.keep_pictures(readings[0])
            raise Unreadable(
                f"after the click on {action.cell}, cells cannot be read: "
                + joined(readings[0].unreadable),
                readings[0].unreadable,
            )
        raise _NoEffect(f"{len(HOLDS)} clicks on {action.cell} had no effect")


def _opened(position: Position) -> int:
    """Return the number of open cells."""
    return sum(cell not in _COVERED for cell in position.cells)


def _other_than(ended: Reading) -> Callable[[Reading], bool]:
    return lambda now: now.looks != ended.looks
