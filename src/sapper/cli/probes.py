"""Probes for the requirements of optional parts: a browser, a terminal, a screenshot.

Each probe returns its result or raises an error that gives the reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import Final

from sapper.errors import SapperError

__all__ = [
    "NotTried",
    "Unavailable",
    "bot_browser",
    "desktop",
    "display",
    "terminal",
    "web_browser",
]

_SLOWEST_S: Final = 60.0
"""Time limit for a browser's start, which takes several seconds on a busy machine."""
_OPENERS: Final = ("xdg-open", "gio", "gvfs-open", "gnome-open", "kfmclient", "exo-open")
"""Commands that open the desktop's default browser, even if none is installed."""
_DEFAULTS: Final = (
    *("x-www-browser", "firefox", "firefox-esr", "seamonkey", "epiphany", "konqueror"),
    *("chromium", "chromium-browser", "google-chrome"),
)
"""Browsers that xdg-open tries in order if the desktop has no default browser."""
_TEXT: Final = ("www-browser", "links", "elinks", "lynx", "w3m")
_CHROMIUMS: Final = ("chrom", "edge", "brave", "opera", "vivaldi")


class Unavailable(SapperError):
    """A requirement is not installed or cannot be started."""


class NotTried(SapperError):
    """A requirement could not be checked without showing a window."""


def web_browser(*, start: bool) -> str:
    """Return the browser that `sapper play` opens, after starting it without a window if asked.

    Raises:
        Unavailable: If there is no browser that runs the web app, or it does not start.
        NotTried: If the browser cannot be started without a window.
    """
    try:
        name = str(getattr(webbrowser.get(), "name", "default"))
    except webbrowser.Error:
        raise Unavailable("none that can be started from here") from None
    if sys.platform in ("win32", "darwin"):
        raise NotTried("the default browser of the system, not tried")
    command = _default_browser() if Path(name).name in _OPENERS else _command(name)
    if command is None:
        raise Unavailable(f"{name} finds no browser")
    kind = command.resolve().name.lower()
    if kind in _TEXT or command.name in _TEXT:
        raise Unavailable(f"{kind} cannot run the web app")
    if not start:
        return str(command)
    if (screen := os.environ.get("DISPLAY")) and not os.environ.get("WAYLAND_DISPLAY"):
        _open_display(screen, f"{command} has no display")
    with tempfile.TemporaryDirectory(prefix="sapper-doctor-", ignore_cleanup_errors=True) as folder:
        if any(part in kind for part in _CHROMIUMS):
            rootless = ["--no-sandbox"] if os.geteuid() == 0 else []
            options = ["--headless", *rootless, f"--user-data-dir={folder}", "--dump-dom"]
        elif "firefox" in kind:
            options = ["--headless", "--no-remote", "--profile", folder]
            options += ["--screenshot", str(Path(folder) / "page.png")]
        else:
            raise NotTried(f"{command}, not tried")
        _run([str(command), *options, "about:blank"])
    return f"{command} starts"


def _open_display(name: str, otherwise: str) -> None:
    """Open an X11 display if a library for it is installed."""
    try:
        from Xlib.display import Display
    except ImportError:
        return
    try:
        Display(name).close()
    except Exception as problem:
        raise Unavailable(f"{otherwise}: {problem}") from None


def _default_browser() -> Path | None:
    """Return the command of the desktop's default browser."""
    named = ""
    if ask := shutil.which("xdg-settings"):
        answer = subprocess.run(
            [ask, "get", "default-web-browser"], capture_output=True, text=True, check=False
        )
        named = answer.stdout.strip().removesuffix(".desktop")
    for name in (named, *_DEFAULTS):
        if name and (path := _command(name)):
            return path
    return None


def _command(name: str) -> Path | None:
    path = shutil.which(name)
    return None if path is None else Path(path)


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_SLOWEST_S,
        )
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{command[0]} does not start within {_SLOWEST_S:.0f} s") from None
    except OSError as problem:
        raise Unavailable(f"{command[0]} does not start: {problem.strerror}") from None
    if done.returncode:
        last = (done.stderr.strip() or f"exit status {done.returncode}").splitlines()[-1]
        raise Unavailable(f"{command[0]} does not start: {last}")


def bot_browser() -> str:
    """Start and close the browser that `sapper bot --url` uses.

    Raises:
        Unavailable: If no browser can be started.
    """
    from playwright.sync_api import sync_playwright

    from sapper.vision.browser import Launch
    from sapper.vision.errors import NoWindow

    with sync_playwright() as playwright:
        try:
            browser = Launch().start(playwright)
        except NoWindow as problem:
            # Drop the second half, which explains how to install a browser: the check's advice
            # already does.
            raise Unavailable(str(problem).partition(";")[0]) from None
        version = browser.version
        browser.close()
    return f"Chromium {version} starts"


def terminal() -> str:
    """Run a program in a separate terminal, as `sapper bot --terminal` does.

    Raises:
        Unavailable: If the program's text does not arrive.
    """
    from sapper.vision.errors import NoWindow
    from sapper.vision.terminal import Console

    with Console(f"'{sys.executable}' -c 'print(6 * 7)'", (24, 80)) as console:
        try:
            console.pump(_SLOWEST_S)
            console.pump(_SLOWEST_S)
        except NoWindow:
            # On Linux, this is raised once the program has exited.
            pass
        if console.text != "42":
            raise Unavailable("a program in a terminal of its own shows nothing")
    return "a terminal of its own works"


def display(name: str) -> str:
    """Take a screenshot of an X11 screen, which must accept clicks.

    Raises:
        NoWindow: If there is no X11 screen, or it does not accept clicks.
    """
    from sapper.vision.screen import Box
    from sapper.vision.x11 import X11Screen

    with X11Screen(name) as screen:
        whole = screen.box_of_screen()
        screen.capture(Box(0, 0, 1, 1))
    return f"{name}, {whole.width}x{whole.height}"


def desktop() -> str:
    """Take a screenshot of each monitor with the libraries of `--screen desktop`.

    Raises:
        NoWindow: If screenshots cannot be taken.
    """
    from sapper.vision.desktop import DesktopScreen
    from sapper.vision.screen import Box

    with DesktopScreen() as screen:
        boxes = [screen.box(window) for window in screen.windows()]
        for box in boxes:
            screen.capture(Box(box.x, box.y, 1, 1))
        screen.pointer()
    return ", ".join(f"monitor {box.width}x{box.height}" for box in boxes) or "no monitor"
