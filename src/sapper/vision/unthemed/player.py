"""Play with a bot while learning the looks of cells."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from sapper._util.shortening import shown
from sapper.errors import SapperError
from sapper.position import FLAGGED, UNOPENED
from sapper.solver.bots import Bot
from sapper.vision.boards import find_board
from sapper.vision.errors import Cause, Contradictory, NoBoard, NoWindow, PlayStopped, Unreadable
from sapper.vision.playing.log import Log
from sapper.vision.playing.player import Player, WindowGame
from sapper.vision.screen import Screen, Window
from sapper.vision.theme import save_theme
from sapper.vision.unthemed.explorer import Explorer
from sapper.vision.unthemed.log import LearningLog
from sapper.vision.unthemed.surface import UnthemedSurface

__all__ = ["UnthemedPlayer", "choose_board"]

_LEARNING = 30
"""Maximum number of training games."""
_BLURRED = 10
"""Number of games after which to draw the page with more pixels if not even a 1 has a name."""
_LEFT = (UNOPENED + FLAGGED).encode()
_INTERRUPTED = 10
"""Maximum number of new looks that may interrupt the bot before it finishes a game."""


class UnthemedPlayer(Player):
    """Plays like `Player`, but needs no theme.

    The common looks are learned first. If the bot then meets an unnamed look, its game does not
    count: logic alone continues it until the look is named. If numbers contradict each other, at
        least one name is wrong, and all names are learned again.

    Args:
        surface: The window.
        bot: The bot.
        mines: The mine total, if known.
        log: Log of the bot's games; training games are logged next to it.
        tell: Called with a message after each training game.
        keep: TOML file to write the learned theme to.
    """

    def __init__(
        self,
        surface: UnthemedSurface,
        bot: Bot,
        mines: int | None = None,
        log: Log | None = None,
        tell: Callable[[str], None] = lambda _: None,
        keep: Path | None = None,
    ) -> None:
        super().__init__(surface, bot, mines, log)
        self._notes = LearningLog(None if log is None else log.folder)
        self.explorer = Explorer(surface, tell=tell, log=self._notes)
        self._window, self._tell, self._keep = surface, tell, keep

    def play(self) -> WindowGame:
        """Play one game to its end, after as many training games as needed.

        Raises:
            PlayStopped: If the looks cannot be learned, or play must stop.
            Unreadable: If the numbers contradict the mine total under every meaning of the looks.
            NoWindow: If the window was closed.
        """
        self._learn()
        learned_again = False
        for _ in range(_INTERRUPTED):
            try:
                outcome = super().play()
            except Unreadable as problem:
                if isinstance(problem, Contradictory):
                    if learned_again:
                        raise
                    learned_again = True
                    self.explorer.forget()
                self._learn(interrupted=True)
            else:
                self._save()
                if outcome.result == "won":
                    left = sum(cell in _LEFT for cell in outcome.position.cells)
                    self._window.counter.win(left)
                return outcome
        raise PlayStopped(f"{_INTERRUPTED} games in a row showed unknown looks", Cause.NOT_LEARNED)

    def _learn(self, *, interrupted: bool = False) -> None:
        """Learn the missing looks after a game that the bot could not continue."""
        try:
            if interrupted:
                self.explorer.finish()
                self.explorer.begin()
            if self._names_nothing() and self._window.sharpen():
                self._tell("the looks of these cells cannot be told apart: trying with more pixels")
                self.explorer = Explorer(self._window, tell=self._tell, log=self._notes)
            self.explorer.learn(_LEARNING)
        except SapperError as problem:
            self._notes.stop(problem)
            raise
        self._save()

    def _names_nothing(self) -> bool:
        """Return whether even the look of a 1 is still unknown after many games."""
        with suppress(PlayStopped):
            self.explorer.learn(_BLURRED)
        return self.explorer.games >= _BLURRED and "1" not in self.explorer.names

    def _save(self) -> None:
        if self._keep is not None:
            theme = replace(self._window.theme, name=self._keep.stem)
            save_theme(theme, self._keep.parent)


def choose_board(screen: Screen, title: str | None = None) -> Window:
    """Return the window that shows a board, whatever its cells look like.

    Raises:
        NoWindow: If no window or several windows show a board.
    """
    windows = []
    for window in screen.windows():
        name = f"{window.title}\n{window.kind}".lower()
        if title is not None and title.lower() not in name:
            continue
        try:
            find_board(screen.capture(screen.box(window)), grids=screen.grids(window))
        except (NoBoard, PlayStopped):
            continue
        windows.append(window)
    if len(windows) == 1:
        return windows[0]
    which = "" if title is None else f" with {shown(title)} in its title"
    names = ", ".join(repr(window.title) for window in windows)
    if not windows and screen.sharpen():
        return choose_board(screen, title)
    if not windows:
        raise NoWindow(f"no window{which} shows a board", Cause.NO_BOARD)
    raise NoWindow(f"several windows{which} show a board: {names}", Cause.SEVERAL)
