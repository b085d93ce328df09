"""A web page as a screen, through Playwright, on Linux, macOS and Windows."""

from sapper.vision.browser.launch import Launch
from sapper.vision.browser.screen import BrowserScreen

__all__ = ["BrowserScreen", "Launch"]
