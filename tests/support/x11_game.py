"""A Minesweeper window of our own, drawn with Xlib: ``x11_game.py WIDTHxHEIGHT MINES [DIALOG]``.

The first click opens a zero. F2 starts a new game with the next seed from 1. DIALOG is the window
that reports the end of a game and blocks the board until it is closed: ``own`` and ``beside``
belong to the game's window, over its board and next to it; ``other`` is opened by another program.
Return, or a close request, closes it and starts a new game.
"""

from __future__ import annotations

import subprocess
import sys
from random import Random

from Xlib import XK, X, Xatom
from Xlib.display import Display
from Xlib.protocol.event import ClientMessage

_PITCH, _HEADER = 20, 40
_GREY, _LIGHT, _DARK, _RED, _WHITE, _BLACK = 0xC0C0C0, 0xF8F8F8, 0x707070, 0xE03030, 0xFFFFFF, 0
_COLOURS = (0, 0x0000F0, 0x007B00, 0xF00000, 0x00007B, 0x7B0000, 0x007B7B, 0x202020, 0x7B7B7B)
_SEGMENTS = ("", "cf", "acdeg", "acdfg", "bcdf", "abdfg", "abdefg", "acf", "abcdefg")
_PLACES = {
    "a": (6, 4, 8, 2),
    "b": (6, 4, 2, 6),
    "c": (12, 4, 2, 6),
    "d": (6, 9, 8, 2),
    "e": (6, 9, 2, 7),
    "f": (12, 9, 2, 7),
    "g": (6, 14, 8, 2),
}
Cell = tuple[int, int]


