"""The X11 screen: its windows, pixels, pointer and keyboard."""

from sapper.vision.x11.screen import X11Screen

__all__ = ["X11Screen"]
