"""Freesweep in a terminal of its own: its characters are read, its keys are pressed."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shlex
import struct
import subprocess
import termios
from types import TracebackType
from typing import Self

import numpy as np

from sapper.topology import Cell
from sapper.vision.errors import MissingExtra, NoBoard, NoWindow, PlayStopped
from sapper.vision.geometry import Geometry, Image
from sapper.vision.looks import LOOKS, MINE
from sapper.vision.playing.surface import PATIENCE, wait_for
from sapper.vision.reading import Reading

try:
    import pyte
except ImportError as missing:
    raise MissingExtra(
        "playing in a terminal needs pyte: pip install 'sapper[vision]'"
    ) from missing

__all__ = ["Freesweep", "read_text"]

_COLUMNS, _LINES = 200, 60
_FRAME = re.compile(r"\+(-{9,})\+")
_STEP = 3
"""Characters from cell to cell."""
_SHOWN = {" ": "0", "-": ".", "#": "F", "f": "F", "F": "F", "*": "*", "o": MINE, "x": "X", "X": "X"}


class Freesweep:
    """Freesweep, started in a pseudo-terminal. Use it as a context manager, or `close` it.

    Args:
        command: The command that starts it, with its options.

    Raises:
        NoWindow: If there is no such program.
    """

    name = "freesweep"
    flags_win = True

    def __init__(self, command: str) -> None:
        self._screen = pyte.Screen(_COLUMNS, _LINES)
        self._stream = pyte.ByteStream(self._screen)
        self._hand, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", _LINES, _COLUMNS, 0, 0))
        try:
            self._program = subprocess.Popen(
                shlex.split(command),
                stdin=inner,
                stdout=inner,
                stderr=inner,
                env={**os.environ, "TERM": "linux"},
                start_new_session=True,
            )
        except (OSError, ValueError) as problem:
            raise NoWindow(f"{command!r:.80} cannot be started: {problem}") from None
        finally:
            os.close(inner)
        self._await_board()

    def close(self) -> None:
        """End the program."""
        if self._program.poll() is None:
            self._program.terminate()
        self._program.wait()
        os.close(self._hand)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def lines(self) -> list[str]:
        """What the terminal shows."""
        return list(self._screen.display)

    def look(self) -> Reading:
        """What the board shows now."""
        self._take_in()
        return read_text(self.lines)

    def open(self, cell: Cell) -> None:
        """Go to the cell, and press the space bar."""
        self._go_to(cell)
        self._press(" ")

    def flag(self, cell: Cell) -> None:
        """Go to the cell, and press f."""
        self._go_to(cell)
        self._press("f")

    def begin(self, attempt: int) -> bool:
        """Press n; or any key first, where a message waits for one."""
        ways = ("n", " n", "\nn")
        if attempt >= len(ways):
            return False
        self._press(ways[attempt])
        return True

    def picture(self, cell: Cell) -> Image | None:
        """None: there are no pixels here."""
        return None

    def _await_board(self) -> None:
        deadline = PATIENCE
        while deadline > 0:
            self._take_in(0.05)
            deadline -= 0.05
            try:
                read_text(self.lines)
                return
            except NoBoard:
                continue
        self.close()
        raise NoBoard("the program shows no board that looks like freesweep's")

    def _take_in(self, seconds: float = 0.0) -> None:
        """Read what the program has written, waiting so long for it."""
        while select.select([self._hand], [], [], seconds)[0]:
            try:
                written = os.read(self._hand, 65536)
            except OSError:
                written = b""
            if not written:
                raise NoWindow("the program has ended")
            self._stream.feed(written)
            seconds = 0.0

    def _press(self, keys: str) -> None:
        try:
            os.write(self._hand, keys.encode())
        except OSError:
            raise NoWindow("the program has ended") from None

    def _go_to(self, cell: Cell) -> None:
        at = _cursor(self.lines)
        if at is None:
            raise PlayStopped("freesweep shows no cursor")
        down, right = cell.row - at.row, cell.col - at.col
        self._press(
            ("j" if down > 0 else "k") * abs(down) + ("l" if right > 0 else "h") * abs(right)
        )
        if not wait_for(self.look, lambda _: _cursor(self.lines) == cell, PATIENCE):
            raise PlayStopped(f"freesweep's cursor does not go to {cell}")


def read_text(lines: list[str]) -> Reading:
    """The board that a terminal shows: within a frame, cells three characters apart.

    Raises:
        NoBoard: If there is none, or something lies over it.
    """
    top, left, rows, columns = _frame(lines)
    looks = ""
    for row in range(rows):
        line = lines[top + 1 + row]
        looks += "".join(line[left + 2 + _STEP * col] for col in range(columns))
    told = "".join(c if c in LOOKS[:9] else _SHOWN.get(c, "?") for c in looks)
    sure = np.array([look != "?" for look in told], dtype=np.float64).reshape(rows, columns)
    said = re.search(r"Mines: +(\d+)", "\n".join(lines))
    return Reading(
        told.replace("?", ".").encode(),
        sure,
        Geometry(left + 2, top + 1, _STEP, rows, columns),
        "freesweep",
        int(said[1]) if said else None,
    )


def _frame(lines: list[str]) -> tuple[int, int, int, int]:
    """The line and column of the frame's corner, and the rows and columns within."""
    for top, line in enumerate(lines):
        for found in _FRAME.finditer(line):
            left, width = found.start(), len(found[1])
            bottom = top + 1
            while bottom < len(lines) and lines[bottom][left] == "|":
                bottom += 1
            closed = bottom < len(lines) and lines[bottom][left : found.end()] == found[0]
            if closed and width % _STEP == 0 and bottom - top > 4:
                return top, left, bottom - top - 1, width // _STEP
    raise NoBoard("the terminal shows no board")


def _cursor(lines: list[str]) -> Cell | None:
    """The cell between the marks of freesweep's cursor."""
    top, left, rows, columns = _frame(lines)
    for row in range(rows):
        line = lines[top + 1 + row]
        for col in range(columns):
            at = left + 2 + _STEP * col
            if line[at - 1] == "<" and line[at + 1] == ">":
                return Cell(row, col)
    return None
