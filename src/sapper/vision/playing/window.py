"""A window with a board to play on: find, read and click it."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic, sleep

from sapper._util.shortening import shown
from sapper.topology import Cell
from sapper.vision.boards import find_board
from sapper.vision.errors import Cause, NoBoard, NoWindow, PlayStopped, Unreadable
from sapper.vision.geometry import Geometry, Image
from sapper.vision.new_game import NewGameStep, face_above, parse_way
from sapper.vision.patience import HOLDS, Patience
from sapper.vision.playing.surface import PATIENCE, STILL
from sapper.vision.reading import Reading, read
from sapper.vision.screen import Box, Screen, Window
from sapper.vision.theme import Theme, load_theme, themes
from sapper.vision.total_display import read_total

__all__ = ["WindowSurface", "choose_window"]

_TRIES = 4
"""Number of attempts for each way to start a new game."""
_DIALOGS = 5
"""Number of consecutive dialogs to close before giving up."""
_ASIDE = 4
"""Distance in pixels from the board's corner at which the pointer does no harm."""
_CORNER = 30
"""Distance in pixels from the board's left edge to the new-game button of many programs."""
_POINTER_DELAY_S = 2.0
"""Seconds for the pointer to arrive after a move."""
_TELLS = 3.0
"""Seconds to wait for a window to show its mine total."""
_LOST = 0.5
"""Seconds of unreadable cells after which the board is redrawn and located again."""


def choose_window(
    screen: Screen,
    title: str | None = None,
    theme: str | None = None,
    board: int | None = None,
) -> tuple[Window, Theme]:
    """Choose the window to play in and its theme.

    Args:
        screen: The screen to search.
        title: Part of the window's title or class, ignoring case; None if only one window has a
            board.
        theme: Name of the theme or path of its file; None detects it.
        board: Number of the board in the window, counted from 1 (default: the largest).

    Raises:
        BadSetting: If the theme does not exist.
        NoWindow: If no window or several windows show a board.
    """
    available = [load_theme(name) for name in themes()]
    chosen = None if theme is None else load_theme(theme)
    matches: list[tuple[Window, Theme]] = []
    refused = ""
    for window in screen.windows():
        labels = f"{window.title}\n{window.kind}".lower()
        if title is not None and title.lower() not in labels:
            continue
        try:
            matches.append((window, chosen or _theme_of(screen, window, available, board)))
        except (NoBoard, Unreadable, PlayStopped) as problem:
            refused = str(problem)
    if len(matches) == 1:
        return matches[0]
    which = "" if title is None else f" with {shown(title)} in its title"
    if not matches and screen.sharpen():
        return choose_window(screen, title, theme, board)
    if not matches:
        raise NoWindow(
            f"no window{which} shows a readable board{': ' * bool(refused)}{refused}",
            Cause.NO_THEME if theme is None else Cause.NO_BOARD,
        )
    names = ", ".join(repr(window.title) for window, _ in matches)
    raise NoWindow(f"several windows{which} show a board: {names}", Cause.SEVERAL)


def _theme_of(screen: Screen, window: Window, available: list[Theme], board: int | None) -> Theme:
    """Return the theme for the window's class, or one that can read its board."""
    for theme in available:
        if any(name.lower() in window.kind.lower() for name in theme.windows):
            return theme
    image = screen.capture(screen.box(window))
    at = None if board is None else find_board(image, board)
    return load_theme(read(image, geometry=at).theme)


