"""The bot stops with a reason if it cannot play safely."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from sapper.position import Position
from sapper.solver.bots import Choice, make_bot
from sapper.vision import NoWindow, PlayStopped
from sapper.vision.playing import Log, Player
from sapper.vision.playing.window import WindowSurface, choose_window
from support.desktop import Desktop, until

Need = Callable[..., None]


class Interrupted:
    """The exact bot, interrupted before its third choice."""

    def __init__(self, happens: Callable[[], None]) -> None:
        self._bot, self._happens, self._choices = make_bot("exact"), happens, 0

    def choose(self, position: Position) -> Choice:
        self._choices += 1
        if self._choices == 3:
            self._happens()
        return self._bot.choose(position)  # type: ignore[return-value]


def interrupted(
    desktop: Desktop, log: Path, happens: Callable[[], None], kind: str = "sgt-mines"
) -> Player:
    """Play a game that is interrupted."""
    window, theme = choose_window(desktop.screen, kind)
    surface = WindowSurface(desktop.screen, window, theme)
    return Player(surface, Interrupted(happens), log=Log(log))


def reason(log: Path) -> str:
    """Return the reason why the last game in a log stopped."""
    last = json.loads((log / "games.jsonl").read_text().splitlines()[-1])
    assert last["result"] == "stopped"
    assert last["rows"] is not None
    return str(last["reason"])


@pytest.fixture
def _sgt(desktop: Desktop, need: Need) -> None:
    need("sgt-mines")
    desktop.start("sgt-mines", "16x16n40#1")
    desktop.window("sgt-mines")


@pytest.mark.usefixtures("_sgt")
def test_a_covered_board_is_not_played(desktop: Desktop, need: Need, tmp_path: Path) -> None:
    """If a window covers half of the board, the bot stops and names the window."""
    need("xbomb")

    def cover() -> None:
        desktop.start("xbomb", "-square", "-1")
        desktop.window("xbomb")

    with pytest.raises(PlayStopped, match="another window covers the board: 'XBomb"):
        interrupted(desktop, tmp_path, cover).play()
    assert "XBomb" in reason(tmp_path)


@pytest.mark.usefixtures("_sgt")
def test_closed_window_is_reported(desktop: Desktop, tmp_path: Path) -> None:
    """If the window closes in mid-game, the bot stops but keeps the log."""
    with pytest.raises(NoWindow, match="closed or hidden"):
        interrupted(desktop, tmp_path, desktop.clear).play()
    assert "closed" in reason(tmp_path)


@pytest.mark.usefixtures("_sgt")
def test_bot_yields_the_pointer_to_the_user(desktop: Desktop, tmp_path: Path) -> None:
    """The bot stops as soon as the user moves the mouse."""
    with pytest.raises(PlayStopped, match="the pointer was moved"):
        interrupted(desktop, tmp_path, lambda: desktop.screen.move(5, 900)).play()


def _interrupt() -> None:
    raise KeyboardInterrupt


@pytest.mark.usefixtures("_sgt")
def test_ctrl_c_stops_immediately_and_is_reported(desktop: Desktop, tmp_path: Path) -> None:
    """The log records the interruption and the last position."""
    with pytest.raises(KeyboardInterrupt):
        interrupted(desktop, tmp_path, _interrupt).play()
    assert reason(tmp_path) == "interrupted"


@pytest.mark.usefixtures("_sgt")
def test_moved_window_is_followed(desktop: Desktop, tmp_path: Path) -> None:
    """Clicks follow a window that is moved."""
    window = desktop.window("sgt-mines")
    player = interrupted(desktop, tmp_path, lambda: desktop.screen.place(window, 300, 200))
    assert player.play().result == "won"


def test_game_paused_by_lost_focus_is_resumed(desktop: Desktop, need: Need, tmp_path: Path) -> None:
    """Gnome-mines hides its board while another window has the keyboard focus."""
    need("openbox", "dbus-run-session", "gnome-mines", "xdemineur")
    desktop.manage()
    desktop.start("dbus-run-session", "--", "gnome-mines", "--medium")
    board = desktop.window("gnome-mines")

    def away() -> None:
        shown = desktop.screen.capture(desktop.screen.box(board))
        desktop.start("xdemineur", "-geometry", "12x12", "-m", "10")
        other = desktop.window("xdemineur")
        # Place the terminal beside the board, so that it covers at most the lower right corner of
        # the board's window.
        desktop.screen.place(other, 950, 600)
        desktop.screen.focus(other)

        def paused() -> bool:
            now = desktop.screen.capture(desktop.screen.box(board))
            return (
                float((now[:, : now.shape[1] // 2] != shown[:, : now.shape[1] // 2]).mean()) > 0.1
            )

        until(paused, "the pause")

    assert interrupted(desktop, tmp_path, away, "gnome-mines").play().result in ("won", "lost")


def test_screen_without_a_board_is_an_error(desktop: Desktop) -> None:
    """The error says that no board is on the screen."""
    with pytest.raises(NoWindow, match="no window shows a readable board"):
        choose_window(desktop.screen)


@pytest.mark.usefixtures("_sgt")
def test_several_boards_are_an_error(desktop: Desktop, need: Need) -> None:
    """If there are several boards, the user must choose one."""
    need("xdemineur")
    desktop.start("xdemineur", "-geometry", "16x16", "-m", "40")
    window = desktop.window("xdemineur")
    desktop.screen.place(window, 500, 10)
    with pytest.raises(NoWindow, match="several windows show a board"):
        choose_window(desktop.screen)
    assert choose_window(desktop.screen, "xdemineur")[1].name == "xdemineur"


def test_command_reports_whether_it_could_start(desktop: Desktop, need: Need) -> None:
    """Unless exactly one window matches, the command exits with 2 and repeats the title."""
    need("xdemineur")

    def there(count: int) -> bool:
        return sum("xdemineur" in one.kind.lower() for one in desktop.screen.windows()) == count

    for count, place in ((1, 10), (2, 600)):
        desktop.start("xdemineur", "-geometry", "12x12", "-m", "5")
        until(partial(there, count), "another window")
        desktop.screen.place(desktop.window("xdemineur"), place, 10)
    for title, rule in (("gone", "no window"), ("xdemineur", "several windows")):
        refused = command(desktop, "--window", title)
        assert refused.returncode == 2
        assert refused.stderr.startswith(f"sapper: {rule} with '{title}' in its title")
        assert len(refused.stderr.splitlines()) == 1
    desktop.clear()
    desktop.start("xdemineur", "-geometry", "12x12", "-m", "5")
    desktop.window("xdemineur")
    played = command(desktop, "--games", "2", "--mines", "6")
    assert "the program shows 5 mines; 6 are used, as given" in played.stderr
    played = command(desktop, "--games", "2")
    assert played.returncode == 0
    assert re.match(
        r"won \d of 2, 95 % interval .*; 5 mines, read; ", played.stdout.splitlines()[-1]
    )


def command(desktop: Desktop, *options: str) -> subprocess.CompletedProcess[str]:
    """Run `sapper bot` on this screen."""
    line = [sys.executable, "-c", "from sapper.cli import main; main()", "bot", *options]
    return subprocess.run(
        line, env=desktop.environment, capture_output=True, text=True, check=False, timeout=300
    )
