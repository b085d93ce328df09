"""The monitors of a Windows, macOS or X11 desktop, through mss, X11 and pynput."""

from sapper.vision.desktop.screen import DesktopScreen

__all__ = ["DesktopScreen"]
