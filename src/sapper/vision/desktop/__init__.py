"""The monitors of a Windows, macOS or X11 desktop, through mss and pynput."""

from sapper.vision.desktop.screen import DesktopScreen

__all__ = ["DesktopScreen"]
