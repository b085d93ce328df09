"""The screen that `sapper bot` plays on."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from sapper.errors import BadSetting

if TYPE_CHECKING:
    from sapper.vision.screen import Screen

__all__ = ["ScreenChoice", "ScreenKind", "open_screen"]


class ScreenKind(StrEnum):
    """Screen backends."""

    X11 = "x11"
    DESKTOP = "desktop"
    BROWSER = "browser"


@dataclass(frozen=True)
class ScreenChoice:
    """A screen, with settings for browsers.

    Attributes:
        kind: The backend.
        url: URL of the page; for browsers only.
        visible: Whether to show the browser's window.
        channel: Name of an installed browser.
        path: Path of a browser's executable.
        pixel_ratio: Device pixels per CSS pixel; None detects it.
    """

    kind: ScreenKind
    url: str | None
    visible: bool
    channel: str | None
    path: Path | None
    pixel_ratio: float | None

    @classmethod
    def of(
        cls,
        kind: ScreenKind | None,
        url: str | None,
        visible: bool,
        channel: str | None,
        path: Path | None,
        pixel_ratio: float | None,
    ) -> ScreenChoice:
        """Choose the screen from the options and the system.

        Raises:
            BadSetting: If the settings contradict each other.
        """
        if url is None and kind is ScreenKind.BROWSER:
            raise BadSetting("--screen browser needs --url")
        if url is not None and kind not in (None, ScreenKind.BROWSER):
            raise BadSetting(f"--url is played in a browser, not with --screen {kind}")
        if url is None and (visible or channel or path or pixel_ratio is not None):
            raise BadSetting("--visible, --browser-... and --pixel-ratio need --url")
        if channel is not None and path is not None:
            raise BadSetting("--browser-channel and --browser-path cannot be used together")
        if kind is None:
            kind = ScreenKind.BROWSER if url is not None else _of_system()
        return cls(kind, url, visible, channel, path, pixel_ratio)


def _of_system() -> ScreenKind:
    """Return the default screen: X11 if present, since the desktop backend cannot list windows."""
    return ScreenKind.DESKTOP if sys.platform in ("win32", "darwin") else ScreenKind.X11


def open_screen(choice: ScreenChoice) -> Screen:
    """Open the screen.

    Raises:
        NoWindow: If there is no screen.
    """
    if choice.kind is ScreenKind.BROWSER:
        from sapper.vision.browser import BrowserScreen, Launch

        assert choice.url is not None
        launch = Launch(choice.visible, choice.channel, choice.path)
        return BrowserScreen(choice.url, launch, choice.pixel_ratio)
    if choice.kind is ScreenKind.DESKTOP:
        from sapper.vision.desktop import DesktopScreen

        return DesktopScreen()
    from sapper.vision.x11 import X11Screen

    return X11Screen()
