"""Debian's freesweep in a real pseudo-terminal."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from ptyprocess import PtyProcess

from sapper.solver.bots import make_bot
from sapper.topology import Cell
from sapper.vision import NoBoard, NoWindow, PlayStopped
from sapper.vision.looks import to_cells
from sapper.vision.playing import Log
from sapper.vision.terminal import TerminalPlayer, TerminalSurface
from support.patience import PATIENCE, wait_long
from support.waiting import until

SMALL = "freesweep -f -w 10 -h 10 -% 12"
TRIES = 30


@pytest.fixture(autouse=True)
def home(need: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder for freesweep's settings and best times."""
    need("freesweep")
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture(autouse=True)
def impatience(monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """Wait for the terminal without a time limit."""
    return wait_long(monkeypatch)


def mines_around(rows: list[str], row: int, col: int) -> int:
    """Return the number of mines around a cell at the end of a game."""
    near = [(row + a, col + b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
    inside = [(r, c) for r, c in near if 0 <= r < len(rows) and 0 <= c < len(rows[0])]
    return sum(rows[r][c] in "F*" for r, c in inside)


def misread(rows: list[str], lines: list[str]) -> int:
    """Return the cells that differ from freesweep's drawing or its mines.

    The layout was measured: the first cell is in line 1, column 2, and cells are three characters
    apart.
    """
    drawn = {"-": ".", " ": "0", "#": "F", "o": "*", "x": "F"}
    wrong = 0
    for r, row in enumerate(rows):
        for c, seen in enumerate(row):
            there = lines[1 + r][2 + 3 * c]
            number = seen.isdigit() and int(seen) != mines_around(rows, r, c)
            wrong += number or seen != drawn.get(there, there)
    return wrong


@pytest.mark.parametrize("bot", ["exact", "groups"])
def test_game_is_won_without_misreading_a_cell(tmp_path: Path, bot: str) -> None:
    """All numbers of a game are compared with the mines revealed at its end."""
    results, boards, wrong = [], [], 0
    with TerminalSurface(SMALL) as surface:
        player = TerminalPlayer(surface, make_bot(bot), log=Log(tmp_path))
        while len(results) < TRIES and (len(results) < 3 or "won" not in results):
            outcome = player.play()
            results.append(outcome.result)
            boards.append(outcome.position.rows)
            wrong += misread(outcome.position.rows, surface.console.lines)
            said = "You Win!" if outcome.result == "won" else "BOOM!"
            assert said in surface.console.text
            assert outcome.position.mines == 12
    assert "won" in results
    assert wrong == 0
    # freesweep seeds its boards from the clock, so a game started too soon would repeat the last
    # one.
    assert len(set(map(tuple, boards))) == len(boards)
    ends = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert [line["result"] for line in ends if line["event"] == "end"] == results


@pytest.mark.parametrize(
    ("options", "rows", "columns", "mines"),
    [
        ("-w 30 -h 16 -% 16", 16, 30, 76),
        ("-w 9 -h 7 -% 10", 7, 9, 6),
        ("-a -w 8 -h 8 -% 12", 8, 8, 7),
    ],
)
def test_a_board_of_any_size_is_found(options: str, rows: int, columns: int, mines: int) -> None:
    """Boards with line-drawing frames work too, and the first opened cell is the safe one."""
    with TerminalSurface(f"freesweep -f {options}") as surface:
        reading = surface.look()
        at = reading.geometry
        assert (at.x, at.y, at.pitch, at.rows, at.columns) == (2, 1, 3, rows, columns)
        assert reading.mines == mines
        assert reading.position.cells == b"." * rows * columns
        assert surface.start == Cell(rows // 2, columns // 2)
        surface.open(surface.start)
        place = rows // 2 * columns + columns // 2
        assert surface.wait(lambda: surface.look().looks[place] == ord("0"))


def test_board_larger_than_the_terminal_is_refused(
    impatience: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Freesweep would scroll, and a part of the board would look like the whole."""
    monkeypatch.setattr(TerminalSurface, "wait", impatience)
    with pytest.raises(NoBoard, match=r"does not fit on a terminal of 24 lines and 80 columns"):
        TerminalSurface("freesweep -f -w 40 -h 30 -% 15", size=(24, 80))


def test_help_screen_over_the_board_is_not_read(tmp_path: Path) -> None:
    """A help screen hides most of the board behind blanks, which are freesweep's zeros."""
    with TerminalSurface(SMALL) as surface:
        surface.console.write("?")
        assert surface.wait(lambda: "Useful Keys" in surface.console.text)
        assert len(surface.look().unreadable) == 100


def test_resized_terminal_stops_the_bot(tmp_path: Path) -> None:
    """After its terminal is resized, freesweep draws a mixture of two boards."""
    with TerminalSurface(SMALL) as surface:
        resize(surface.console._process.fd, 20, 60)
        with pytest.raises(PlayStopped, match=r"resized from 64x256 to 20x60"):
            TerminalPlayer(surface, make_bot("exact")).play()


def test_killed_freesweep_is_reported_once(tmp_path: Path) -> None:
    """The bot reports a single error and keeps the log."""

    class Killer:
        def begin(self, level: Any, seed: int) -> None:
            os.kill(surface.console._process.pid, signal.SIGKILL)

        def choose(self, position: Any) -> list[Any]:
            return []

    with TerminalSurface(SMALL) as surface:
        player = TerminalPlayer(surface, Killer(), log=Log(tmp_path))
        with pytest.raises(NoWindow, match=r"freesweep ended \(killed by SIGKILL\)"):
            player.play()
    assert '"result": "stopped"' in (tmp_path / "games.jsonl").read_text()


def resize(handle: int, lines: int, columns: int) -> None:
    """Resize a terminal, as a user would."""
    fcntl.ioctl(handle, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))


def program(*options: str) -> list[str]:
    """Return the command line of `sapper bot`."""
    return [sys.executable, "-c", "from sapper.cli import main; main()", "bot", *options]


def test_command_continues_when_its_own_terminal_is_resized(tmp_path: Path) -> None:
    """The game runs in a separate terminal, so the user can resize theirs at any time."""
    line = program("--terminal", SMALL, "--games", "2", "--log", str(tmp_path / "log"), "--json")
    running = PtyProcess.spawn(line, dimensions=(24, 80))
    until((tmp_path / "log" / "games.jsonl").exists, "the log")
    resize(running.fd, 5, 20)
    told = b""
    while running.isalive() or told.count(b"}\r\n") != 2:
        try:
            told += running.read()
        except EOFError:
            break
    running.wait()
    assert running.exitstatus == 0
    games = [json.loads(line) for line in told.decode().splitlines()]
    assert [game["game"] for game in games] == [1, 2]
    assert all(game["result"] in ("won", "lost") for game in games)


def test_ctrl_c_ends_the_bot_and_the_program(tmp_path: Path) -> None:
    """The bot and freesweep exit immediately, without output or leftover processes."""
    line = program("--terminal", SMALL, "--games", "100", "--log", str(tmp_path))
    # The test runner may ignore Ctrl-C, as a shell's background jobs do.
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(line, stderr=subprocess.PIPE, preexec_fn=heed) as running:
        log = tmp_path / "games.jsonl"
        until(lambda: log.exists() and '"move"' in log.read_text(), "a move in the log")
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
        assert len(children) == 1
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=PATIENCE)
    assert (running.returncode, told) == (130, b"")
    assert not Path(f"/proc/{children[0]}").exists()


def test_only_the_start_is_safe() -> None:
    """No cell at or next to freesweep's initial cursor is a mine; any other cell may be one."""
    with TerminalSurface("freesweep -f -w 5 -h 5 -% 60") as surface:

        def whole(done: Callable[[bytes], bool]) -> bool:
            """Whether the event happens while the board is completely drawn."""

            def seen() -> bool:
                now = surface.look()
                return not now.unreadable and done(now.looks)

            return surface.wait(seen, PATIENCE)

        # Of the 16 border cells, 15 are mines, so at least one of two corners is a mine.
        for corner, place in ((Cell(0, 0), 0), (Cell(4, 4), 24)):
            surface.open(corner)
            assert whole(lambda looks, at=place: looks[at] != ord("."))
            if surface.look().shows_mines:
                break
        assert whole(lambda looks: to_cells(looks).count(b"*") == 15)
        rows = surface.look().position.rows
    assert not any("*" in row[1:4] for row in rows[1:4])
