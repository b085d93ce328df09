"""Colours, tables and progress bars."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pyte
import pytest

from sapper.cli import output, terminal
from sapper.cli.terminal import Line

SIZE = os.terminal_size((40, 8))


class Screen(io.StringIO):
    """A terminal as a stream."""

    def __init__(self) -> None:
        super().__init__()
        self.screen = pyte.Screen(*SIZE)
        self._parser = pyte.Stream(self.screen)

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self._parser.feed(text.replace("\n", "\r\n"))
        return len(text)

    @property
    def lines(self) -> list[str]:
        """The lines that are not empty."""
        return [line.rstrip() for line in self.screen.display if line.strip()]


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """Let the program write to one terminal."""
    shown = Screen()
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(terminal.shutil, "get_terminal_size", lambda *_, **__: SIZE)
    # Pytest replaces the streams of `sys` after this.
    for module in (terminal, output):
        monkeypatch.setattr(module, "sys", SimpleNamespace(stdout=shown, stderr=shown))
    return shown


@pytest.mark.parametrize(
    ("environment", "is_terminal", "colours"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ],
)
def test_colours_follow_the_environment(
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    is_terminal: bool,
    colours: bool,
) -> None:
    """A terminal gets colours and a pipe none, unless a variable says otherwise."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert terminal.has_colours(Screen() if is_terminal else io.StringIO()) is colours


def test_styles_are_escape_codes(screen: Screen) -> None:
    """Every word of a style has a code, and the text after it is plain."""
    terminal.print_lines(Line("F", "bold white on_red").append(" flag"))
    first, second = screen.screen.buffer[0][0], screen.screen.buffer[0][2]
    assert (first.data, first.fg, first.bg, first.bold) == ("F", "white", "red", True)
    assert (second.data, second.fg, second.bg, second.bold) == ("f", "default", "default", False)


LONG = "a very long name that no terminal of this width shows"
ROWS = [["Ann", "3"], ["雷雷", "12,000"], [LONG, "1"]]


def test_a_table_fits_a_terminal(screen: Screen) -> None:
    """The widest column is cut; wide characters take two columns."""
    terminal.print_table(("name", "games"), ROWS, (0,))
    assert screen.lines == [
        "name                               games",
        "Ann                                    3",
        "雷雷                              12,000",
        "a very long name that no termin…       1",
    ]  # fmt: skip
    assert screen.screen.buffer[0][0].bold


def test_a_table_in_a_pipe_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    """Every name in a file is shown in full."""
    terminal.print_table(("name", "games"), ROWS, (0,))
    assert LONG in capsys.readouterr().out


def test_bars_are_drawn_in_place_and_removed(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each run has a bar with the time left, and nothing remains at the end."""
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr(terminal.time, "monotonic", lambda: next(clock))
    with terminal.progress_bars() as bars:
        assert bars is not None
        bars.update("a", 1, 4, number=0)
        assert screen.lines == [f"a {'━' * 30}  0:30"]
        bars.update("b", 2, 4, "2/4", number=1)
        bars.update("a", 4, 4, number=0)
        assert [line[:3] for line in screen.lines] == ["a ━", "b ━"]
        # Messages appear above the bars, not in them.
        output.complain("a file cannot be read")
        bars.update("a", 4, 4, number=0)
        assert [line[:3] for line in screen.lines] == ["sap", "a ━", "b ━"]
    assert screen.lines == ["sapper: a file cannot be read"]


def test_the_time_left_follows_from_the_share() -> None:
    """A quarter in 100 s leaves 300 s; without a share, nothing is known."""
    assert terminal._bar("games", 1, 4, "", 100).plain.split()[-1] == "5:00"
    assert terminal._bar("games", 1, 401, "", 100).plain.split()[-1] == "11:06:40"
    assert terminal._bar("games", 0, 4, "", 100).plain.strip()[-1] == "━"


def test_tall_pictures_are_cropped(screen: Screen) -> None:
    """Lines that leave the screen could not be drawn again."""
    area = terminal.InPlace(screen)
    for text in ("first", "second"):
        area.draw([Line(f"{text} {number}") for number in range(20)])
    assert screen.lines == [f"second {number}" for number in range(7)]
    area.leave()
    print("done", file=screen)
    assert screen.lines[-1] == "done"


@pytest.mark.parametrize(
    "show",
    [terminal.progress_bars, lambda: terminal.status_line("searching")],
    ids=["bars", "status"],
)
def test_a_pipe_gets_no_progress(
    show: Callable[[], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a terminal, nothing is drawn."""
    with show() as shown:
        assert shown is None
    assert list(terminal.tracked([1, 2], 2, "files")) == [1, 2]
    assert capsys.readouterr() == ("", "")


def test_a_status_is_replaced_and_removed(screen: Screen) -> None:
    """The text is shown at once."""
    with terminal.status_line("searching") as update:
        assert screen.lines == ["searching"]
        assert update is not None
        update("12 of 40 areas")
        assert screen.lines == ["12 of 40 areas"]
    assert screen.lines == []
