"""A bot on a board whose looks are learned before and during play."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from sapper.errors import SapperError
from sapper.position import FLAGGED, UNOPENED
from sapper.solver.bots import Bot
from sapper.vision.boards import find_board
from sapper.vision.errors import Cause, Contradictory, NoBoard, NoWindow, PlayStopped, Unreadable
from sapper.vision.playing.log import Log
from sapper.vision.playing.player import Outcome, Player
from sapper.vision.screen import Screen, Window
from sapper.vision.theme import save_theme
from sapper.vision.unthemed.explorer import Explorer
from sapper.vision.unthemed.log import LearningLog
from sapper.vision.unthemed.surface import UnthemedSurface

__all__ = ["UnthemedPlayer", "choose_board"]

_LEARNING = 30
"""The most games for learning."""
_BLURRED = 10
"""Games after which the page is drawn with more pixels, where not even a 1 has a name."""
_LEFT = (UNOPENED + FLAGGED).encode()
_INTERRUPTED = 10
"""The most new looks that may interrupt a bot's games before one is finished."""


class UnthemedPlayer(Player):
    """Plays like `Player`, but needs no theme.

    The common looks are learned first. Where the bot then meets one that has no name, its game
    is played on by logic alone until the look is named, and does not count. Where the numbers
    contradict each other, some look has a wrong name: all names are learned again, once.

    Args:
        surface: The window.
        bot: Who chooses.
        mines: The mine total, if it is known.
        log: Record of the bot's games; those played to learn are kept beside it.
        tell: Called with a line after each game that was played to learn.
        keep: The TOML file that the learned theme is written to.
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

    def play(self) -> Outcome:
        """Play one game to its end, after as many training games as needed.

        Raises:
            PlayStopped: If the looks cannot be learned, or continuing would be unsafe.
            Unreadable: If the numbers contradict the mine total, whatever the looks mean.
            NoWindow: If the window is gone.
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
        """Learn missing looks after a game that the bot could not continue."""
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
        """Return whether learning has not even found the look of a 1 after many games."""
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
        NoWindow: If none, or more than one, does.
    """
    found = []
    for window in screen.windows():
        said = f"{window.title}\n{window.kind}".lower()
        if title is not None and title.lower() not in said:
            continue
        try:
            find_board(screen.capture(screen.box(window)), grids=screen.grids(window))
        except (NoBoard, PlayStopped):
            continue
        found.append(window)
    if len(found) == 1:
        return found[0]
    which = "" if title is None else f" with {title!r:.60} in its title"
    names = ", ".join(repr(window.title) for window in found)
    if not found and screen.sharpen():
        return choose_board(screen, title)
    if not found:
        raise NoWindow(f"no window{which} shows a board", Cause.NO_BOARD)
    raise NoWindow(f"several windows{which} show a board: {names}", Cause.SEVERAL)