class Game:
    """The rules of the game."""

    def __init__(self, wide: int, high: int, mines: int, seed: int) -> None:
        self.wide, self.high, self._count, self._seed = wide, high, mines, seed
        self.mines: set[Cell] = set()
        self.opened: dict[Cell, int] = {}
        self.flags: set[Cell] = set()
        self.lost: Cell | None = None

    @property
    def over(self) -> bool:
        return self.lost is not None or len(self.opened) + self._count == self.wide * self.high

    def near(self, at: Cell) -> list[Cell]:
        around = [(at[0] + a, at[1] + b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
        return [(x, y) for x, y in around if 0 <= x < self.wide and 0 <= y < self.high]

    def open(self, at: Cell) -> None:
        if self.over or at in self.flags:
            return
        if not self.opened:
            free = {at, *self.near(at)}
            cells = [(x, y) for x in range(self.wide) for y in range(self.high)]
            places = [cell for cell in cells if cell not in free]
            self.mines = set(Random(self._seed).sample(places, self._count))
        if at in self.mines:
            self.lost = at
            return
        waiting = [at]
        while waiting:
            cell = waiting.pop()
            if cell in self.opened:
                continue
            self.opened[cell] = sum(near in self.mines for near in self.near(cell))
            if not self.opened[cell]:
                waiting += self.near(cell)

    def flag(self, at: Cell) -> None:
        if not self.over and at not in self.opened:
            self.flags ^= {at}

    def look(self, at: Cell) -> str:
        if at == self.lost:
            return "*"
        if self.lost and at in self.mines:
            return "M"
        return str(self.opened[at]) if at in self.opened else "F" if at in self.flags else "."


class Board:
    """The window with the board."""

    def __init__(self, wide: int, high: int, mines: int, dialog: str) -> None:
        self._display = Display()
        self._size, self._mines, self._seed, self._dialog = (wide, high), mines, 1, dialog
        self._said: Dialog | None = None
        self._program: subprocess.Popen[bytes] | None = None
        self._drawn: dict[Cell, str] = {}
        mask = X.ExposureMask | X.ButtonPressMask | X.KeyPressMask
        size = wide * _PITCH + 40, high * _PITCH + _HEADER + 20
        self.window = window(self._display, *size, "x11_game", mask)
        self._gc = self.window.create_gc()
        self._start()
        self.window.map()
        self._display.flush()

    def _start(self) -> None:
        self._game = Game(*self._size, self._mines, self._seed)
        self._seed += 1

    def run(self) -> None:
        """Play until the window is closed."""
        while True:
            event = self._display.next_event()
            # Some events, such as a new keyboard, do not belong to a window.
            at = getattr(event, "window", None)
            if self._said is not None and at == self._said.window:
                if self._said.closed_by(event):
                    self._said.window.destroy()
                    self._said = None
                    self._start()
                    self._draw()
            elif event.type == X.Expose:
                self._drawn.clear()
                self._draw()
            elif self._blocked():
                continue
            elif event.type == X.KeyPress and is_key(self._display, event, "F2"):
                self._start()
                self._draw()
            elif event.type == X.ButtonPress:
                x, y = (event.event_x - 20) // _PITCH, (event.event_y - _HEADER) // _PITCH
                if 0 <= x < self._size[0] and 0 <= y < self._size[1]:
                    self._click((x, y), event.detail)

    def _click(self, at: Cell, button: int) -> None:
        was_over = self._game.over
        if button == 1:
            self._game.open(at)
        else:
            self._game.flag(at)
        self._draw()
        if self._game.over and not was_over and self._dialog:
            self._say(at)

    def _say(self, at: Cell) -> None:
        corner = self._display.screen().root.translate_coords(self.window, 0, 0)
        if self._dialog == "other":
            self._program = subprocess.Popen([sys.executable, __file__, "dialog"])
        else:
            aside = self._size[0] * _PITCH + 60 if self._dialog == "beside" else 50
            self._said = Dialog(self._display, (corner.x + aside, corner.y + 60), self.window)

    def _blocked(self) -> bool:
        if self._program is not None and self._program.poll() is not None:
            self._program = None
            self._start()
            self._draw()
        return self._said is not None or self._program is not None

    def _draw(self) -> None:
        for x in range(self._size[0]):
            for y in range(self._size[1]):
                look = self._game.look((x, y))
                if self._drawn.get((x, y)) != look:
                    self._drawn[x, y] = look
                    self._draw_cell(20 + x * _PITCH, _HEADER + y * _PITCH, look)
        self._display.flush()

    def _draw_cell(self, x: int, y: int, look: str) -> None:
        self._fill(_RED if look == "*" else _GREY, x, y, _PITCH, _PITCH)
        if look in ".F":
            self._fill(_LIGHT, x, y, _PITCH, 2)
            self._fill(_LIGHT, x, y, 2, _PITCH)
            self._fill(_DARK, x, y + _PITCH - 2, _PITCH, 2)
            self._fill(_DARK, x + _PITCH - 2, y, 2, _PITCH)
        else:
            self._fill(_DARK, x, y, _PITCH, 1)
            self._fill(_DARK, x, y, 1, _PITCH)
        if look == "F":
            self._fill(_RED, x + 6, y + 4, 7, 5)
            self._fill(_BLACK, x + 12, y + 4, 2, 12)
        elif look in "*M":
            self._fill(_BLACK, x + 5, y + 7, 10, 6)
            self._fill(_BLACK, x + 7, y + 5, 6, 10)
        elif look.isdigit():
            for segment in _SEGMENTS[int(look)]:
                left, top, wide, high = _PLACES[segment]
                self._fill(_COLOURS[int(look)], x + left, y + top, wide, high)

    def _fill(self, colour: int, x: int, y: int, wide: int, high: int) -> None:
        self._gc.change(foreground=colour)
        self.window.fill_rectangle(self._gc, x, y, wide, high)


class Dialog:
    """A modal window that belongs to this program or another one."""

    def __init__(self, display: Display, at: tuple[int, int], owner: object = None) -> None:
        self._display = display
        mask = X.ExposureMask | X.KeyPressMask
        self.window = window(display, 200, 90, "x11_dialog", mask)
        self._delete = display.intern_atom("WM_DELETE_WINDOW")
        self.window.set_wm_protocols([self._delete])
        self.window.configure(x=at[0], y=at[1])
        if owner is not None:
            self.window.set_wm_transient_for(owner)
        kind = display.intern_atom("_NET_WM_WINDOW_TYPE_DIALOG")
        property_ = display.intern_atom("_NET_WM_WINDOW_TYPE")
        self.window.change_property(property_, Xatom.ATOM, 32, [kind])
        self.window.map()
        display.flush()

    def closed_by(self, event: object) -> bool:
        """Whether this event closes it."""
        if isinstance(event, ClientMessage):
            return bool(event.data[1][0] == self._delete)
        pressed = getattr(event, "type", None) == X.KeyPress
        return pressed and is_key(self._display, event, "Return")


def window(display: Display, wide: int, high: int, name: str, mask: int) -> object:
    """Create a window with this class, which is also its title."""
    screen = display.screen()
    made = screen.root.create_window(
        0, 0, wide, high, 0, screen.root_depth, background_pixel=_WHITE, event_mask=mask
    )
    made.set_wm_name(name)
    made.set_wm_class(name, name)
    return made


def is_key(display: Display, event: object, name: str) -> bool:
    """Whether this key was pressed."""
    return bool(event.detail == display.keysym_to_keycode(XK.string_to_keysym(name)))  # type: ignore[attr-defined]


def main() -> None:
    """Show the game or just a dialog."""
    if sys.argv[1] == "dialog":
        display = Display()
        shown = Dialog(display, (60, 80))
        while not shown.closed_by(display.next_event()):
            pass
        return
    wide, high = map(int, sys.argv[1].split("x"))
    Board(wide, high, int(sys.argv[2]), (sys.argv[3:] or [""])[0]).run()


if __name__ == "__main__":
    main()
