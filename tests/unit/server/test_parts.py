"""Folders, settings, sockets and views of the server."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from sapper.board import Board
from sapper.errors import BadLevel, BadSetting
from sapper.game import Game
from sapper.paths import state_dir
from sapper.server import bind
from sapper.server.jobs import snapshot
from sapper.server.jobs.overlay import count_text
from sapper.server.listening import CannotServe
from sapper.server.session.game_settings import GameSettings


def test_the_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """SAPPER_HOME takes precedence over the platform's default folder."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    assert state_dir() == tmp_path
    monkeypatch.delenv("SAPPER_HOME")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_dir() == tmp_path / "sapper"
    monkeypatch.setattr("sys.platform", "darwin")
    assert state_dir().parts[-1] == "Sapper"


def test_unsupported_settings_fall_back() -> None:
    """Windows XP has only one kind of first click; naming another is an error."""
    settings = GameSettings(first_click="opening").changed({"rules": "windows-xp"})
    assert settings.first_click == "safe"
    with pytest.raises(BadSetting, match="opening"):
        GameSettings().changed({"rules": "windows-xp", "first_click": "opening"})


def test_options_of_other_rules_are_not_kept() -> None:
    """New rules start with their defaults, but the level and chord setting are kept."""
    chosen = {"level": "expert", "chord": "at_least", "first_click": "any", "win": "flags"}
    settings = GameSettings().changed(chosen)
    kaboom = settings.changed({"rules": "kaboom"})
    assert (kaboom.level, kaboom.chord) == ("expert", "at_least")
    assert (kaboom.first_click, kaboom.win) == ("opening", "open")
    assert kaboom.changed({"rules": "windows-xp"}).first_click == "safe"
    assert kaboom.changed({"rules": "classic"}).first_click == "opening"
    assert kaboom.changed({"rules": "classic"}, {"classic": settings}) == settings


def test_a_level_is_shortened_and_bounded() -> None:
    """30x16:99 becomes expert, and a board too large for a browser is refused."""
    assert GameSettings().changed({"level": "30x16:99"}).level == "expert"
    assert GameSettings().changed({"level": "100x100:2000"}).level == "100x100:2000"
    assert GameSettings().changed({"level": "1000x1000@0.15"}).level == "1000x1000@0.15"
    with pytest.raises(BadLevel, match="classic take at most 1,000,000"):
        GameSettings().changed({"level": "1001x1000:2000"})


def test_taken_port_is_reported() -> None:
    """One sentence gives the port, the reason and the remedy."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=rf"127\.0\.0\.1:{port}.*in use.*--port"):
            bind("127.0.0.1", port)
    with pytest.raises(CannotServe, match="no host"):
        bind("no-such-host.invalid", 0)
    with pytest.raises(CannotServe, match="65535"):
        bind("127.0.0.1", 70_000)


def test_only_a_lost_view_shows_mines() -> None:
    """After a loss, wrong flags look different from correct ones."""
    game = Game.from_board(Board.parse("*2*\n121"))
    game.open((1, 1))
    game.flag((0, 0))
    game.flag((0, 1))
    assert snapshot.browser_view(game) == b"FF..2."
    game.open((0, 2))
    assert game.status == "lost"
    assert snapshot.browser_view(game) == b"FxX.2."


def test_won_view_flags_the_mines() -> None:
    """A won game shows flags instead of mines."""
    game = Game.from_board(Board.parse("*2*\n121"))
    for cell in ((0, 1), (1, 0), (1, 1), (1, 2)):
        game.open(cell)
    assert game.status == "won"
    assert snapshot.browser_view(game) == b"F2F121"


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (442, "442"),
        (10**15 - 1, "999999999999999"),
        (10**15, "1.00e15"),
        (1234 * 10**400, "1.23e403"),
        (99949 * 10**95, "9.99e99"),
        (99999 * 10**95, "1.00e100"),
    ],
)
def test_large_counts_are_shortened(count: int, text: str) -> None:
    """Counts of up to fifteen digits are exact; larger ones are rounded to three digits."""
    assert count_text(count) == text
