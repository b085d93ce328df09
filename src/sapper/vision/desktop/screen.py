"""The monitors, pointer and keyboard of any desktop."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sapper._util.installing import pip_install
from sapper.errors import MissingExtra
from sapper.vision.desktop.devices import Devices, open_devices
from sapper.vision.errors import Cause, NoWindow, PlayStopped
from sapper.vision.geometry import Image
from sapper.vision.patience import HOLDS
from sapper.vision.screen import Box, Screen, Window

try:
    import mss
    from mss.exception import ScreenShotError
except ImportError as missing:
    raise MissingExtra(f"mss is not installed: {pip_install('desktop')}") from missing

__all__ = ["DesktopScreen"]


class DesktopScreen(Screen):
    """The monitors of this desktop. Windows cannot be listed; only visible boards can be played.

    High-resolution displays have several pixels per desktop unit; all coordinates are in pixels.

    Args:
        devices: The pointer and the keyboard (default: those of this desktop).

    Raises:
        NoWindow: If there is no display, or no access to its contents, the pointer or the keyboard.
    """

    def __init__(self, devices: Devices | None = None) -> None:
        try:
            self._capture = mss.MSS()
            self._devices = devices or open_devices()
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
        self._devices.close()

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
        x, y = self._devices.pointer()
        ratio = self._ratio(lambda whole, r: whole.contains(Box(int(x * r), int(y * r), 1, 1)))
        return round(x * ratio), round(y * ratio)

    def _ratio(self, holds: Any) -> float:
        return next((r for whole, r in self._monitors if holds(whole, r)), self.pixel_ratio)

    def move(self, x: int, y: int) -> None:
        """Move the pointer."""
        ratio = self._ratio(lambda whole, _: whole.contains(Box(x, y, 1, 1)))
        at = (x / ratio, y / ratio) if ratio != 1 else (x, y)
        self._devices.move(*at)

    def click(self, button: int = 1, seconds: float = HOLDS[0]) -> None:
        """Click at the pointer: 1 left, 2 middle, 3 right."""
        self._devices.click(button, seconds)

    def key(self, combination: str) -> None:
        """Press and release keys in order.

        Raises:
            PlayStopped: If the keyboard has no such key.
        """
        self._devices.key(combination)

    def new_game_ways(self, window: Window) -> tuple[str, ...]:
        """Return the keys and buttons of most programs, except keys that browsers use."""
        return ("F2", "n", "corner", "face")
