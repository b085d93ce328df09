"""A separate screen on which real programs run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

from Xlib import X
from Xlib.display import Display

from sapper import vision
from sapper.solver.bots import Bot, make_bot
from sapper.vision.playing import Log, Player
from sapper.vision.playing.window import WindowSurface, choose_window
from sapper.vision.screen import Screen, Window
from sapper.vision.theme import Theme
from sapper.vision.x11 import X11Screen
from support import waiting

__all__ = ["Desktop", "missing", "until"]

_PATH = os.environ.get("PATH", "") + os.pathsep + "/usr/games"
_SIZE = "1280x1024x24"


class Desktop:
    """An Xvfb with or without a window manager, and the programs started on it."""

    def __init__(self, home: Path) -> None:
        read, write = os.pipe()
        # Xvfb picks a free display and reports it.
        self._server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", _SIZE, "-nolisten", "tcp"],
            pass_fds=[write],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as told:
            self.display = f":{told.readline().strip()}"
        self._home = home
        (home / "run").mkdir(mode=0o700)
        self._programs: list[subprocess.Popen[bytes]] = []
        self.screen = X11Screen(self.display)

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment for programs on this screen, without the user's settings."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("DBUS", "XDG", "WAYLAND"))}
        home = str(self._home)
        return {
            **kept,
            "DISPLAY": self.display,
            "HOME": home,
            "PATH": _PATH,
            "LC_ALL": "C.UTF-8",
            "XDG_RUNTIME_DIR": f"{home}/run",
        }

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        """Start a program and its children in a new process group."""
        program = subprocess.Popen(
            command,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._programs.append(program)
        return program

    def manage(self) -> None:
        """Start a window manager, and wait until it shows windows."""
        self.start("openbox")
        until(lambda: self.screen.managed, "openbox")
        # The window manager announces itself before it listens, so it misses windows opened in
        # between.
        probe = Display(self.display)
        try:
            root = probe.screen().root
            window = root.create_window(0, 0, 50, 50, 0, X.CopyFromParent)

            def framed() -> bool:
                window.map()
                return bool(window.query_tree().parent != root)

            until(framed, "a window with a frame")
        finally:
            probe.close()

    def window(self, kind: str) -> Window:
        """Return the window of this class once its board no longer changes."""
        found: list[Window] = []
        last: list[bytes] = []

        def shown() -> bool:
            found[:] = [w for w in self.screen.windows() if kind in w.kind.lower()]
            if not found:
                return False
            image = self.screen.capture(self.screen.box(found[0]))
            try:
                at = vision.find_geometry(image)
            except vision.NoBoard:
                return False
            # Compare only the board, because some programs start their clock immediately.
            last[:] = [*last[-1:], at.cut(image).tobytes()]
            return last.count(last[-1]) == 2

        until(shown, kind)
        return found[0]

    def player(
        self,
        kind: str,
        mines: int | None = None,
        log: Path | None = None,
        on: Screen | None = None,
        bot: Bot | None = None,
    ) -> Player:
        """Return a player that lets a bot play in the window of this class.

        Args:
            kind: A part of the window's class.
            mines: The mine total, if given.
            log: The directory of the log.
            on: The backend to play through (default: X11).
            bot: The bot (default: exact).
        """
        self.window(kind)
        screen = self.screen if on is None else on
        chosen: list[tuple[Window, Theme]] = []

        def readable() -> bool:
            # Two equal pictures in a row are not enough: both may be half drawn. Only the X11
            # backend can list windows.
            chosen[:] = [choose_window(screen, kind if on is None else None)]
            return True

        until(readable, f"a board of {kind} that can be read")
        [(window, theme)] = chosen
        return Player(
            WindowSurface(screen, window, theme), bot or make_bot("exact"), mines, Log(log)
        )

    def clear(self) -> None:
        """End all programs."""
        for program in self._programs:
            if program.poll() is None:
                os.killpg(program.pid, signal.SIGKILL)
            program.wait()
        self._programs.clear()
        # The X server notices only after a delay that a program has exited.
        until(lambda: not (self.screen.windows() or self.screen.managed), "an empty screen")

    def stop(self) -> None:
        """Stop the programs and the screen."""
        self.clear()
        self.screen.close()
        self._server.terminate()
        self._server.wait()


def until(done: Callable[[], bool], what: str) -> None:
    """Wait for an event on the screen while windows may come and go.

    Raises:
        TimeoutError: If it does not happen.
    """

    def seen() -> bool:
        try:
            return done()
        except vision.NoWindow:
            return False

    waiting.until(seen, what)


def missing(*programs: str) -> list[str]:
    """Return which of the programs are not installed."""
    return [name for name in programs if shutil.which(name, path=_PATH) is None]
