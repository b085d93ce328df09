"""The X11 screen: windows, pixels, pointer and keyboard."""

from __future__ import annotations

import os
from collections.abc import Iterator
from time import sleep
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper._util.installing import pip_install
from sapper.errors import MissingExtra
from sapper.vision.errors import Cause, NoWindow, PlayStopped
from sapper.vision.patience import HOLDS, Patience, hold
from sapper.vision.screen import Box, Screen, Window

try:
    from Xlib import XK, X, Xatom, error
    from Xlib.display import Display
    from Xlib.ext import xtest
except ImportError as missing:
    raise MissingExtra(f"python-xlib is not installed: {pip_install('vision')}") from missing

from sapper.vision.x11.dialogs import (
    ANSWERS,
    close,
    is_dialog_of,
    place_beside,
    wait_until_gone,
)

__all__ = ["X11Screen"]

_SMALLEST = 100
"""Minimum side length of a window in pixels; smaller ones are tooltips, icons and the like."""
_FOCUS = 1.0
"""Seconds to wait for a window manager to focus a window; some never do."""
_BROWSERS = (
    "chrom",
    "firefox",
    "brave",
    "edge",
    "opera",
    "vivaldi",
    "epiphany",
    "falkon",
    "konqueror",
    "librewolf",
    "navigator",
    "safari",
    "webkit",
)
"""Substrings of browsers' window classes."""
_FRAME = 500
"""Upper limit of the number of windows in a window manager's frame."""


def _no_display() -> str:
    if os.environ.get("WAYLAND_DISPLAY"):
        return "Wayland shows no program the screen; log in to an X11 session, or use --url"
    return "no X11 display: DISPLAY is not set"


