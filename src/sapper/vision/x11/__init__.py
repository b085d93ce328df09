"""Windows of an X11 screen: finding them, seeing them, and pointer and keys sent to them."""

from sapper.vision.x11.screen import Screen
from sapper.vision.x11.window import Box, Window

__all__ = ["Box", "Screen", "Window"]
