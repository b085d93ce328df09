"""Why reading or playing stopped. All are `SapperError`, which commands print as one line."""

from __future__ import annotations

from sapper.errors import SapperError

__all__ = ["Contradictory", "NoBoard", "NoWindow", "PlayStopped", "Unreadable"]


class NoBoard(SapperError, ValueError):
    """No board was found in a picture."""

    code = "no_board"


class Unreadable(SapperError, ValueError):
    """Cells match no known look; they are not guessed.

    Attributes:
        cells: The cells as (row, col), worst first.
    """

    code = "unreadable"

    def __init__(self, message: str, cells: tuple[tuple[int, int], ...] = ()) -> None:
        super().__init__(message)
        self.cells = cells


class Contradictory(Unreadable):
    """All cells were read, but their numbers contradict each other."""


class NoWindow(SapperError):
    """No window to play in, or it is gone."""

    code = "no_window"


class PlayStopped(SapperError):
    """The bot must not continue: the window is covered, the user moved the pointer, ..."""

    code = "play_stopped"
