"""A text-mode program with a board to play on: find and read the board, and press keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from time import time

from sapper._util.shortening import shortened
from sapper.topology import Cell
from sapper.vision.closing import Closing
from sapper.vision.errors import Cause, NoBoard, PlayStopped
from sapper.vision.geometry import Image
from sapper.vision.patience import Patience
from sapper.vision.playing.surface import PATIENCE
from sapper.vision.reading import Reading
from sapper.vision.terminal.board import TextGeometry, cursor_cell, find_board, read_screen
from sapper.vision.terminal.colour import coloured_cell, cursor_colour
from sapper.vision.terminal.console import Console
from sapper.vision.terminal.program import COLOUR, TextProgram, load_program

__all__ = ["TerminalSurface"]

_SIZE = (64, 256)
"""Lines and columns of the terminal, in which freesweep can show 77x58 cells."""
_WAYS = 3
"""Number of attempts to start a new game."""
_POLL = 0.05
"""Seconds between checks of an idle program."""
_LOST = 1.0
"""Seconds after which a cursor key counts as lost."""
_TICK = 0.02
"""Seconds by which a program's clock may lag, more than a kernel tick."""


class TerminalSurface(Closing):
    """A program in its own terminal. Use it as a context manager, or `close` it.

    Args:
        command: Command line of the program, such as ``freesweep -f -w 16 -h 16``.
        program: Looks and controls of the program (default: looked up by the command's name).
        size: Lines and columns of the terminal.
        env: The program's environment (default: that of this process).

    Raises:
        BadSetting: If the command does not exist, or the program is unknown.
        NoBoard: If there is no fresh board, or it is larger than the terminal.
        NoWindow: If the program ended immediately.
    """

    def __init__(
        self,
        command: str,
        program: TextProgram | None = None,
        *,
        size: tuple[int, int] = _SIZE,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._command = command, size, env
        self.console = Console(*self._command)
        try:
            self.program = program or load_program(self.console.name)
            self._colour: str | None = None
            self._single_keys = False
            self.console.outlived = not self.program.keys.new
            self._at = self._find()
            self.start = self._start()
            self._dealt = int(time())
            self._reading, self._read_at = self._read(), self.console.writes
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the program."""
        self.console.close()

    @property
    def name(self) -> str:
        """Name of the program."""
        return self.program.name

    @property
    def flags_win(self) -> bool:
        """Whether a game is won by flagging every mine instead of by opening cells."""
        return self.program.won_by_flags

    @property
    def message(self) -> float:
        """0, because nothing is drawn over the text."""
        return 0.0

    hold = 0.0
    """Unused: keys have no duration."""

    def look(self) -> Reading:
        """Return the current contents of the board."""
        self.console.pump()
        if self._read_at != self.console.writes:
            self._reading, self._read_at = self._read(), self.console.writes
        return self._reading

    def open(self, cell: Cell) -> None:
        """Move to the cell and press the key that opens it."""
        self._press(cell, self.program.keys.open)

    def flag(self, cell: Cell) -> None:
        """Move to the cell and press the key that sets or removes a flag."""
        self._press(cell, self.program.keys.flag)

    def begin(self, attempt: int) -> bool:
        """Press the key for a new game as soon as the program would deal a different one."""
        if attempt >= _WAYS:
            return False
        while self.program.deals_each_second and int(time() - _TICK) <= self._dealt:
            self.console.pump(self._dealt + 1 + _TICK - time())
        if not self.program.keys.new:
            self._start_again()
            return True
        before = self.look().looks
        self.console.write(self.program.keys.new)
        self.wait(lambda: self.look().looks != before and not self.is_over)
        self._dealt = int(time())
        return True

    def _start_again(self) -> None:
        """Restart the program for another game."""
        self.console.close()
        self.console = Console(*self._command)
        self.console.outlived = True
        self._at = self._find()
        self._start()
        self._dealt = int(time())
        self._reading, self._read_at = self._read(), self.console.writes

    def uncover(self, attempt: int) -> bool:
        """Return False, because nothing is drawn over the board."""
        return False

    def total(self) -> int | None:
        """Return the mine total that the program shows."""
        return self.look().mines

    def picture(self, cell: Cell) -> Image | None:
        """Return None, because a terminal has no pixels."""
        return None

    @property
    def is_over(self) -> bool:
        """Return whether the program reports that the game is won or lost."""
        return self._says(self.program.won) or self._says(self.program.lost)

    def settle(self, result: str) -> None:
        """Check that the program agrees that the game was ``won`` or ``lost``.

        Raises:
            PlayStopped: If the program reports something else or nothing.
        """
        pattern = self.program.won if result == "won" else self.program.lost
        if pattern is not None and not self.wait(lambda: self._says(pattern)):
            raise PlayStopped(
                f"{self.name} does not report that the game is {result}", Cause.DISAGREES
            )

    def wait(self, done: Callable[[], bool], seconds: float = PATIENCE / 3) -> bool:
        """Read the program's output until `done` returns true; return False on timeout."""
        patience = Patience(seconds)
        while not done():
            if patience.is_over():
                return False
            self.console.pump(_POLL)
        return True

    def _press(self, cell: Cell, key: str) -> None:
        """Move to a cell, check that the cursor has arrived, and press a key."""
        self.console.pump()
        if self.is_over:
            raise PlayStopped(f"{self.name} reports that the game is over", Cause.DISAGREES)
        here = self._cursor()
        if here is None:
            raise PlayStopped(f"{self.name} shows no cursor on its board", Cause.CURSOR)
        if not self._single_keys:
            self.console.write("".join(self._steps(here, cell)))
            self._single_keys = not self.wait(lambda: self._cursor() == cell)
        if self._single_keys:
            self._go(cell)
        self.console.write(key)

    def _steps(self, here: Cell, cell: Cell) -> list[str]:
        """Return the keys that move the cursor from one cell to another."""
        keys, down, right = self.program.keys, cell.row - here.row, cell.col - here.col
        steps = [keys.down if down > 0 else keys.up] * abs(down)
        return steps + [keys.right if right > 0 else keys.left] * abs(right)

    def _go(self, cell: Cell) -> None:
        """Move the cursor key by key, because some programs lose keys sent together."""
        for _ in range(2 * (self._at.rows + self._at.columns)):
            here = self._cursor()
            if here == cell:
                return
            if here is None or not self._moves(here, self._steps(here, cell)[0]):
                break
        raise PlayStopped(f"the cursor of {self.name} did not reach {cell}", Cause.CURSOR)

    def _moves(self, here: Cell, key: str) -> bool:
        """Press a key, repeating it if it was lost; return whether the cursor has left its cell."""
        for _ in range(_WAYS):
            self.console.write(key)
            if self.wait(lambda: self._cursor() not in (here, None), _LOST):
                # Keys pressed before the program waits for input are lost.
                self.console.pump(_POLL)
                return True
        return False

    def _cursor(self) -> Cell | None:
        if self.program.cursor == COLOUR:
            backgrounds = self.console.backgrounds
            if self._colour is None:
                self._colour = cursor_colour(backgrounds, self._at)
            if self._colour is None:
                return None
            return coloured_cell(backgrounds, self._at, self._colour)
        return cursor_cell(self.console.lines, self.console.cursor, self.program, self._at)

    def _read(self) -> Reading:
        return read_screen(self.console.lines, self.program, self._at)

    def _says(self, pattern: str | None) -> bool:
        return pattern is not None and re.search(pattern, self.console.text) is not None

    def _find(self) -> TextGeometry:
        """Return the board once the program has drawn it."""
        boards: list[TextGeometry] = []
        problem: list[NoBoard] = []

        def is_drawn() -> bool:
            try:
                boards[:] = [find_board(self.console.lines, self.program)]
            except NoBoard as why:
                problem[:] = [why]
            return bool(boards)

        if not self.wait(is_drawn, PATIENCE):
            text = next((line.strip() for line in self.console.lines if line.strip()), "nothing")
            raise NoBoard(f"{problem[0]}; its first line: {shortened(text)}")
        return boards[0]

    def _start(self) -> Cell:
        """Return the cell under the cursor at the start of a game."""
        cursors: list[Cell | None] = []

        def has_cursor() -> bool:
            cursors[:] = [self._cursor()]
            return cursors[0] is not None

        if not self.wait(has_cursor) or cursors[0] is None:
            raise NoBoard(f"{self.name} shows no cursor on its board", Cause.CURSOR)
        return cursors[0]
