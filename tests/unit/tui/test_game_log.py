"""Finished terminal games are recorded in the history, including their player and help."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import DataTable

from sapper.game import Status
from sapper.history import Bests, Comparison, History, Record, WinFigures
from sapper.topology import Cell
from sapper.tui import SapperApp, game_log
from sapper.tui.bot_player import PACES_S
from sapper.tui.win_text import win_text
from support.terminal_app import START, Play, board_of, click, message, move, play_app, settled


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Play], list[Record]]:
    """Play in an empty folder, and return the games in the history, latest first."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))

    def play(game: Play) -> list[Record]:
        play_app(game)
        with History() as history:
            return list(history.records())

    return play


async def lose(app: SapperApp, pilot: Pilot[None]) -> None:
    """Open the centre, then open a mine."""
    await move(app, pilot, START)
    await pilot.press("enter")
    await move(app, pilot, board_of(app).mine_cells()[0])
    await pilot.press("enter")
    assert app.table.game.status is Status.LOST


def test_a_game_played_by_hand_is_recorded(recorded: Callable[[Play], list[Record]]) -> None:
    """The record of such a game contains all moves and no help."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await lose(app, pilot)

    [record] = recorded(play)
    assert (record.won, record.bot, record.helped, record.rules) == (False, "", "", "classic")
    assert record.game() is not None


def test_game_is_recorded_without_a_set_clock(
    recorded: Callable[[Play], list[Record]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time of the game is unknown, and the history says so."""
    monkeypatch.setattr(time, "time_ns", lambda: 2**62)

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await lose(app, pilot)
        await settled(app, pilot)
        await pilot.press("g")
        await settled(app, pilot)
        assert app.screen.query_one(DataTable).get_row_at(0)[-1] == "unknown"

    [record] = recorded(play)
    assert (record.started_ms, record.finished_ms) == (0, 0)


def test_help_is_recorded(recorded: Callable[[Play], list[Record]]) -> None:
    """Of a hint, an overlay, an undo and a repeated board, only the first one used is recorded."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("h")
        await settled(app, pilot)
        await lose(app, pilot)
        await pilot.press("u", "enter")
        await pilot.press("r")
        await lose(app, pilot)
        await pilot.press("n", "a")
        await settled(app, pilot)
        await lose(app, pilot)

    assert [record.helped for record in recorded(play)] == ["overlay", "retry", "hint", "hint"]


def test_bot_game_is_recorded_under_its_name(
    recorded: Callable[[Play], list[Record]],
) -> None:
    """The game is the bot's only if the player did nothing; otherwise, it is a helped game."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press(*["plus"] * len(PACES_S))
        await pilot.press("p")
        await settled(app, pilot)
        await pilot.press("n", "enter", "p", "p")
        await settled(app, pilot)
        assert app.table.game.over

    second, first = recorded(play)
    assert (first.bot, first.helped) == ("exact", "")
    assert (second.bot, second.helped) == ("", "bot")


def test_unwritable_history_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game continues, and one line gives the reason."""

    def full() -> History:
        raise OSError("no space left")

    monkeypatch.setattr(game_log, "History", full)

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await lose(app, pilot)
        await settled(app, pilot)
        assert "The game was not saved to the history: no space left." in message(app)
        await pilot.press("n")
        await click(pilot, Cell(4, 4))
        assert app.table.game.status is Status.PLAYING

    play_app(play)


def test_win_mentions_the_beaten_personal_best(
    recorded: Callable[[Play], list[Record]],
) -> None:
    """The message includes the streak; helped wins are not compared."""

    async def win(app: SapperApp, pilot: Pilot[None]) -> str:
        app.table.game.open(START)
        board = app.table.game._round.kept_board()
        assert board is not None
        for cell in app.table.game.level.shape().cells():
            if not board.is_mine(cell) and app.table.game.position[cell] == ".":
                app.table.game.open(cell)
        app.table.log.moved()
        app.table._changed("")
        assert app.table.game.status is Status.WON
        await settled(app, pilot)
        return message(app)

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        assert (await win(app, pilot)).endswith("Your first win here.")
        await pilot.press("n")
        assert "2 wins in a row." in await win(app, pilot)
        await pilot.press("n", "h")
        await settled(app, pilot)
        assert "in a row" not in await win(app, pilot)

    assert [record.helped for record in recorded(play)] == ["hint", "", ""]


def test_beaten_bests_are_listed_with_previous_ones() -> None:
    """Only the bests that were beaten are listed."""
    found = Comparison(1, 3, Bests(12.0, 2.0, 0.5), 2, 4)
    assert win_text(WinFigures(10_000, 25, 40), found) == (
        "Personal best time (was 12.0 s). Your best 3BV/s: 2.50 (was 2.00). "
        "Your best efficiency: 62.5 % (was 50.0 %). 2 wins in a row."
    )
    worse = Comparison(2, 3, Bests(9.0, 3.0, 0.9), 1, 4)
    assert win_text(WinFigures(10_000, 25, 40), worse) == ""
