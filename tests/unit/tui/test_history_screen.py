"""Finished games are listed with statistics and can be replayed click by click."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import DataTable, Static

from sapper.dealer import settings
from sapper.game import Game, Status
from sapper.history import History, Record
from sapper.position import Position
from sapper.solver import analyze
from sapper.tui import SapperApp
from sapper.tui.history_screen import HistoryScreen
from sapper.tui.replay_screen import ReplayScreen
from support.terminal_app import play_app, settled
from support.terminal_screens import check_snapshot, screen_text

DAY_MS = 86_400_000
SMALL = (40, 20)


class Ticking:
    """A clock that advances by a quarter of a second at every reading."""

    def __init__(self) -> None:
        self._now = 0.0

    def __call__(self) -> float:
        self._now += 0.25
        return self._now


def finished(seed: int, *, won: bool) -> Game:
    """Play a Beginner game that is won, or lost as early as possible."""
    made = settings("beginner", "no-guess", first_click="opening", seed=seed)
    game = Game.begin(made, time=Ticking())
    game.open((4, 4))
    while not game.over:
        found = analyze(game.position)
        game.open(min(found.safe if won else found.mined))
    return game


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with three finished games: won, lost, and won by a bot."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    with History() as history:
        history.add(Record.of_game(finished(1, won=True), DAY_MS))
        history.add(Record.of_game(finished(2, won=False), 2 * DAY_MS))
        history.add(Record.of_game(finished(3, won=True), 3 * DAY_MS, bot="exact"))


def widget_text(app: SapperApp, widget: str) -> str:
    """Return the text of a widget on the top screen."""
    return str(app.screen.query_one(widget, Static).content)


@pytest.mark.usefixtures("games")
def test_games_are_listed_with_statistics_and_selected() -> None:
    """G lists all games; F filters games without help, similar games and lost games."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("g")
        await settled(app, pilot)
        table = app.screen.query_one(DataTable)
        assert widget_text(app, "#summary").startswith("All games: 3 played, 2 won (67 %")
        assert [table.get_row_at(row)[0] for row in range(3)] == ["Won", "Lost", "Won"]
        check_snapshot(app, "history")
        for text, count in (("Without help: 2", 2), ("Beginner · Classic: none yet.", 0)):
            await pilot.press("f")
            await settled(app, pilot)
            assert widget_text(app, "#summary").startswith(text)
            assert table.row_count == count
        await pilot.press("f")
        await settled(app, pilot)
        assert widget_text(app, "#summary").startswith("Lost games: 1 played, 0 won (0 %")
        await pilot.press("escape")
        assert not isinstance(app.screen, HistoryScreen)

    play_app(play, SMALL)


@pytest.mark.usefixtures("games")
def test_a_lost_game_is_replayed_click_by_click() -> None:
    """Arrows step through the clicks and their risks; the mines are shown at the end."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("g")
        await settled(app, pilot)
        await pilot.press("down", "enter")
        await pilot.pause()
        assert isinstance(app.screen, ReplayScreen)
        assert widget_text(app, "#replay-message") == "Before the first click."
        await pilot.press("right")
        assert widget_text(app, "#replay-message") == "0.0 s: open row 5, column 5."
        await pilot.press("end")
        await settled(app, pilot)
        assert widget_text(app, "#replay-message").endswith("It was proved to be a mine.")
        assert screen_text(app).count("X") == 1
        assert screen_text(app).count("*") == 9
        check_snapshot(app, "replay")
        await pilot.press("home", "space")
        await settled(app, pilot)
        assert widget_text(app, "#replay-status").startswith("2 of 2 | lost after ")
        await pilot.press("escape", "escape")
        assert app.table.game.status is Status.READY

    play_app(play, SMALL)


def test_game_from_a_position_is_replayed_and_a_damaged_one_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The replay begins with the open cells; a line above the table gives the reason."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    game = Game.from_position(Position.parse("mines: 1\n.1\n.1"), "classic", win="open", seed=1)
    while not game.over:
        game.open(game.position.unopened_cells()[0])
    record = Record.of_game(game, DAY_MS)
    with History() as history:
        history.add(record)
        history.add(replace(record, finished_ms=2 * DAY_MS, moves={"actions": []}))

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("g")
        await settled(app, pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert "This game has no replay" in widget_text(app, "#summary")
        await pilot.press("down", "enter")
        await pilot.pause()
        assert "Before the first click" in widget_text(app, "#replay-message")

    play_app(play)


def test_a_damaged_history_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The history screen opens and shows the reason on one line."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    with History():
        pass
    for path in tmp_path.glob("*.sqlite3*"):
        path.write_bytes(b"no database" * 1000)

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("g")
        await settled(app, pilot)
        assert widget_text(app, "#summary").startswith("The history cannot be read: ")

    play_app(play)
