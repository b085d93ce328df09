"""Clicks in a window when the screen is slow."""

from __future__ import annotations

from typing import Any

import pytest

from sapper.vision import PlayStopped
from sapper.vision.playing.window import WindowSurface


class SlowScreen:
    """A screen that shows the pointer's new position only at the third request."""

    def __init__(self) -> None:
        self.at, self._next, self._asked = (0, 0), (0, 0), 0

    def move(self, x: int, y: int) -> None:
        self._next, self._asked = (x, y), 0

    def pointer(self) -> tuple[int, int]:
        self._asked += 1
        if self._asked == 3:
            self.at = self._next
        return self.at


@pytest.fixture
def surface() -> Any:
    """The part of a window's surface that moves the pointer."""
    made: Any = WindowSurface.__new__(WindowSurface)
    made._screen, made._left = SlowScreen(), None
    return made


def test_late_pointer_is_not_a_user_move(surface: Any) -> None:
    """On a busy machine, the window manager may delay the pointer."""
    for place in ((5, 5), (9, 2)):
        surface._move(*place)
        assert surface._left == place


def test_moved_pointer_stops_the_game(surface: Any) -> None:
    """If the user moves the pointer, the bot stops."""
    surface._move(5, 5)
    surface._screen.at = (80, 80)
    with pytest.raises(PlayStopped, match="the pointer was moved"):
        surface._move(9, 2)
