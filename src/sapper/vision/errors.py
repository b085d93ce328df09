"""Why reading or playing stopped. All are `SapperError`, which commands print as one line."""

from __future__ import annotations

from sapper.errors import SapperError

__all__ = ["Contradictory", "NoBoard", "NoWindow", "PlayStopped", "Unreadable"]


class NoBoard(SapperError, ValueError):
    """A picture in which no board can be found."""

    code = "no_board"


class Unreadable(SapperError, ValueError):
    """Cells that look like nothing known; guessing at them is refused.

    Attributes:
        cells: The cells as (row, col), worst first.
    """

    code = "unreadable"

    def __init__(self, message: str, cells: tuple[tuple[int, int], ...] = ()) -> None:
        super().__init__(message)
        self.cells = cells


class Contradictory(Unreadable):
    """Cells that were all read, but whose numbers cannot be true together."""


class NoWindow(SapperError):
    """No window to play in, or it is gone."""

    code = "no_window"


class PlayStopped(SapperError):
    """Playing on would be wrong: the window is covered, the user took the pointer, ..."""

    code = "play_stopped"
