"""Windows of an X11 screen: find them, capture them, and send pointer and key events."""

from sapper.vision.x11.screen import Screen
from sapper.vision.x11.window import Box, Window

__all__ = ["Box", "Screen", "Window"]