class X11Screen(Screen):
    """A connection to an X11 display.

    Args:
        display: Name of the display, such as ``:0`` (default: ``DISPLAY``).

    Raises:
        NoWindow: If the display does not exist or does not accept clicks.
    """

    def __init__(self, display: str | None = None) -> None:
        if not (display or os.environ.get("DISPLAY")):
            raise NoWindow(_no_display(), Cause.NO_SCREEN)
        try:
            self._display = Display(display)
        except (error.DisplayError, OSError) as problem:
            raise NoWindow(f"no X11 display: {problem}", Cause.NO_SCREEN) from None
        # Otherwise, errors in requests without a reply would be printed to standard error.
        self._display.set_error_handler(lambda *_: None)
        if not self._display.has_extension("XTEST"):
            raise NoWindow(
                "this X11 display has no XTEST extension, so clicks cannot be sent",
                Cause.NO_SCREEN,
            )
        self._root = self._display.screen().root
        self._first = {self._client(top).id for top in self._tops()}

    def close(self) -> None:
        """Close the connection."""
        self._display.close()

    def windows(self) -> list[Window]:
        """Return programs' visible windows, topmost first."""
        visible = []
        for top in self._tops():
            client = self._client(top)
            box = self._box(client)
            if box is not None and min(box.width, box.height) >= _SMALLEST:
                visible.append(self._window(client, top))
        return visible

    def box(self, window: Window) -> Box:
        """Return the current box of a window without its frame.

        Raises:
            NoWindow: If the window was closed or hidden.
        """
        box = self._box(self._resource(window.id)) if self._is_visible(window.id) else None
        if box is None:
            raise NoWindow(f"the window {window.title!r} was closed or hidden")
        return box

    def capture(self, box: Box) -> npt.NDArray[np.uint8]:
        """Return the pixels of a box as RGB, of shape (height, width, 3).

        Raises:
            PlayStopped: If the box extends beyond the screen.
        """
        whole = self.box_of_screen()
        if not whole.contains(box):
            raise PlayStopped(f"part of the window is outside the screen: {box}", Cause.OFF_SCREEN)
        got = self._root.get_image(box.x, box.y, box.width, box.height, X.ZPixmap, 0xFFFFFFFF)
        if got is None or got.depth not in (24, 32):
            raise NoWindow("this X11 display does not show 24-bit colours", Cause.NO_SCREEN)
        pixels = np.frombuffer(got.data, dtype=np.uint8).reshape(box.height, box.width, 4)
        return np.ascontiguousarray(pixels[:, :, 2::-1])

    def box_of_screen(self) -> Box:
        """Return the box of the whole screen."""
        size = self._root.get_geometry()
        return Box(0, 0, size.width, size.height)

    def covering(self, window: Window, box: Box) -> Window | None:
        """Return the topmost window that covers part of `box`, an area of `window`."""
        for top in self._tops():
            if top.id == window.frame:
                return None
            over = self._box(top)
            if over is not None and over.overlaps(box):
                return self._window(self._client(top), top)
        return None

    def put_aside(self, window: Window, over: Window, board: Box) -> bool:
        """Move a dialog off a board, or answer it if it does not move."""
        if not self._is_dialog(over, window):
            return False
        frame = self._resource(over.frame)
        before = self._box(frame)
        if before is not None:
            self.place(over, *place_beside(before, board, self.box_of_screen()))

            def covers() -> bool:
                now = self._box(frame) if self._is_visible(over.id) else None
                return now is not None and now.overlaps(board)

            if not wait_until_gone(covers):
                self._answer(over)
        return True

    def answer(self, window: Window) -> bool:
        """Answer the dialogs of a window."""
        dialogs = [
            dialog
            for top in list(self._tops())
            if top.id != window.frame
            and self._is_dialog(dialog := self._window(self._client(top), top), window)
        ]
        for dialog in dialogs:
            self._answer(dialog)
        if dialogs:
            self.focus(window)
        return bool(dialogs)

    def _is_dialog(self, dialog: Window, window: Window) -> bool:
        this, other = self._resource(dialog.id), self._resource(window.id)
        return is_dialog_of(self._display, this, other, is_new=dialog.id not in self._first)

    def _answer(self, dialog: Window) -> None:
        """Press keys that close dialogs until this one has closed; otherwise ask it to close."""

        def is_there() -> bool:
            return self._is_visible(dialog.id)

        for key in ANSWERS:
            if is_there():
                self.focus(dialog)
                self.key(key)
            if wait_until_gone(is_there):
                return
        close(self._display, self._resource(dialog.id))
        wait_until_gone(is_there)

    def is_there(self, window: Window) -> bool:
        """Return whether a window is still open."""
        return self._is_visible(window.id)

    def pointer(self) -> tuple[int, int]:
        """Return the pointer's position in pixels of the screen."""
        at = self._root.query_pointer()
        return at.root_x, at.root_y

    def move(self, x: int, y: int) -> None:
        """Move the pointer to a pixel of the screen."""
        xtest.fake_input(self._display, X.MotionNotify, x=x, y=y)
        self._display.sync()

    def click(self, button: int = 1, seconds: float = HOLDS[0]) -> None:
        """Click at the pointer: 1 left, 2 middle, 3 right."""
        xtest.fake_input(self._display, X.ButtonPress, button)
        self._display.sync()
        hold(seconds)
        xtest.fake_input(self._display, X.ButtonRelease, button)
        self._display.sync()

    def key(self, combination: str) -> None:
        """Press and release keys, such as ``"n"`` or ``"Control_L+n"``, in order.

        Raises:
            PlayStopped: If the keyboard has no such key.
        """
        codes = [self._keycode(name) for name in combination.split("+")]
        for code in codes:
            xtest.fake_input(self._display, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(self._display, X.KeyRelease, code)
        self._display.sync()

    def new_game_ways(self, window: Window) -> tuple[str, ...]:
        """Return the keys and buttons of most programs, except browser shortcuts."""
        # In a browser, Ctrl-N would open another window.
        browser = any(name in window.kind.lower() for name in _BROWSERS)
        return (
            ("F2", "n", "corner", "face")
            if browser
            else ("F2", "Control_L+n", "n", "corner", "face")
        )

    def redraw(self, window: Window) -> None:
        """Make the program redraw its window, because parts of it may never have been drawn."""
        below = [self._resource(window.id)]
        while below:
            part = below.pop()
            try:
                part.clear_area(exposures=True)
                below += part.query_tree().children
            except error.XError:
                # The window has just been closed.
                continue
        self._display.flush()

    def focus(self, window: Window) -> None:
        """Focus a window; the window manager may also raise it."""
        active = self._display.intern_atom("_NET_ACTIVE_WINDOW")
        if self.managed:
            self._tell_manager(window, active)
            self._await_active(window, active)
        else:
            resource = self._resource(window.id)
            resource.set_input_focus(X.RevertToPointerRoot, X.CurrentTime)
        self._display.sync()

    def place(self, window: Window, x: int, y: int) -> None:
        """Move a window."""
        self._resource(window.id).configure(x=x, y=y)
        self._display.sync()

    def resize(self, window: Window, width: int, height: int) -> None:
        """Resize a window."""
        self._resource(window.id).configure(width=width, height=height)
        self._display.sync()

    def _tell_manager(self, window: Window, kind: int) -> None:
        from Xlib.protocol import event

        # Source 2 means that a pager or similar sends the request, not the program itself.
        data = (32, [2, X.CurrentTime, 0, 0, 0])
        message = event.ClientMessage(window=self._resource(window.id), client_type=kind, data=data)
        mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask
        self._root.send_event(message, event_mask=mask)

    def _await_active(self, window: Window, active: int) -> None:
        """Wait until the window manager has activated the window, so that it receives keys."""
        self._display.sync()
        patience = Patience(_FOCUS)
        while not self._is_active(window, active) and not patience.is_over():
            sleep(0.005)

    def _is_active(self, window: Window, active: int) -> bool:
        property = self._root.get_full_property(active, X.AnyPropertyType)
        return property is not None and int(property.value[0]) == window.id

    @property
    def managed(self) -> bool:
        """Return whether a window manager is running."""
        # The root window still refers to the manager's window after the manager has ended, and
        # another program may get the same window number. Only a manager's window refers to itself
        # (EWMH 1.5).
        named = self._checked(self._root)
        return named is not None and self._checked(self._resource(named)) == named

    def _checked(self, window: Any) -> int | None:
        check = self._display.intern_atom("_NET_SUPPORTING_WM_CHECK")
        try:
            property = window.get_full_property(check, X.AnyPropertyType)
        except error.XError:
            return None
        return None if property is None else int(property.value[0])

    def _keycode(self, name: str) -> int:
        code = self._display.keysym_to_keycode(XK.string_to_keysym(name))
        if not code:
            raise PlayStopped(f"the keyboard has no key {name!r}", Cause.KEY)
        return int(code)

    def _resource(self, window_id: int) -> Any:
        return self._display.create_resource_object("window", window_id)

    def _tops(self) -> Iterator[Any]:
        """Return the visible children of the root window with contents, topmost first."""
        for child in reversed(self._root.query_tree().children):
            if self._is_visible(child.id):
                yield child

    def _is_visible(self, window_id: int) -> bool:
        try:
            state = self._resource(window_id).get_attributes()
        except error.XError:
            return False
        return bool(state.map_state == X.IsViewable and state.win_class == X.InputOutput)

    def _client(self, top: Any) -> Any:
        """Return the program's own window inside the window manager's frame."""
        state = self._display.intern_atom("WM_STATE")
        waiting = [top]
        while waiting:
            window = waiting.pop(0)
            try:
                if window.get_full_property(state, X.AnyPropertyType) is not None:
                    return window
                # A frame may have dozens of decoration windows, all below the program's window in
                # the stack, so search from the top.
                waiting += reversed(window.query_tree().children)
            except error.XError:
                continue
            if len(waiting) > _FRAME:
                break
        return top

    def _box(self, window: Any) -> Box | None:
        try:
            size = window.get_geometry()
            at = window.translate_coords(self._root, 0, 0)
        except error.XError:
            return None
        # The reply gives the position of the root window's corner relative to this window.
        return Box(-at.x, -at.y, size.width, size.height)

    def _window(self, client: Any, top: Any) -> Window:
        kind = self._text(client, "WM_CLASS").replace("\0", " ").strip()
        return Window(client.id, top.id, self._title(client), kind)

    def _title(self, client: Any) -> str:
        return self._text(client, "_NET_WM_NAME") or self._text(client, "WM_NAME")

    def _text(self, window: Any, name: str) -> str:
        try:
            property = window.get_full_property(self._display.intern_atom(name), X.AnyPropertyType)
        except error.XError:
            return ""
        if property is None:
            return ""
        raw = property.value if isinstance(property.value, bytes) else str(property.value).encode()
        latin = property.property_type == Xatom.STRING
        return raw.decode("latin-1" if latin else "utf-8", "replace")
