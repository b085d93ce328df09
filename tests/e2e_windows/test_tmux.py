"""`sapper tui` in tmux, a common terminal: keys, resizing and languages."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.waiting import until

_SAPPER = [sys.executable, "-c", "from sapper.cli import main; main()", "tui", "--seed", "7"]


class Tmux:
    """A tmux window with a game, on its own server."""

    def __init__(self, folder: Path, arguments: str = "", **environment: str) -> None:
        # Socket paths must be short, so the socket is not in the test's folder.
        self._sockets = tempfile.TemporaryDirectory(prefix="tmux-")
        self._tmux = ["tmux", "-u", "-f", "/dev/null", "-S", f"{self._sockets.name}/socket"]
        kept = {n: os.environ[n] for n in os.environ if n not in ("COLUMNS", "LINES", "TMUX")}
        self._environment = {**kept, "SAPPER_HOME": str(folder), "LC_ALL": "C.UTF-8", **environment}
        command = f"{shlex.join(_SAPPER)} {arguments}"
        self._do("new-session", "-d", "-x", "40", "-y", "20", command)

    def _do(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self._tmux, *command],
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    @property
    def lines(self) -> list[str]:
        """Return the screen's lines without trailing blanks."""
        return self._do("capture-pane", "-p").stdout.splitlines()

    def press(self, *keys: str) -> None:
        """Press keys, given by their tmux names."""
        assert self._do("send-keys", *keys).returncode == 0

    def resize(self, columns: int, rows: int) -> None:
        """Resize the window."""
        size = ("-x", str(columns), "-y", str(rows))
        assert self._do("resize-window", *size).returncode == 0

    def wait(self, shown: Callable[[list[str]], object], what: str) -> list[str]:
        """Wait until the screen shows a string, and return its lines."""
        seen: list[str] = []

        def done() -> bool:
            seen[:] = self.lines
            return bool(seen and shown(seen))

        try:
            until(done, what)
        except TimeoutError as late:
            raise AssertionError("\n".join([str(late), *seen])) from None
        return seen

    @property
    def running(self) -> bool:
        """Whether the program is running."""
        return self._do("has-session").returncode == 0

    def close(self) -> None:
        """Stop the server and its programs."""
        self._do("kill-server")
        self._sockets.cleanup()


@pytest.fixture
def tmux(need: Callable[..., None], tmp_path: Path) -> Iterator[Callable[..., Tmux]]:
    """A function that starts games, which are stopped after the test."""
    need("tmux")
    started: list[Tmux] = []

    def start(arguments: str = "", **environment: str) -> Tmux:
        started.append(Tmux(tmp_path, arguments, **environment))
        return started[-1]

    yield start
    for one in started:
        one.close()


def test_a_game_is_won_by_keys_on_a_small_screen_and_a_larger_one(
    tmux: Callable[..., Tmux],
) -> None:
    """Hints win a game at 40x20 and, after a resize, 80x24; the history lists it, and Q quits."""
    screen = tmux("--rules no-guess")
    screen.wait(lambda lines: lines[1:10] == ["· · · · · · · · ·"] * 9, "the board")
    screen.wait(lambda lines: lines[-1] == "? Keys n New h Hint m Rules p Bot q Quit", "the keys")
    assert all(len(line) <= 40 for line in screen.lines)
    screen.press("Enter")
    # The screen may not be read until seconds later.
    first = re.compile(r"Mines 10 \| \d+ s \| Playing \| Beginner")
    screen.wait(lambda lines: first.fullmatch(lines[0]), "the first move")

    def won(lines: list[str]) -> bool:
        return "Won" in lines[0]

    screen.press("h")
    screen.wait(lambda lines: "always allow" in " ".join(lines), "the question")
    screen.press("Y")
    screen.wait(lambda lines: "Open row" in "".join(lines), "the first hint")
    screen.press("Enter")
    screen.wait(lambda lines: "Open row" not in "".join(lines), "its move")
    moves = 0
    for _ in range(81):
        screen.press("h")
        if won(screen.wait(lambda now: "Open row" in "".join(now) or won(now), "a hint")):
            break
        moves += 1
        if moves == 2:
            screen.resize(80, 24)
            wide = screen.wait(
                lambda lines: (
                    "Beginner · No guess" in lines[0] and "a Overlay g Games l Learn" in lines[-1]
                ),
                "the larger screen",
            )
            assert len(wide) == 24
        screen.press("Enter")
        screen.wait(
            lambda lines: "Open row" not in "".join(lines) and "<" not in "".join(lines[1:10]),
            "the move",
        )
    assert moves > 2
    screen.wait(
        lambda lines: won(lines) and "".join(lines[1:10]).count("F") == 10,
        "the flags of a won game",
    )
    screen.press("g")
    screen.wait(lambda lines: lines[0].startswith("All games: 1 played, 1 won"), "the history")
    screen.press("Escape")
    screen.wait(won, "the game")
    screen.press("q")
    until(lambda: not screen.running, "the end of the program")


@pytest.mark.parametrize(
    ("arguments", "locale", "welcome"),
    [
        ("", "de_AT.UTF-8", "Eingabe öffnet"),
        ("--language cs", "de_AT.UTF-8", "Enter odkrývá"),
    ],
)
def test_language_comes_from_the_environment_or_the_option(
    tmux: Callable[..., Tmux], arguments: str, locale: str, welcome: str
) -> None:
    """``LC_ALL`` sets the language, and ``--language`` overrides it."""
    screen = tmux(arguments, LC_ALL=locale)
    screen.wait(lambda lines: any(line.startswith(welcome) for line in lines), welcome)
