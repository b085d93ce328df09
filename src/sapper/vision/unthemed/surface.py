"""A window to play in while its looks are being learned."""

from __future__ import annotations

from dataclasses import replace
from time import sleep

import numpy as np

from sapper.topology import Cell, Topology, topology
from sapper.vision.boards import find_board
from sapper.vision.errors import Cause, PlayStopped
from sapper.vision.geometry import Image
from sapper.vision.patience import Patience
from sapper.vision.playing.surface import STILL
from sapper.vision.playing.window import WindowSurface
from sapper.vision.reading import Reading, read
from sapper.vision.screen import Box, Screen, Window
from sapper.vision.theme import INSET, TOLERANCE, Habits, Sheet, Theme
from sapper.vision.unthemed.counter import MineCounter
from sapper.vision.unthemed.gallery import Gallery, Looks

__all__ = ["UnthemedSurface"]

_REACTION = 0.15
"""Seconds in which most programs react to a click."""
_INSETS = (INSET, 0.08, 0.05, 0.03)
"""Shares of a cell that can be ignored at each side."""
_POINTER_DELAY_S = 0.5
"""Maximum time in seconds that a window manager holds the pointer after a click."""


class UnthemedSurface(WindowSurface):
    """A window with known geometry only; its theme grows as looks are named.

    Args:
        screen: The screen of the window.
        window: The window, with a board whose cells are mostly unopened.
        name: Name of the theme.
        new_game: Way to start a new game (default: the ways of the screen, tried in order).
        board: Number of the board in the window, counted from 1 (default: the largest).
    """

    def __init__(
        self,
        screen: Screen,
        window: Window,
        name: str = "none",
        *,
        new_game: tuple[str, ...] = (),
        board: int | None = None,
    ) -> None:
        super().__init__(screen, window, Theme(name, ()), board=board)
        self.last_click: tuple[Looks, int] | None = None
        """The looks before the last left click, and the index of its cell."""
        self._new_game = new_game
        self._begin_to_learn()

    def _begin_to_learn(self) -> None:
        """Find the board, and discard all looks except that of unopened cells."""
        screen, window, name = self._screen, self._window, self._theme.name
        box = screen.box(window)
        image = screen.capture(box)
        grids = screen.grids(window)
        self._at = self._home = find_board(image, self._number, grids)
        self._in_layout = self._home in grids
        self._size = self._home_size = (box.width, box.height)
        self._gallery = Gallery(self._home.size)
        self.unopened = int(np.bincount(self._gallery.look_numbers(image, self._home)).argmax())
        self.counter = MineCounter()
        self._answered = False
        self._looks: tuple[bytes, Looks] = b"", np.zeros(0, dtype=np.int64)
        self._worked = tuple[str, ...]()
        self._ways = self._all_ways()
        kind = window.kind.split()[-1:] or [window.title]
        self._theme = Theme(name, (), tuple(kind), habits=Habits(new=self._ways))
        self.name_looks({self.unopened: "."})

    def sharpen(self) -> bool:
        """Redraw the screen with more pixels and restart learning.

        Returns:
            False if that is not possible.
        """
        if not self._screen.sharpen():
            return False
        self.last_click = self._left = None
        self._begin_to_learn()
        return True

    @property
    def theme(self) -> Theme:
        """The theme learned so far."""
        return self._theme

    @property
    def shape(self) -> Topology:
        """The board's topology."""
        return topology("rectangle", self._home.columns, self._home.rows)

    @property
    def ways(self) -> int:
        """The number of ways to request a new game at the moment."""
        self._ways = self._all_ways()
        return len(self._ways)

    def _all_ways(self) -> tuple[str, ...]:
        """Return the way that worked before, twice, then the screen's current ways."""
        others = self._new_game or self._screen.new_game_ways(self._window)
        return (*self._worked, *self._worked, *(way for way in others if way not in self._worked))

    def name_looks(self, names: dict[int, str]) -> None:
        """Set the looks used for reading."""
        looks = "".join(names.values())
        cells = np.stack([self._gallery.pictures[number] for number in names])
        inset = _widest_inset(looks, cells)
        self._theme = replace(self._theme, sheets=(Sheet(looks, cells),), inset=inset)

    def keep_way(self, attempt: int) -> None:
        """Record that this way of requesting a new game works."""
        if self._answered:
            return
        way = self._ways[attempt % len(self._ways)]
        self._worked = tuple(dict.fromkeys((way, *self._worked)))
        habits = replace(self._theme.habits, new=self._worked)
        self._theme = replace(self._theme, habits=habits)

    def look(self) -> Reading:
        """Return the current contents of the board, even if the page has moved it."""
        self._follow()
        return super().look()

    def _follow(self) -> bool:
        """Locate the board again, because a line of text above it may have appeared or disappeared.

        Returns:
            False if the board is not in the layout.
        """
        if not self._in_layout:
            return False
        x, y = self._home.x, self._home.y
        same = [at for at in self._screen.grids(self._window) if at.has_cells_of(self._home)]
        if same:
            at = min(same, key=lambda at: abs(at.x - x) + abs(at.y - y))
            # Layout rounding may change the pitch, but the pictures keep their size.
            self._at = self._home = replace(self._home, x=at.x, y=at.y)
        return bool(same)

    def looks(self) -> Looks:
        """Return the current looks of the cells, named or not."""
        self._follow()
        self._check_pointer()
        box = self._uncovered()
        if self._at is None:
            self._find(box)
        board = self._board(box)
        # With a fractional pitch, the last cells may extend slightly beyond the box.
        wide = min(board.width + 2, box.x + box.width - board.x)
        high = min(board.height + 2, box.y + box.height - board.y)
        image = self._screen.capture(Box(board.x, board.y, wide, high))
        self._seen = image, self._home.moved(box.x - board.x, box.y - board.y)
        pixels = image.tobytes()
        if pixels != self._looks[0]:
            self._looks = pixels, self._gallery.look_numbers(*self._seen)
        return self._looks[1].copy()

    def board_picture(self) -> Image | None:
        """Return the pixels of the board from the last look."""
        return None if self._seen is None else self._seen[0]

    def look_pictures(self) -> list[Image]:
        """Return the pictures of all looks, indexed by number."""
        return self._gallery.pictures

    def numbers(self) -> dict[str, int]:
        """Return the numbers in the window's text, keyed by location."""
        return self._screen.numbers(self._window)

    def total(self) -> int | None:
        """Return the mine total in the window's text before a game, if it is certain."""
        if (self.looks() != self.unopened).any():
            # Flags or the end of a game may have changed the total shown.
            self.counter.begin({})
            return None
        total_shown = self.counter.total(self.numbers())
        sleep(STILL)
        numbers = self.numbers()
        self.counter.begin(numbers)
        return total_shown if self.counter.total(numbers) == total_shown else None

    def open(self, cell: Cell) -> None:
        """Left-click the centre of the cell."""
        before, at = self.looks(), self.shape.index(cell)
        self.last_click = before, at
        super().open(cell)
        self._park(at, before)

    def flag(self, cell: Cell) -> None:
        """Right-click the centre of the cell."""
        before = self.looks()
        super().flag(cell)
        self._park(self.shape.index(cell), before)

    def _park(self, cell: int, before: Looks) -> None:
        """Move the pointer off the board, because many programs highlight the cell under it.

        Some programs cancel a click if the pointer moves away immediately, so wait first.
        """
        patience = Patience(_REACTION)
        while self.looks()[cell] == before[cell] and not patience.is_over():
            sleep(0.002)
        box = self._screen.box(self._window)
        x, y = (max(0, int(side) - 3) for side in (self._home.x, self._home.y))
        self._move(box.x + x, box.y + y)
        # A window manager may grab the pointer for a moment after a click.
        patience = Patience(_POINTER_DELAY_S)
        while self._left != (box.x + x, box.y + y) and not patience.is_over():
            sleep(0.002)
            self._left = self._screen.pointer()

    def begin(self, attempt: int) -> bool:
        """Request a new game by the method with this number."""
        self.last_click = None
        if attempt == 0:
            self._ways = self._all_ways()
        if attempt >= 2 * len(self._ways):
            return False
        self._answered = self._screen.answer(self._window) and self._is_fresh_soon()
        if not self._answered:
            self._ask(self._ways[attempt % len(self._ways)])
        return True

    def _is_fresh_soon(self) -> bool:
        """Wait briefly; return whether answering a dialog has started a new game."""
        patience = Patience(_REACTION)
        while not (self.looks() == self.unopened).all():
            if patience.is_over():
                return False
            patience.pause()
        return True

    def _put_aside(self, over: Window, box: Box) -> bool:
        # Move the program's dialogs out of the way too, because the board below them shows the end
        # of the game.
        return self._screen.put_aside(self._window, over, self._board(box))

    def _find(self, box: Box) -> Reading:
        size = box.width, box.height
        if size != self._home_size:
            # The page may have grown longer without any effect on the cells.
            if not self._follow():
                raise PlayStopped(
                    "the window was resized while its looks were being learned", Cause.RESIZED
                )
            self._size = self._home_size = size
        image = self._screen.capture(box)
        self._at = self._home
        self._seen = image, self._home
        return read(image, self._theme, self._home)

    def _relocated(self, box: Box, reading: Reading) -> Reading:
        # Return unreadable cells as they are, because learning starts from them.
        return reading


def _widest_inset(looks: str, cells: Image) -> float:
    """Return the largest share of each side that can be ignored while all looks still differ.

    The outline of a cell changes with its neighbours, so it is better to ignore it.
    """
    pitch = cells.shape[1]
    for inset in _INSETS:
        cut = max(1, round(pitch * inset))
        inner = cells[:, cut:-cut, cut:-cut].astype(np.float32).reshape(len(cells), -1)
        apart = np.sqrt(np.square(inner[:, None] - inner[None]).mean(axis=2))
        others = np.array([[a != b for b in looks] for a in looks])
        if not others.any() or apart[others].min() > 2 * TOLERANCE:
            return inset
    return _INSETS[-1]
