"""Playing dots.py, a program with various faults, in a separate real terminal."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import struct
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ptyprocess import PtyProcess

from sapper.actions import Action, ActionKind
from sapper.errors import BadSetting, BotFailed, SapperError
from sapper.position import Position
from sapper.rules import Level
from sapper.topology import Cell
from sapper.vision import NoBoard, NoWindow, PlayStopped, Unreadable
from sapper.vision.playing import Log
from sapper.vision.terminal import (
    Console,
    TerminalPlayer,
    TerminalSurface,
    contradictions,
    load_program,
    play,
)
from support.patience import wait_long
from support.waiting import until

HERE = Path(__file__).parent
DOTS = load_program(str(HERE / "dots.toml"))
BOARD = "*..../...../...../....*"


class Opens:
    """A bot that opens the given cells, one per choice."""

    def __init__(self, *cells: tuple[int, int]) -> None:
        self._cells = cells

    def choose(self, position: Position) -> Action:
        wanted = next(cell for cell in self._cells if position[cell] == ".")
        return Action(ActionKind.OPEN, Cell(*wanted))


WINS = Opens((1, 1), (0, 4), (3, 0))
LOSES = Opens((1, 1), (0, 0))


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    wait_long(monkeypatch)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait only half a second for the effect of a key."""
    monkeypatch.setattr("sapper.vision.playing.player.PATIENCE", 0.5)


def command(*trouble: str, board: str = BOARD) -> str:
    """Return the command line of dots.py."""
    return " ".join([sys.executable, str(HERE / "dots.py"), board, *trouble])


@contextmanager
def running(
    folder: Path, bot: Any, *trouble: str
) -> Iterator[tuple[TerminalSurface, TerminalPlayer]]:
    """Run dots.py and a player that writes a log."""
    with TerminalSurface(command(*trouble), DOTS, size=(24, 80)) as surface:
        yield surface, TerminalPlayer(surface, bot, log=Log(folder))


