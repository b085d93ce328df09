"""The interface of a program to a player: read the board, click, start a new game."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Protocol

from sapper._util.shortening import joined
from sapper.topology import Cell
from sapper.vision.errors import Contradictory, Unreadable
from sapper.vision.geometry import Image
from sapper.vision.patience import Patience
from sapper.vision.reading import Reading

__all__ = ["PATIENCE", "STILL", "Surface", "await_still", "wait_for"]

PATIENCE = 6.0
"""Seconds after which a program counts as unresponsive."""
STILL = 0.03
"""Seconds for which the board must stay unchanged, since pictures of an animation differ."""
_RESTLESS = 5
"""Longest time that a board may keep changing, as a multiple of the patience."""


class Surface(Protocol):
    """A program's board as the player sees it."""

    @property
    def name(self) -> str:
        """Name of the program."""

    @property
    def flags_win(self) -> bool:
        """Whether a game is won only once all mines are flagged."""

    @property
    def message(self) -> float:
        """Seconds for which the program's messages cover the board."""

    hold: float
    """Seconds for which clicks hold the button down; increase it if clicks have no effect."""

    def look(self) -> Reading:
        """Return the current contents of the board.

        Raises:
            PlayStopped: If the board is covered or the user moved the pointer.
            NoWindow: If the window was closed.
        """

    def open(self, cell: Cell) -> None:
        """Click to open a cell."""

    def flag(self, cell: Cell) -> None:
        """Click to set or remove a flag."""

    def begin(self, attempt: int) -> bool:
        """Request a new game by the method with this number; return False if there is none."""

    def uncover(self, attempt: int) -> bool:
        """Close elements that the program draws over its board, by the method with this number.

        Returns:
            False if there is no such way.
        """

    def total(self) -> int | None:
        """Return the mine total shown by the program, if it can be read with certainty."""

    def picture(self, cell: Cell) -> Image | None:
        """Return a cell's picture from the last look; None for programs without pictures."""


def wait_for(look: Callable[[], Reading], done: Callable[[Reading], bool], seconds: float) -> bool:
    """Look at the board until `done` returns true; return False on timeout."""
    patience = Patience(seconds)
    while True:
        if done(look()):
            return True
        if patience.is_over():
            return False
        patience.pause()


def await_still(
    look: Callable[[], Reading],
    accepted: Callable[[Reading], bool],
    still: float = STILL,
    seconds: float = PATIENCE,
) -> Reading:
    """Return the board once it is readable and has not changed for `still` seconds.

    Raises:
        Unreadable: If the board is not readable in time.
    """
    restless = Patience(_RESTLESS * seconds)
    last, since, patience = look(), monotonic(), Patience(seconds)
    while True:
        patience.pause()
        now = look()
        if now.looks != last.looks or (now.confidence != last.confidence).any():
            last, since, patience = now, monotonic(), Patience(seconds)
        elif monotonic() - since >= still and accepted(now):
            return now
        elif patience.is_over():
            raise _unreadable(now)
        if restless.is_over():
            raise _unreadable(now)


def _unreadable(reading: Reading) -> Unreadable:
    problem = "the board cannot be read"
    if not reading.unreadable:
        return Contradictory(f"{problem}: its numbers contradict each other, or the mine total")
    return Unreadable(
        f"{problem}: cells {joined(reading.unreadable)} match no look of theme {reading.theme!r}",
        reading.unreadable,
    )
