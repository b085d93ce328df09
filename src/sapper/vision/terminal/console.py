"""A headless terminal that runs a program and gives access to its screen."""

from __future__ import annotations

import errno
import os
import select
import shlex
import shutil
import signal
from collections.abc import Mapping
from time import monotonic
from typing import Any, cast

from sapper._util.installing import pip_install
from sapper._util.shortening import shortened, shown
from sapper.errors import BadSetting, MissingExtra
from sapper.vision.closing import Closing
from sapper.vision.errors import Cause, NoWindow, PlayStopped

try:
    import pyte
    from ptyprocess import PtyProcess, PtyProcessError
except ImportError as missing:
    raise MissingExtra(
        f"playing in a terminal needs pyte and ptyprocess: {pip_install('vision')}"
    ) from missing

__all__ = ["Console"]

_GAMES = "/usr/games"
"""Debian's directory for games, which is on the path of users but not of root and services."""
_KIND = "linux"
"""Terminal type that pyte emulates."""
_CHUNK = 1 << 16


class Console(Closing):
    """A program in a pseudo-terminal. Use it as a context manager, or `close` it.

    Attributes:
        name: Name of the command without its folder.
        size: Lines and columns of the terminal.
        writes: Number of outputs received from the program.
        outlived: Whether the screen can be read after the program has ended.

    Args:
        command: The command line, run without a shell.
        size: Lines and columns of the terminal.
        env: The program's environment (default: that of this process).

    Raises:
        BadSetting: If the command does not exist.
    """

    def __init__(
        self, command: str, size: tuple[int, int], env: Mapping[str, str] | None = None
    ) -> None:
        self.size = size
        environ = dict(os.environ if env is None else env)
        # These variables would override the actual terminal size.
        environ = {key: value for key, value in environ.items() if key not in ("LINES", "COLUMNS")}
        argv = _split(command)
        path = os.pathsep.join((environ.get("PATH", os.defpath), _GAMES))
        program = shutil.which(argv[0], path=path)
        if program is None:
            raise BadSetting(f"command not found: {shown(argv[0])}")
        self.name = os.path.basename(program)
        self._screen = cast("Any", pyte.Screen(size[1], size[0]))
        self._stream: Any = pyte.ByteStream(self._screen)
        # A program may query its terminal type.
        self._screen.write_process_input = self.write
        self.writes = 0
        self.outlived = False
        self._process: Any = PtyProcess.spawn(
            [program, *argv[1:]], dimensions=size, env={**environ, "TERM": _KIND}
        )
        self._ended = False
        self._lines = [" " * size[1]] * size[0]
        self._backgrounds = [[""] * size[1]] * size[0]

    def close(self) -> None:
        """End the program if it is still running."""
        self._process.delayafterclose = self._process.delayafterterminate = 0.02
        try:
            self._process.close(force=True)
        except PtyProcessError:
            # The program was killed, but on a busy system it may need longer than the delay to
            # exit.
            self._process.wait()
            self._process.close()

    @property
    def lines(self) -> list[str]:
        """Lines of the screen, each as wide as the terminal."""
        dirty: set[int] = self._screen.dirty
        for y in dirty:
            line = self._screen.buffer[y]
            # The second half of a wide character is empty.
            self._lines[y] = "".join(line[x].data or " " for x in range(self.size[1]))
            self._backgrounds[y] = [
                "reverse" if line[x].reverse else line[x].bg for x in range(self.size[1])
            ]
        dirty.clear()
        return self._lines

    @property
    def backgrounds(self) -> list[list[str]]:
        """Background of each character, a colour or ``reverse``, as one list per line."""
        _ = self.lines
        return self._backgrounds

    @property
    def text(self) -> str:
        """Text of the screen without trailing blanks."""
        return "\n".join(line.rstrip() for line in self.lines).strip("\n")

    @property
    def cursor(self) -> tuple[int, int]:
        """Line and column of the terminal's cursor."""
        return self._screen.cursor.y, self._screen.cursor.x

    def pump(self, seconds: float = 0.0) -> bool:
        """Read the program's output for up to `seconds`; return whether there was any.

        Raises:
            NoWindow: If the program has ended.
            PlayStopped: If the terminal was resized.
        """
        took, deadline = False, monotonic() + seconds
        while not self._ended:
            wait = 0.0 if took else max(0.0, deadline - monotonic())
            if not select.select([self._process.fd], [], [], wait)[0]:
                break
            took = self._take() or took
        if self._ended:
            if not self.outlived:
                raise NoWindow(self._farewell())
            return took
        size = tuple(self._process.getwinsize())
        if size != self.size:
            was, now = ("x".join(map(str, at)) for at in (self.size, size))
            raise PlayStopped(
                f"the terminal of {self.name} was resized from {was} to {now} lines", Cause.RESIZED
            )
        return took

    def write(self, keys: str) -> None:
        """Send keys to the program.

        Raises:
            NoWindow: If the program has ended.
        """
        try:
            self._process.write(keys.encode())
        except OSError:
            self._ended = True
            raise NoWindow(self._farewell()) from None

    def _take(self) -> bool:
        try:
            got = os.read(self._process.fd, _CHUNK)
        except OSError as problem:
            if problem.errno != errno.EIO:
                raise
            got = b""
        self._ended = not got
        if got:
            self._stream.feed(got)
            self.writes += 1
        return bool(got)

    def _farewell(self) -> str:
        """Describe how the program ended, with its last output."""
        process = self._process
        process.wait()
        if process.signalstatus is not None:
            how = f"killed by {signal.Signals(process.signalstatus).name}"
        else:
            how = f"exit status {process.exitstatus}"
        last_line = next((line.strip() for line in reversed(self.lines) if line.strip()), "")
        return f"{self.name} ended ({how}){': ' * bool(last_line)}{shortened(last_line, 120)}"


def _split(command: str) -> list[str]:
    try:
        argv = shlex.split(command)
    except ValueError as problem:
        raise BadSetting(f"invalid command line {shown(command, 120)}: {problem}") from None
    if not argv:
        raise BadSetting("--terminal needs a command, such as 'freesweep -f'")
    return argv
