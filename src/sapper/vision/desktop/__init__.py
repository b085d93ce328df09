"""The monitors of any desktop, through mss and pynput: Windows, macOS and X11."""

from sapper.vision.desktop.screen import DesktopScreen

__all__ = ["DesktopScreen"]
