"""The interface of a screen for bots: windows, pixels, pointer and keyboard.

Each backend is a folder next to this module: `x11`, `browser`, `desktop`.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.vision.closing import Closing
from sapper.vision.geometry import Geometry, Image
from sapper.vision.patience import HOLDS

__all__ = ["Box", "Screen", "Window"]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the screen, in pixels."""

    x: int
    y: int
    width: int
    height: int

    def overlaps(self, other: Box) -> bool:
        """Return whether the boxes have a pixel in common."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )

    def contains(self, other: Box) -> bool:
        """Return whether `other` is inside this one."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.x + other.width <= self.x + self.width
            and other.y + other.height <= self.y + self.height
        )

    def __str__(self) -> str:
        return f"{self.width}x{self.height}+{self.x}+{self.y}"


@dataclass(frozen=True, slots=True)
class Window:
    """A window to play in: a program's window, a web page, or a whole monitor.

    Attributes:
        id: Number of the window on the screen.
        frame: Number of the window manager's frame around it, or the window's own number.
        title: Text of the title bar.
        kind: Window class, which is stable across versions: ``"sgt-mines Sgt-mines"``.
    """

    id: int
    frame: int
    title: str
    kind: str


class Screen(Closing):
    """A screen with a pointer and a keyboard. Use it as a context manager, or `close` it.

    All coordinates are pixels of the pictures that `capture` returns, counted from the top left
    of the screen. If a display scales the output of programs, the backend converts coordinates.
    """

    pixel_ratio: float = 1.0
    """Pixels of a picture per layout unit of programs."""
    steps_aside: bool = False
    """Whether to move the pointer off the board after a click, because pages highlight cells."""
    starting: bool = False
    """Whether a new game is being requested; confirmation dialogs are then accepted."""

    @abstractmethod
    def windows(self) -> list[Window]:
        """Return the windows, topmost first."""

    @abstractmethod
    def box(self, window: Window) -> Box:
        """Return the current box of a window without its frame.

        Raises:
            NoWindow: If the window was closed.
        """

    @abstractmethod
    def capture(self, box: Box) -> Image:
        """Return the pixels of a box as RGB, of shape (height, width, 3).

        Raises:
            PlayStopped: If the box extends beyond the screen.
        """

    @abstractmethod
    def covering(self, window: Window, box: Box) -> Window | None:
        """Return the topmost window that covers part of `box`, an area of `window`."""

    def put_aside(self, window: Window, over: Window, board: Box) -> bool:
        """Move a window off a board if it is a dialog that may block the board's window.

        Returns:
            False if it is not such a dialog.
        """
        return False

    def answer(self, window: Window) -> bool:
        """Answer the dialogs that may block a window; return whether there were any."""
        return False

    @abstractmethod
    def is_there(self, window: Window) -> bool:
        """Return whether a window is still open."""

    @abstractmethod
    def focus(self, window: Window) -> None:
        """Give a window the keyboard focus, if supported."""

    @abstractmethod
    def pointer(self) -> tuple[int, int]:
        """Return the pointer's position."""

    @abstractmethod
    def move(self, x: int, y: int) -> None:
        """Move the pointer."""

    @abstractmethod
    def click(self, button: int = 1, seconds: float = HOLDS[0]) -> None:
        """Click at the pointer.

        Args:
            button: 1 left, 2 middle, 3 right.
            seconds: Duration of the press.
        """

    @abstractmethod
    def key(self, combination: str) -> None:
        """Press and release keys, such as ``"n"`` or ``"Control_L+n"``, in order.

        Raises:
            PlayStopped: If the keyboard has no such key, or the key would leave the board.
        """

    @abstractmethod
    def new_game_ways(self, window: Window) -> tuple[str, ...]:
        """Return harmless ways to request a new game in this window, the likely ones first.

        Their form is that of `Habits.new`.
        """

    def closing_ways(self, window: Window) -> tuple[str, ...]:
        """Return ways to close elements drawn over a program's board, in the form of `Habits`.

        For a dialog in a separate window, see `covering`.
        """
        return ()

    def grids(self, window: Window) -> list[Geometry]:
        """Return grids of elements in the window's layout, if it is known."""
        return []

    def numbers(self, window: Window) -> dict[str, int]:
        """Return the numbers in a window's text, keyed by location."""
        return {}

    def sharpen(self) -> bool:
        """Redraw everything with more pixels; return whether that was possible.

        This invalidates earlier windows, boards and pictures.
        """
        return False

    def settle(self) -> None:
        """Wait until the effects of the last input are drawn, if the screen can detect that."""
        return

    def redraw(self, window: Window) -> None:
        """Make the program redraw its window, if possible."""
        return

    def find_text(self, window: Window, text: str) -> tuple[int, int] | None:
        """Return the centre of the element with this text; None if it is not visible.

        Raises:
            BadSetting: If the screen has only pixels.
        """
        raise BadSetting(
            f"click {shown(text)} works on web pages only; use click X Y, key K or face here"
        )

    def reload(self, window: Window) -> None:
        """Reload a page.

        Raises:
            BadSetting: If the window is not a page.
        """
        raise BadSetting("reload works on web pages only; use click X Y, key K or face here")
