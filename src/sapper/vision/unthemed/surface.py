"""A window that is played while its looks are still being learned."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic, sleep

import numpy as np

from sapper.topology import Cell, Topology, topology
from sapper.vision.errors import PlayStopped
from sapper.vision.geometry import find_geometry
from sapper.vision.playing.window import WindowSurface
from sapper.vision.reading import Reading, read
from sapper.vision.screen import Box, Screen, Window
from sapper.vision.theme import Habits, Sheet, Theme
from sapper.vision.unthemed.gallery import Gallery, Looks

__all__ = ["UnthemedSurface"]

_REACTION = 0.15
"""Seconds in which most programs have done what a click asks for."""
_HELD = 0.5
"""Seconds after which the pointer stays where it is."""


class UnthemedSurface(WindowSurface):
    """A window of which only the geometry is known; its theme grows as looks are named.

    Args:
        screen: The screen that it stands on.
        window: The window, which shows a board most of whose cells are unopened.
        name: What its theme is called.
    """

    def __init__(self, screen: Screen, window: Window, name: str = "none") -> None:
        super().__init__(screen, window, Theme(name, ()))
        box = screen.box(window)
        image = screen.capture(box)
        self._at = self._home = find_geometry(image)
        self._size = self._home_size = (box.width, box.height)
        self._gallery = Gallery(self._home.size)
        self.unopened = int(np.bincount(self._gallery.tell(image, self._home)).argmax())
        self.last_click: tuple[Looks, int] | None = None
        """The looks before the last left click, and its cell by index."""
        ways = screen.new_game_ways(window)
        kind = window.kind.split()[-1:] or [window.title]
        self._theme = Theme(name, (), tuple(kind), habits=Habits(new=ways))
        self.name_looks({self.unopened: "."})

    @property
    def theme(self) -> Theme:
        """What is known about the program."""
        return self._theme

    @property
    def shape(self) -> Topology:
        """The board's topology."""
        return topology("rectangle", self._home.columns, self._home.rows)

    @property
    def ways(self) -> int:
        """Number of ways to ask for a new game."""
        return len(self._theme.habits.new)

    def name_looks(self, names: dict[int, str]) -> None:
        """Use these looks for reading from now on."""
        looks = "".join(names.values())
        cells = np.stack([self._gallery.pictures[number] for number in names])
        self._theme = replace(self._theme, sheets=(Sheet(looks, cells),))

    def keep_way(self, attempt: int) -> None:
        """Record that this way of asking for a new game works."""
        ways = self._theme.habits.new
        habits = replace(self._theme.habits, new=(ways[attempt % len(ways)],))
        self._theme = replace(self._theme, habits=habits)

    def looks(self) -> Looks:
        """Return the looks of the cells now, named or not."""
        self.look()
        assert self._seen is not None
        return self._gallery.tell(*self._seen)

    def open(self, cell: Cell) -> None:
        """Left-click in the middle of the cell."""
        before, at = self.looks(), self.shape.index(cell)
        self.last_click = before, at
        super().open(cell)
        self._park(at, before)

    def flag(self, cell: Cell) -> None:
        """Right-click in the middle of the cell."""
        before = self.looks()
        super().flag(cell)
        self._park(self.shape.index(cell), before)

    def _park(self, cell: int, before: Looks) -> None:
        """Move the pointer next to the board: many programs draw the cell under it differently.

        Some undo a click if the pointer moves away at once, so wait a little.
        """
        deadline = monotonic() + _REACTION
        while monotonic() < deadline and self.looks()[cell] == before[cell]:
            sleep(0.002)
        box = self._screen.box(self._window)
        x, y = (max(0, int(side) - 3) for side in (self._home.x, self._home.y))
        self._move(box.x + x, box.y + y)
        # A window manager may hold the pointer for a moment after a click.
        deadline = monotonic() + _HELD
        while self._left != (box.x + x, box.y + y) and monotonic() < deadline:
            sleep(0.002)
            self._left = self._screen.pointer()

    def begin(self, attempt: int) -> bool:
        """Ask for a new game in the way of this number."""
        self.last_click = None
        return super().begin(attempt)

    def _find(self, box: Box) -> Reading:
        if (box.width, box.height) != self._home_size:
            raise PlayStopped("the window was resized while its looks were being learned")
        image = self._screen.capture(box)
        self._at = self._home
        self._seen = image, self._home
        return read(image, self._theme, self._home)

    def _found_again(self, box: Box, reading: Reading) -> Reading:
        # Unreadable cells are what is learned from here.
        return reading
