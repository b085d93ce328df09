"""The pointer and the keyboard of a desktop: through X11 on Linux, elsewhere through pynput."""

from __future__ import annotations

import sys
from typing import Any, Protocol

from sapper._util.installing import pip_install
from sapper.errors import MissingExtra
from sapper.vision.errors import Cause, NoWindow, PlayStopped
from sapper.vision.patience import hold

__all__ = ["Devices", "PynputDevices", "X11Devices", "open_devices"]

_KEYS = {
    "Control_L": "ctrl",
    "Shift_L": "shift",
    "Alt_L": "alt",
    "Super_L": "cmd",
    "Return": "enter",
    "Escape": "esc",
    "space": "space",
    "Tab": "tab",
}
"""pynput's names of keys that are not characters."""


class Devices(Protocol):
    """A pointer and a keyboard. Coordinates are in desktop units."""

    def pointer(self) -> tuple[float, float]:
        """Return the pointer's position."""

    def move(self, x: float, y: float) -> None:
        """Move the pointer."""

    def click(self, button: int, seconds: float) -> None:
        """Press and release a button: 1 left, 2 middle, 3 right."""

    def key(self, combination: str) -> None:
        """Press and release keys in order; raise PlayStopped if one does not exist."""

    def close(self) -> None:
        """Close the connections."""


def open_devices() -> Devices:
    """Return the pointer and the keyboard of this desktop.

    Raises:
        NoWindow: If there is no display.
        MissingExtra: If the library is not installed.
    """
    # On Linux, pynput depends on a package that has to be compiled.
    return X11Devices() if sys.platform == "linux" else PynputDevices()


class X11Devices:
    """The pointer and the keyboard of an X11 display."""

    def __init__(self) -> None:
        from sapper.vision.x11 import X11Screen

        self._screen = X11Screen()

    def pointer(self) -> tuple[float, float]:
        """Return the pointer's position."""
        return self._screen.pointer()

    def move(self, x: float, y: float) -> None:
        """Move the pointer."""
        self._screen.move(round(x), round(y))

    def click(self, button: int, seconds: float) -> None:
        """Press and release a button."""
        self._screen.click(button, seconds)

    def key(self, combination: str) -> None:
        """Press and release keys in order."""
        self._screen.key(combination)

    def close(self) -> None:
        """Close the connection."""
        self._screen.close()


class PynputDevices:
    """The pointer and the keyboard of Windows, macOS or X11."""

    def __init__(self) -> None:
        # Importing pynput requires a display.
        try:
            import pynput
        except ModuleNotFoundError as missing:
            said = f"pynput is not installed: {pip_install('desktop')}"
            raise MissingExtra(said) from missing
        except ImportError as problem:
            reason = str(problem).splitlines()[0]
            raise NoWindow(f"no desktop: {reason}", Cause.NO_SCREEN) from None
        self._library: Any = pynput
        self._mouse: Any = pynput.mouse.Controller()
        self._keyboard: Any = pynput.keyboard.Controller()

    def pointer(self) -> tuple[float, float]:
        """Return the pointer's position."""
        x, y = self._mouse.position
        return x, y

    def move(self, x: float, y: float) -> None:
        """Move the pointer."""
        self._mouse.position = (x, y)

    def click(self, button: int, seconds: float) -> None:
        """Press and release a button."""
        buttons = self._library.mouse.Button
        pressed = {1: buttons.left, 2: buttons.middle, 3: buttons.right}[button]
        self._mouse.press(pressed)
        hold(seconds)
        self._mouse.release(pressed)

    def key(self, combination: str) -> None:
        """Press and release keys in order."""
        keys = [self._key(name) for name in combination.split("+")]
        for key in keys:
            self._keyboard.press(key)
        for key in reversed(keys):
            self._keyboard.release(key)

    def _key(self, name: str) -> Any:
        if len(name) == 1:
            return name
        key = getattr(self._library.keyboard.Key, _KEYS.get(name, name.lower()), None)
        if key is None:
            raise PlayStopped(f"the keyboard has no key {name!r}", Cause.KEY)
        return key

    def close(self) -> None:
        """Drop the connections, which pynput closes when they are garbage-collected."""
        self._mouse = self._keyboard = None
