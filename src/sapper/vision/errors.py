"""Errors while reading or playing. All are `SapperError`, which commands print on one line."""

from __future__ import annotations

from enum import StrEnum

from sapper.errors import SapperError

__all__ = ["Cause", "Contradictory", "NoBoard", "NoWindow", "PlayStopped", "Unreadable"]


class Cause(StrEnum):
    """The reason why a bot stopped. `sapper bot` prints the reason with one option to try."""

    NO_SCREEN = "no-screen"
    """There is no display, or it does not allow pictures or clicks."""
    NO_BROWSER = "no-browser"
    """No browser can be started."""
    NO_PAGE = "no-page"
    """The URL cannot be loaded."""
    NO_BOARD = "no-board"
    """No board is visible, or only a part of one."""
    SEVERAL = "several"
    """Several windows show a board."""
    NO_THEME = "no-theme"
    """No theme reads the board."""
    NOT_LEARNED = "not-learned"
    """The looks of the cells could not be learned."""
    UNREADABLE = "unreadable"
    """A cell matches no known look."""
    CONTRADICTION = "contradiction"
    """The numbers read contradict each other, the mine total, or the end of the game."""
    NO_EFFECT = "no-effect"
    """Clicks change nothing."""
    NO_NEW_GAME = "no-new-game"
    """The game is over and no new game starts."""
    COVERED = "covered"
    """Another window covers the board."""
    OFF_SCREEN = "off-screen"
    """Part of the board is outside the screen."""
    RESIZED = "resized"
    """The window or terminal was resized."""
    CLOSED = "closed"
    """The window was closed, or the program ended."""
    POINTER = "pointer"
    """The user moved the pointer."""
    KEY = "key"
    """A key is not available."""
    CURSOR = "cursor"
    """The cursor of a text-mode program is not where it should be."""
    DISAGREES = "disagrees"
    """The program reports a different result from the one that the bot read."""
    BOT = "bot"
    """The bot has no move, makes no progress, or raised an error."""
    OTHER = "other"


class _Stopped(SapperError):
    """An error with a cause.

    Attributes:
        cause: The cause.
    """

    cause = Cause.OTHER

    def __init__(self, message: str, cause: Cause | None = None) -> None:
        super().__init__(message)
        if cause is not None:
            self.cause = cause


class NoBoard(_Stopped, ValueError):
    """No board was found in a picture."""

    code = "no_board"
    cause = Cause.NO_BOARD


class Unreadable(_Stopped, ValueError):
    """Cells match no known look; their contents are not guessed.

    Attributes:
        cells: The cells as (row, col), worst first.
    """

    code = "unreadable"
    cause = Cause.UNREADABLE

    def __init__(
        self,
        message: str,
        cells: tuple[tuple[int, int], ...] = (),
        cause: Cause | None = None,
    ) -> None:
        super().__init__(message, cause)
        self.cells = cells


class Contradictory(Unreadable):
    """All cells were read, but their numbers contradict each other."""

    cause = Cause.CONTRADICTION


class NoWindow(_Stopped):
    """There is no window to play in, or it was closed."""

    code = "no_window"
    cause = Cause.CLOSED


class PlayStopped(_Stopped):
    """The bot must not continue, for example because the window is covered."""

    code = "play_stopped"