class WindowSurface:
    """A program's window.

    Every look checks that the window exists, that nothing covers its board, and that the pointer is
    where the bot left it. The bot stops if the user moves the mouse.

    Args:
        screen: The screen of the window.
        window: The window.
        theme: The look and controls of the program.
        new_game: Ways to start a new game (default: those of the theme).
        board: Number of the board in the window, counted from 1 (default: the largest).
    """

    def __init__(
        self,
        screen: Screen,
        window: Window,
        theme: Theme,
        *,
        new_game: tuple[str, ...] = (),
        board: int | None = None,
    ) -> None:
        if new_game:
            theme = replace(theme, habits=replace(theme.habits, new=new_game))
        self._screen, self._window, self._theme, self._number = screen, window, theme, board
        self.hold = HOLDS[0]
        """Duration of clicks on cells in seconds."""
        self._size: tuple[int, int] | None = None
        self._at: Geometry | None = None
        self._left: tuple[int, int] | None = None
        self._seen: tuple[Image, Geometry] | None = None
        self._read_at, self._sure = monotonic(), False
        screen.focus(window)

    @property
    def name(self) -> str:
        """Name of the theme, which serves as the program's name."""
        return self._theme.name

    @property
    def flags_win(self) -> bool:
        """Whether the program counts a game as won only when its mines are flagged."""
        return self._theme.habits.flags_win

    @property
    def message(self) -> float:
        """Number of seconds for which the program covers its board with a message."""
        return self._theme.habits.message

    def look(self) -> Reading:
        """Return the current contents of the board, even if the window has moved."""
        self._check_pointer()
        box = self._uncovered()
        if self._at is None:
            return self._find(box)
        x, y = int(self._at.x), int(self._at.y)
        wide, high = int(self._at.width) + 2, int(self._at.height) + 2
        wide, high = min(wide, box.width - x), min(high, box.height - y)
        image = self._screen.capture(Box(box.x + x, box.y + y, wide, high))
        at = self._at.moved(-x, -y)
        self._seen = image, at
        reading = replace(read(image, self._theme, at), geometry=self._at)
        if not reading.unreadable:
            self._read_at, self._sure = monotonic(), True
        elif monotonic() - self._read_at > _LOST:
            return self._relocated(box, reading)
        return reading

    def _relocated(self, box: Box, reading: Reading) -> Reading:
        """Locate the board again after the program has scaled it, if that improves the reading."""
        self._read_at = monotonic()
        self._screen.redraw(self._window)
        self._step_aside(box)
        before = self._at
        try:
            again = self._find(box)
        except (NoBoard, Unreadable):
            again = reading
        # Once a board has been read, its number of rows and columns stays fixed, even if it is
        # covered.
        same = len(again.looks) == len(reading.looks) or not self._sure
        if same and len(again.unreadable) < len(reading.unreadable):
            return again
        self._at = before
        return reading

    def _step_aside(self, box: Box) -> None:
        """Move the pointer off the board; some messages stay while the pointer is over them."""
        if self._left is not None and self._at is not None:
            x, y = box.x + int(self._at.x) - _ASIDE, box.y + int(self._at.y) - _ASIDE
            self._move(max(0, x), max(0, y))

    def open(self, cell: Cell) -> None:
        """Left-click the centre of the cell."""
        self._click(cell, 1)

    def flag(self, cell: Cell) -> None:
        """Right-click the centre of the cell."""
        self._click(cell, 3)

    def begin(self, attempt: int) -> bool:
        """Request a new game by the method with this number, from the theme or the screen."""
        ways = self._theme.habits.new
        if attempt >= _TRIES * len(ways):
            return False
        self._screen.answer(self._window)
        self._ask(ways[attempt % len(ways)])
        return True

    def uncover(self, attempt: int) -> bool:
        """Close elements that the program draws over its board, such as the result of a game."""
        ways = self._screen.closing_ways(self._window)
        if attempt >= len(ways):
            return False
        self._do(ways[attempt])
        self._step_aside(self._screen.box(self._window))
        return True

    def total(self) -> int | None:
        """Return the mine total in the window once two consecutive pictures agree."""
        if self._theme.total is None:
            return None
        patience, last = Patience(_TELLS), None
        while True:
            reading = self.look()
            try:
                image = self._screen.capture(self._screen.box(self._window))
            except PlayStopped:  # The board is fully on the screen, but its surroundings are not.
                return None
            now = read_total(image, reading.geometry, self._theme.total, reading.looks)
            if now is not None and now == last:
                return now
            if patience.is_over():
                return None
            last = now
            sleep(STILL)

    def picture(self, cell: Cell) -> Image | None:
        """Return the pixels of a cell from the last look."""
        if self._seen is None:
            return None
        image, at = self._seen
        cut: Image = at.cut(image)[cell.row, cell.col]
        return cut

    def _find(self, box: Box) -> Reading:
        """Search the entire window for the board."""
        image = self._screen.capture(box)
        grids = self._screen.grids(self._window)
        if self._number is None and not grids:
            reading = read(image, self._theme)
        else:
            reading = read(image, self._theme, find_board(image, self._number, grids))
        self._at, self._size = reading.geometry, (box.width, box.height)
        self._seen = image, reading.geometry
        return reading

    def _uncovered(self) -> Box:
        """Close the window's dialogs, check that nothing covers it, and return its box."""
        over: Window | None = None
        for attempt in range(_DIALOGS):
            box = self._screen.box(self._window)
            if self._size not in (None, (box.width, box.height)):
                self._at = None
            over = self._screen.covering(self._window, self._board(box))
            if over is None:
                return box
            if self._put_aside(over, box):
                continue
            if over.kind != self._window.kind:
                break
            self._dismiss(over, attempt)
        title = (over and over.title) or "without a title"
        raise PlayStopped(f"another window covers the board: {shown(title)}", Cause.COVERED)

    def _put_aside(self, over: Window, box: Box) -> bool:
        """Move any other dialog off the board; it is answered before the next game."""
        if over.kind == self._window.kind:
            return False
        return self._screen.put_aside(self._window, over, self._board(box))

    def _board(self, box: Box) -> Box:
        at = self._at
        if at is None:
            return box
        wide, high = round(at.width), round(at.height)
        return Box(box.x + int(at.x), box.y + int(at.y), wide, high)

    def _dismiss(self, dialog: Window, attempt: int) -> None:
        """Close one of the program's dialogs, such as the best times."""
        self._screen.focus(dialog)
        keys = self._theme.habits.dismiss
        self._screen.key(keys[attempt % len(keys)])
        patience = Patience(PATIENCE / _DIALOGS)
        while self._screen.is_there(dialog) and not patience.is_over():
            sleep(0.01)
        self._screen.focus(self._window)

    def _check_pointer(self) -> None:
        if self._left is not None and self._screen.pointer() != self._left:
            self._left = None
            raise PlayStopped("the pointer was moved", Cause.POINTER)

    def _move(self, x: int, y: int) -> None:
        self._check_pointer()
        self._screen.move(x, y)
        # A window manager may grab the pointer until it has processed the last click.
        patience = Patience(_POINTER_DELAY_S)
        while (at := self._screen.pointer()) != (x, y) and not patience.is_over():
            sleep(0.005)
        self._left = at

    def _click(self, cell: Cell, button: int) -> None:
        box = self._uncovered()
        if self._at is None:
            raise PlayStopped("the window was resized before a click", Cause.RESIZED)
        x, y = self._at.centre(cell.row, cell.col)
        self._move(box.x + x, box.y + y)
        self._screen.click(button, self.hold)
        if self._screen.steps_aside:
            self._step_aside(box)

    def _ask(self, way: str) -> None:
        """Request a new game in one way."""
        self._screen.starting = True
        try:
            self._do(way)
        finally:
            self._screen.starting = False

    def _do(self, way: str) -> None:
        for step in parse_way(way):
            self._do_step(step)
            self._screen.settle()

    def _do_step(self, step: NewGameStep) -> None:
        if step.kind == "key":
            self._screen.focus(self._window)
            self._screen.key(step.text)
        elif step.kind == "reload":
            self._screen.reload(self._window)
        elif (at := self._place_of(step)) is not None:
            self._move(*at)
            self._screen.click()

    def _place_of(self, step: NewGameStep) -> tuple[int, int] | None:
        """Return the screen pixel to click; None if the element is not currently there."""
        if step.kind == "text":
            return self._screen.find_text(self._window, step.text)
        box = self._screen.box(self._window)
        if step.kind == "point":
            return box.x + step.x % box.width, box.y + step.y % box.height
        at = self._at
        if at is None:
            return None
        if step.kind == "corner":
            return box.x + int(at.x) + _CORNER, box.y + round(at.y * 0.64)
        middle = box.x + round(at.x + at.width / 2)
        return middle, box.y + face_above(self._screen.capture(box), at)
