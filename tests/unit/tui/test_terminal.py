"""`sapper tui` in a real pseudo-terminal, read with a terminal emulator."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pyte
import pytest
from ptyprocess import PtyProcess

COLUMNS, ROWS = 40, 20
PATIENCE_S = 300
MOST_READS = 1000
"""While the clock runs, something is drawn every second."""
_STYLE = re.compile(rb"\x1b\[([0-9;:]*)m")


class Terminal:
    """A program in a terminal with 40 columns and 20 rows."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self.screen)
        self.written = b""
        # A terminal size in the environment, such as the one set by pytest-xdist, overrides the
        # real size.
        kept = {name: os.environ[name] for name in os.environ if name not in ("COLUMNS", "LINES")}
        self.process = PtyProcess.spawn(
            [sys.executable, "-c", "from sapper.cli import main; main()", "tui", *arguments],
            dimensions=(ROWS, COLUMNS),
            env={**kept, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment},
        )

    def wait(self, until: Callable[[str], object]) -> str:
        """Read the screen until it shows the text, and return it.

        A frame arrives in pieces, so the rest of the screen may be outdated.
        """
        for _ in range(MOST_READS):
            if until(self.text):
                return self.text
            ready, _, _ = select.select([self.process.fd], [], [], PATIENCE_S)
            assert ready, f"nothing was drawn any more:\n{self.text}"
            piece = os.read(self.process.fd, 65536)
            self.written += piece
            self._stream.feed(piece)
        raise AssertionError(f"what was waited for was not drawn:\n{self.text}")

    def press(self, keys: str) -> None:
        """Send keys."""
        self.process.write(keys.encode())

    @property
    def text(self) -> str:
        """Return the lines of the screen."""
        return "\n".join(self.screen.display)

    @property
    def board(self) -> list[str]:
        """Return the rows of a Beginner board."""
        return [line[:18] for line in self.screen.display[1:10]]


@pytest.fixture
def start() -> Iterator[Callable[..., Terminal]]:
    """A function that starts terminals; those still running are stopped at the end."""
    started: list[Terminal] = []

    def begin(*arguments: str, **environment: str) -> Terminal:
        started.append(Terminal(*arguments, **environment))
        return started[-1]

    yield begin
    for terminal in started:
        if terminal.process.isalive():
            # Kill the program: `close` is gentler, but soon gives up.
            terminal.process.kill(signal.SIGKILL)
            terminal.process.wait()
        terminal.process.close()


def test_game_can_be_played_through(start: Callable[..., Terminal], tmp_path: Path) -> None:
    """H and Enter win the game hint by hint, G lists it, and Q quits."""
    terminal = start("--seed", "7", "--rules", "no-guess", SAPPER_HOME=str(tmp_path))
    terminal.wait(lambda text: "Ready" in text and "Enter opens" in text)
    terminal.press("\r")
    terminal.wait(lambda text: "Playing" in text)
    # The program asks first, because the game will no longer count.
    terminal.press("h")
    terminal.wait(lambda text: "Press H again" in text)

    def won(text: str) -> bool:
        return "Won" in text.splitlines()[0]

    for _ in range(81):
        terminal.press("h")
        # The screen may be read between a move and the win message.
        if won(terminal.wait(lambda text: "Open row" in text or won(text))):
            break
        terminal.press("\r")
        terminal.wait(lambda text: "Open row" not in text and "<" not in text)
    terminal.wait(lambda text: won(text) and "".join(terminal.board).count("F") == 10)
    terminal.press("g")
    terminal.wait(lambda text: "All games: 1 played, 1 won" in text and "No guess" in text)
    terminal.press("\r")
    terminal.wait(lambda text: "Before the first click." in text)
    terminal.press("\x1b[F")
    terminal.wait(lambda text: "proved safe" in text)
    terminal.press("q")
    terminal.wait(lambda text: "1 played" in text)
    terminal.press("q")
    terminal.wait(lambda text: text.startswith("Mines 0 "))
    terminal.press("q")
    assert terminal.process.wait() == 0


def test_no_color_output_has_no_colours(start: Callable[..., Terminal]) -> None:
    """If NO_COLOR is set, no cell colour is written, even with the overlay on."""
    terminal = start("--seed", "7", NO_COLOR="1")
    terminal.wait(lambda text: "Enter opens" in text)
    terminal.press("\raaa")
    terminal.wait(lambda text: "+" in "".join(terminal.board))
    cells = [terminal.screen.buffer[row][col] for row in range(1, 10) for col in range(18)]
    assert {cell.fg for cell in cells} == {"default"}
    assert {cell.bg for cell in cells} == {"default"}


def test_the_mouse_opens_and_flags(start: Callable[..., Terminal]) -> None:
    """Clicks that the terminal reports open and flag the cells under the pointer."""
    terminal = start("--seed", "7")
    terminal.wait(lambda text: "Enter opens" in text)

    def click(row: int, col: int, button: int) -> None:
        # A press and a release as xterm reports them, with columns and rows counted from 1.
        at = f"{button};{2 * col + 1};{row + 2}"
        terminal.press(f"\x1b[<{at}M\x1b[<{at}m")

    assert terminal.board == ["· " * 9] * 9
    click(4, 4, 0)
    # In this game, row 0 stays unopened at its left end, and row 8 is the last row that is open
    # there.
    terminal.wait(lambda text: "Playing" in text and terminal.board[8].startswith("  "))
    click(0, 0, 2)
    terminal.wait(lambda text: "Mines 9" in text and terminal.board[0].startswith("F"))


def test_ctrl_z_suspends_the_game(start: Callable[..., Terminal], tmp_path: Path) -> None:
    """The key was swallowed, and what was typed for the shell played the game."""
    terminal = start("--seed", "7", SAPPER_HOME=str(tmp_path))
    terminal.wait(lambda text: "Ready" in text and "Enter opens" in text)
    terminal.press("\x1a")
    _, status = os.waitpid(terminal.process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    terminal.screen.reset()
    os.kill(terminal.process.pid, signal.SIGCONT)
    terminal.wait(lambda text: "Ready" in text and "Enter opens" in text)


def test_no_colour_is_used_if_unwanted(start: Callable[..., Terminal], tmp_path: Path) -> None:
    """No screen writes a code of a colour, at any time.

    The status line was black on black, and keys and frames had colours.
    """
    terminal = start("--seed", "7", SAPPER_HOME=str(tmp_path), NO_COLOR="1")
    terminal.wait(lambda text: "Enter opens" in text and "? Keys" in text)
    terminal.press("\r")
    terminal.wait(lambda text: "Playing" in text and "? Keys" in text)
    for key, shown in (("?", "move the cursor"), ("m", "Rule set")):
        terminal.press(key)
        terminal.wait(re.compile(shown).search)
        terminal.press("\x1b")
        terminal.wait(re.compile(rf"(?s)^(?!.*{shown}).*\? Keys").search)
    terminal.press("h")
    terminal.wait(lambda text: "With help" in text)
    styles = {
        int(code)
        for codes in _STYLE.findall(terminal.written)
        for code in codes.split(b";")
        if code
    }
    assert 1 in styles
    assert styles <= {*range(30), 39, 49}


def test_dumb_terminal_is_rejected(start: Callable[..., Terminal], tmp_path: Path) -> None:
    """It cannot move the cursor, and showed control characters."""
    terminal = start(SAPPER_HOME=str(tmp_path), TERM="dumb")
    terminal.wait(lambda text: "TERM is dumb" in text.replace("\n", ""))
    assert terminal.process.wait() == 2
