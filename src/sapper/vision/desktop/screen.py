"""The monitors, pointer and keyboard of any desktop."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sapper.errors import MissingExtra
from sapper.vision.errors import Cause, NoWindow, PlayStopped
from sapper.vision.geometry import Image
from sapper.vision.patience import HOLDS, hold
from sapper.vision.screen import Box, Screen, Window

try:
    import mss
    from mss.exception import ScreenShotError
except ImportError as missing:
    raise MissingExtra("mss is not installed: pip install 'sapper[desktop]'") from missing

__all__ = ["DesktopScreen"]

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


class DesktopScreen(Screen):
    """The monitors of this desktop. Windows cannot be listed; only visible boards can be played.

    High-resolution displays have several pixels per desktop unit; all coordinates are in pixels.

    Raises:
        NoWindow: If there is no display, or no access to its contents, the pointer or the keyboard.
    """

    def __init__(self) -> None:
        try:
            self._capture = mss.MSS()
            self._mouse, self._keyboard, self._pynput = _devices()
            self._monitors = [self._monitor(monitor) for monitor in self._capture.monitors[1:]]
        except (ScreenShotError, OSError) as problem:
            raise NoWindow(f"no desktop: {problem}", Cause.NO_SCREEN) from None
        self.pixel_ratio = max((ratio for _, ratio in self._monitors), default=1.0)

    def _monitor(self, monitor: dict[str, Any]) -> tuple[Box, float]:
        """Return a monitor's box in pixels, and its number of pixels per unit."""
        left, top, width, height = (int(monitor[k]) for k in ("left", "top", "width", "height"))
        corner = {"left": left, "top": top, "width": 8, "height": 8}
        ratio = self._capture.grab(corner).width / 8
        return Box(*(round(side * ratio) for side in (left, top, width, height))), ratio

    def close(self) -> None:
        """Close the connections to the display."""
        self._capture.close()
        # pynput closes its own connections when they are garbage-collected.
        self._mouse = self._keyboard = None

    def windows(self) -> list[Window]:
        """Return the monitors."""
        return [Window(i, i, f"monitor {i + 1}", "monitor") for i in range(len(self._monitors))]

    def box(self, window: Window) -> Box:
        """Return the box of a monitor."""
        return self._monitors[window.id][0]

    def capture(self, box: Box) -> Image:
        """Return the pixels of a box as RGB, of shape (height, width, 3)."""
        ratio = next((r for whole, r in self._monitors if whole.contains(box)), None)
        if ratio is None:
            raise PlayStopped(f"part of the board is outside the monitor: {box}", Cause.OFF_SCREEN)
        left, top = math.floor(box.x / ratio), math.floor(box.y / ratio)
        region = {
            "left": left,
            "top": top,
            "width": math.ceil((box.x + box.width) / ratio) - left,
            "height": math.ceil((box.y + box.height) / ratio) - top,
        }
        try:
            shot = self._capture.grab(region)
        except ScreenShotError as problem:
            raise NoWindow(f"no picture of the desktop: {problem}", Cause.NO_SCREEN) from None
        pixels = np.frombuffer(shot.bgra, dtype=np.uint8).reshape(shot.height, shot.width, 4)
        x, y = box.x - round(left * ratio), box.y - round(top * ratio)
        cut = pixels[y : y + box.height, x : x + box.width, 2::-1]
        return np.ascontiguousarray(cut)

    def covering(self, window: Window, box: Box) -> Window | None:
        """Return None; covered cells are unreadable."""
        return None

    def is_there(self, window: Window) -> bool:
        """Return True, because monitors do not close."""
        return True

    def focus(self, window: Window) -> None:
        """Do nothing, because the last click has focused the board's window."""

    def pointer(self) -> tuple[int, int]:
        """Return the pointer's position."""
        x, y = self._mouse.position
        ratio = self._ratio(lambda whole, r: whole.contains(Box(int(x * r), int(y * r), 1, 1)))
        return round(x * ratio), round(y * ratio)

    def _ratio(self, holds: Any) -> float:
        return next((r for whole, r in self._monitors if holds(whole, r)), self.pixel_ratio)

    def move(self, x: int, y: int) -> None:
        """Move the pointer."""
        ratio = self._ratio(lambda whole, _: whole.contains(Box(x, y, 1, 1)))
        at = (x / ratio, y / ratio) if ratio != 1 else (x, y)
        self._mouse.position = at

    def click(self, button: int = 1, seconds: float = HOLDS[0]) -> None:
        """Click at the pointer: 1 left, 2 middle, 3 right."""
        buttons = self._pynput.mouse.Button
        pressed = {1: buttons.left, 2: buttons.middle, 3: buttons.right}[button]
        self._mouse.press(pressed)
        hold(seconds)
        self._mouse.release(pressed)

    def key(self, combination: str) -> None:
        """Press and release keys in order.

        Raises:
            PlayStopped: If the keyboard has no such key.
        """
        keys = [self._key(name) for name in combination.split("+")]
        for key in keys:
            self._keyboard.press(key)
        for key in reversed(keys):
            self._keyboard.release(key)

    def _key(self, name: str) -> Any:
        if len(name) == 1:
            return name
        key = getattr(self._pynput.keyboard.Key, _KEYS.get(name, name.lower()), None)
        if key is None:
            raise PlayStopped(f"the keyboard has no key {name!r}", Cause.KEY)
        return key

    def new_game_ways(self, window: Window) -> tuple[str, ...]:
        """Return the keys and buttons of most programs, except keys that browsers use."""
        return ("F2", "n", "corner", "face")


def _devices() -> tuple[Any, Any, Any]:
    """Return the pointer, the keyboard and pynput, which requires a display when imported."""
    try:
        import pynput
    except ModuleNotFoundError as missing:
        raise MissingExtra("pynput is not installed: pip install 'sapper[desktop]'") from missing
    except ImportError as problem:
        raise NoWindow(f"no desktop: {str(problem).splitlines()[0]}", Cause.NO_SCREEN) from None
    return pynput.mouse.Controller(), pynput.keyboard.Controller(), pynput
