"""Find and start a browser."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from sapper._util.installing import pip_install
from sapper.errors import BadSetting, MissingExtra
from sapper.vision.errors import Cause, NoWindow

try:
    from playwright.sync_api import Browser, Error, Playwright
except ImportError as missing:
    raise MissingExtra(f"Playwright is not installed: {pip_install('browser')}") from missing

__all__ = ["Launch", "installed_browser"]

_INSTALLED = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
"""Commands of browsers in Linux distributions."""
_QUIET = ("--no-first-run", "--disable-background-networking")
_SLOWEST = 300_000
"""Timeout for starting a browser in milliseconds, sufficient on a busy machine."""


def installed_browser(*, visible: bool = False) -> Path | None:
    """Return the browser named in ``SAPPER_CHROMIUM``, or an installed one, or None.

    Args:
        visible: Whether the browser must be able to show a window.
    """
    named = os.environ.get("SAPPER_CHROMIUM")
    # The headless shell is Chromium without its windows.
    for name in (named, *(_INSTALLED[:-1] if visible else _INSTALLED)):
        if name and (path := shutil.which(name)):
            return Path(path)
    return None


@dataclass(frozen=True)
class Launch:
    """The browser to start, and its options.

    Attributes:
        visible: Whether to show its window.
        channel: Playwright's name of an installed browser: ``chrome``, ``msedge``, ...
        executable: The path of a Chromium, Chrome or Edge.
    """

    visible: bool = False
    channel: str | None = None
    executable: Path | None = None

    def start(self, playwright: Playwright) -> Browser:
        """Start the browser.

        Without a channel or executable, this is Playwright's own Chromium if installed, otherwise
        the browser named in ``SAPPER_CHROMIUM`` or installed on the system.

        Raises:
            BadSetting: If the executable does not exist.
            NoWindow: If no browser can be started.
        """
        if self.executable is not None and not self.executable.is_file():
            raise BadSetting(f"there is no browser at {str(self.executable)!r}")
        path = self.executable
        if path is None and self.channel is None:
            path = self._installed(playwright)
        # Chromium cannot run as root with its sandbox.
        rootless = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        try:
            return playwright.chromium.launch(
                executable_path=path,
                channel=self.channel,
                headless=not self.visible,
                args=[*_QUIET, *rootless],
                timeout=_SLOWEST,
                # The bot handles Ctrl-C itself: it writes the log first, then closes the browser.
                handle_sigint=False,
            )
        except Error as problem:
            reason = str(problem).strip().splitlines()[0]
            raise NoWindow(
                f"no browser could be started: {reason}; install one with "
                "'playwright install chromium'",
                Cause.NO_BROWSER,
            ) from None

    def _installed(self, playwright: Playwright) -> Path | None:
        own = Path(playwright.chromium.executable_path)
        if not os.environ.get("SAPPER_CHROMIUM") and own.exists():
            return None
        return installed_browser(visible=self.visible)