def log_of(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of a log."""
    return [json.loads(line) for line in (folder / "games.jsonl").read_text("utf-8").splitlines()]


def test_games_are_won_and_lost() -> None:
    """A program without frame, total or cursor marks needs only its description."""
    won, again = play(command(), WINS, 2, program=DOTS)
    assert (won.result, again.result) == ("won", "won")
    assert won.position.rows == ["F1000", "11000", "00011", "0001F"]
    (lost,) = play(command(), LOSES, program=DOTS)
    assert lost.result == "lost"
    assert lost.position.rows == ["*....", ".1...", ".....", "....*"]


@pytest.mark.parametrize("colour", ["reverse", "green"])
def test_colour_cursor_is_followed(colour: str) -> None:
    """The cursor is the cell that differs on a new board, whatever else has a colour."""
    coloured = replace(DOTS, cursor="colour")
    line = command("after", "1000000", colour)
    won, lost = play(line, WINS, program=coloured), play(line, LOSES, program=coloured)
    assert next(won).position.rows == ["F1000", "11000", "00011", "0001F"]
    assert next(lost).result == "lost"


def test_slow_program_gets_one_key_at_a_time(tmp_path: Path) -> None:
    """Python programs that use click drop keys that are sent too early."""
    with running(tmp_path, WINS, "after", "1000000", "slow") as (surface, player):
        # Send keys one by one, because Textual would otherwise wait for all of them.
        surface._single_keys = True
        assert player.play().result == "won"


def test_program_without_a_new_game_key_is_restarted() -> None:
    """Many programs end with their game, so the result is read from the last screen."""
    again = replace(DOTS, keys=replace(DOTS.keys, new=""))
    line = command("after", "1000000", "leaves")
    outcomes = list(play(line, LOSES, 2, program=again))
    assert [outcome.result for outcome in outcomes] == ["lost"] * 2
    assert outcomes[-1].position.rows == ["*....", ".1...", ".....", "....*"]
    assert next(play(line, WINS, program=again)).result == "won"


class Remembers(Opens):
    """A bot that records the level and seed of each game."""

    def __init__(self, *cells: tuple[int, int]) -> None:
        super().__init__(*cells)
        self.levels: list[Level] = []
        self.seeds: list[int] = []

    def begin(self, level: Level, seed: int) -> None:
        self.levels.append(level)
        self.seeds.append(seed)


def test_a_bot_gets_a_fresh_seed_each_game_and_no_invented_total(tmp_path: Path) -> None:
    """The seeds are in the log; a total that the program does not show stays unknown."""
    bot = Remembers((1, 1), (0, 4), (3, 0))
    assert len(list(play(command(), bot, 3, program=DOTS, log=tmp_path))) == 3
    assert len(set(bot.seeds)) == 3
    assert [(level.mines, level.density) for level in bot.levels] == [(None, None)] * 3
    begun = [line for line in log_of(tmp_path) if line["event"] == "begin"]
    assert [line["bot_seed"] for line in begun] == bot.seeds


def test_failing_bot_is_named(tmp_path: Path) -> None:
    """The error is the same as in simulations."""
    with (
        running(tmp_path, Opens()) as (_, player),
        pytest.raises(BotFailed, match="bot Opens, choice 1: "),
    ):
        player.play()


def test_registered_bot_plays() -> None:
    """The bot is given by name, as elsewhere."""
    (outcome,) = play(command(board="....../....../....../....*."), "exact", program=DOTS, mines=1)
    assert outcome.result in ("won", "lost")


@pytest.mark.parametrize(
    ("trouble", "error", "message"),
    [
        ("exit", NoWindow, r"ended \(exit status 3\): dots gives up"),
        ("die", NoWindow, r"ended \(killed by SIGKILL\)"),
    ],
)
def test_program_exit_is_reported_once(
    tmp_path: Path, trouble: str, error: type[SapperError], message: str
) -> None:
    """The error gives the exit status; the log and the last screen are kept."""
    with (
        running(tmp_path, Opens((0, 1), (1, 0), (1, 1)), "after", "1", trouble) as (_, player),
        pytest.raises(error, match=message) as problem,
    ):
        player.play()
    assert "screen.txt" in str(problem.value)
    assert (tmp_path / "screen.txt").read_text("utf-8").startswith("dots\n")
    lines = log_of(tmp_path)
    assert [line["event"] for line in lines] == ["begin", "move", "move", "end"]
    assert (lines[-1]["result"], lines[-1]["rows"][0]) == ("stopped", ".1...")


@pytest.mark.usefixtures("impatient")
def test_unreadable_cell_stops_the_bot(tmp_path: Path) -> None:
    """An invalid character is never guessed at, and the screen is saved."""
    with running(tmp_path, Opens((0, 1)), "after", "0", "garble") as (surface, player):
        press = surface.open

        def drawn() -> bool:
            surface.console.pump()
            return "@" in surface.console.text

        def open_patiently(cell: Cell) -> None:
            press(cell)
            until(drawn, "the character")

        surface.open = open_patiently  # type: ignore[method-assign]
        with pytest.raises(Unreadable, match=r"cannot be read"):
            player.play()
    assert "@ . . . ." in (tmp_path / "screen.txt").read_text("utf-8")


@pytest.mark.usefixtures("impatient")
def test_unresponsive_program_is_given_up(tmp_path: Path) -> None:
    """After a time limit, keys that have no effect are an error."""
    with (
        running(tmp_path, Opens((0, 1)), "after", "0", "deaf") as (_, player),
        pytest.raises(PlayStopped, match=r"3 clicks on .* had no effect"),
    ):
        player.play()


def test_resized_terminal_stops_the_bot(tmp_path: Path) -> None:
    """After a resize, part of the board may be hidden."""
    with running(tmp_path, WINS) as (surface, player):
        handle = surface.console._process.fd
        fcntl.ioctl(handle, termios.TIOCSWINSZ, struct.pack("HHHH", 3, 20, 0, 0))
        with pytest.raises(PlayStopped, match=r"was resized from 24x80 to 3x20"):
            player.play()


def test_closing_the_console_ends_the_program() -> None:
    """The program ends when its console is closed, whatever the reason."""
    with Console(command(), (24, 80)) as console:
        pid = console._process.pid
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_program_with_an_unreadable_board_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """If only the last reading failed, the program used to keep running."""
    pids = []

    def unreadable(surface: TerminalSurface) -> None:
        pids.append(surface.console._process.pid)
        raise NoBoard("no board")

    monkeypatch.setattr(TerminalSurface, "_read", unreadable)
    with pytest.raises(NoBoard):
        TerminalSurface(command(), DOTS, size=(24, 80))
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_killed_program_is_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy system, a killed program may take longer to end than the library waits."""

    def kill(process: PtyProcess, _: bool) -> bool:
        process.kill(signal.SIGKILL)
        return False

    monkeypatch.setattr(PtyProcess, "terminate", kill)
    # This program keeps running when its terminal is closed.
    with Console("sh -c \"trap '' HUP; exec sleep 300\"", (24, 80)) as console:
        pid = console._process.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize(
    ("line", "error", "message"),
    [
        ("", BadSetting, "--terminal needs a command"),
        ("'", BadSetting, "invalid command line"),
        ("no-such-program -x", BadSetting, "command not found: 'no-such-program'"),
        ("cat", BadSetting, "unknown text-mode program 'cat'"),
    ],
)
def test_invalid_command_is_rejected(line: str, error: type[SapperError], message: str) -> None:
    """The bot is checked before the first game."""
    with pytest.raises(error, match=message):
        TerminalSurface(line)


def test_program_without_a_board_is_rejected() -> None:
    """The message contains the first screen."""
    with pytest.raises((NoBoard, NoWindow), match="well well"):
        TerminalSurface("echo well well", DOTS)


def test_the_end_of_a_game_reveals_misread_cells() -> None:
    """Each number must match the mines revealed around it, and the total their sum."""
    good = Position.parse("F10\n110")
    assert contradictions(good, 1, won=True) == []
    assert contradictions(Position.parse("F20\n110"), 1, won=True) == [Cell(0, 1)]
    assert contradictions(good, 2, won=True) == [Cell(0, 0)]
    assert contradictions(Position.parse("*1.\n11."), 1, won=False) == []
    assert contradictions(Position.parse("F1.\n110"), 1, won=True) == [Cell(0, 2)]
    assert contradictions(Position.parse(".10\n110"), 1, won=True) == []
    assert contradictions(Position.parse(".20\n110"), 1, won=True) == [Cell(0, 1)]
