"""Replay files of any program in the terminal: `sapper replay view`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from textual.pilot import Pilot
from textual.widgets import Static

from sapper.replay import Replay, load
from sapper.topology import Cell
from sapper.tui.board_view import BoardView
from sapper.tui.replay_app import ReplayApp
from support.replays import FOLDER, replay_of
from support.terminal_app import click, run_app, settled
from support.terminal_screens import check_snapshot, screen_text

Play = Callable[[ReplayApp, Pilot[None]], Awaitable[None]]
EXPERT = load(FOLDER / "expert.avf")


def view(replay: Replay, play: Play, size: tuple[int, int] = (90, 24)) -> ReplayApp:
    """Show a replay in the app, and run a test."""
    app = ReplayApp(replay)

    async def inside(pilot: Pilot[None]) -> None:
        await settled(app, pilot)
        await play(app, pilot)

    run_app(app, inside, size)
    return app


def widget_text(app: ReplayApp, widget: str) -> str:
    """Return the text of a widget."""
    return str(app.screen.query_one(widget, Static).content)


def test_file_is_shown_with_its_player_and_can_be_stepped() -> None:
    """Arrows, page keys, Home and End move; time and metrics follow."""

    async def play(app: ReplayApp, pilot: Pilot[None]) -> None:
        message = "Flop, 2017-12-31 20:39, Arbiter 0.52.3. Before the first click."
        assert widget_text(app, "#replay-message") == message
        assert widget_text(app, "#replay-status") == "0 of 234 | won in 47.2 s | Expert"
        await pilot.press("right", "pagedown", "left")
        assert widget_text(app, "#replay-status").startswith("10 of 234")
        assert widget_text(app, "#replay-figures").startswith(
            "2.0 s | 3BV 9 of 212 | paused | 3BV/s"
        )
        check_snapshot(app, "viewer")
        await pilot.press("end")
        assert widget_text(app, "#replay-figures").startswith("47.2 s | 3BV 212 of 212 | paused")
        await pilot.press("home")
        assert widget_text(app, "#replay-message") == message

    view(EXPERT, play)


def test_the_pointer_is_on_its_cell_and_can_be_followed() -> None:
    """With Shift, the arrows move by single events."""
    replay = replay_of("1*1", ("mv", 0, 2), ("lc", 0, 0), ("lr", 0, 0), ("mv", 0, 1))

    async def play(app: ReplayApp, pilot: Pilot[None]) -> None:
        board = app.screen.query_one(BoardView)
        await pilot.press("shift+right")
        assert (board.cursor, widget_text(app, "#replay-message")) == (
            Cell(0, 2),
            "Before the first click.",
        )
        await pilot.press("shift+right", "shift+right")
        assert board.cursor == Cell(0, 0)
        assert widget_text(app, "#replay-message").startswith("0.0 s: open row 1, column 1")
        await pilot.press("shift+left")
        assert widget_text(app, "#replay-status").startswith("0 of 1")
        # Clicks on the board do nothing.
        await click(pilot, Cell(0, 1))
        assert widget_text(app, "#replay-status").startswith("0 of 1")

    view(replay, play)


def test_guesses_are_found_with_their_risk() -> None:
    """G moves to the next guess, chords included, and says when there are no more."""

    async def play(app: ReplayApp, pilot: Pilot[None]) -> None:
        await pilot.press("g")
        assert widget_text(app, "#replay-status").startswith("54 of 234")
        assert widget_text(app, "#replay-message").startswith(
            "10.2 s: chord row 3, column 11. The risk "
        )
        await pilot.press("g", "g", "g", "g", "g", "g", "g", "g")
        await pilot.press("end", "g")
        assert widget_text(app, "#replay-message") == "No more guesses."

    view(EXPERT, play)


def test_chances_and_mines_are_shown_on_request() -> None:
    """A cycles through the overlays of a game, and X shows every mine."""

    async def play(app: ReplayApp, pilot: Pilot[None]) -> None:
        await pilot.press("right", "x")
        assert screen_text(app).count("*") == 2
        await pilot.press("x")
        assert screen_text(app).count("*") == 0
        await pilot.press("a", "a")
        await settled(app, pilot)
        assert widget_text(app, "#replay-message") == "Overlay: Chances."
        assert screen_text(app).count("!") == 2
        await pilot.press("a", "a")
        assert screen_text(app).count("!") == 0

    view(replay_of("1*2*1\n11211\n00000", ("open", 2, 0), ("open", 0, 0)), play)


def test_time_passes_at_a_chosen_speed_until_the_end() -> None:
    """Space plays and pauses; at the end, it starts again."""

    async def play(app: ReplayApp, pilot: Pilot[None]) -> None:
        await pilot.press(*["minus"] * 3)
        # Press no key in between, so that no time passes, even on a busy machine.
        app.replay_screen.action_play()
        assert "plays at 0.25×" in widget_text(app, "#replay-figures")
        app.replay_screen.action_play()
        assert "paused" in widget_text(app, "#replay-figures")
        await pilot.press(*["plus"] * 9, "space")
        await settled(app, pilot)
        assert widget_text(app, "#replay-status").startswith("2 of 2 | lost after 1.0 s")
        assert "X" in screen_text(app)
        app.replay_screen.action_play()
        assert widget_text(app, "#replay-status").startswith("0 of 2")
        assert "plays at 8×" in widget_text(app, "#replay-figures")

    view(replay_of("1*1", ("open", 0, 0), ("open", 0, 1)), play)


def test_contradictions_are_shown_first() -> None:
    """The level is Arbiter's, and a contradicted result is shown as unclear."""

    async def play(app: ReplayApp, pilot: Pilot[None]) -> None:
        assert "The file says 2.610 s, but its clicks take 14.520 s." in widget_text(
            app, "#replay-message"
        )
        assert widget_text(app, "#replay-status").endswith("Beginner (8x8)")
        check_snapshot(app, "viewer-small")

    view(load(FOLDER / "beginner_wrong_time.avf"), play, (40, 20))

    async def unclear(app: ReplayApp, pilot: Pilot[None]) -> None:
        assert "result unclear" in widget_text(app, "#replay-status")

    view(replay_of("1*1", ("open", 0, 1), won=True), unclear)


def test_viewer_can_be_closed() -> None:
    """Q closes the viewer, as on other screens; the keys can be listed."""

    async def play(app: ReplayApp, pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        await pilot.pause()
        assert "next guess" in screen_text(app)
        await pilot.press("escape")
        # This key ends the app, so there is no answer.
        app.simulate_key("q")

    app = ReplayApp(EXPERT)

    async def run() -> None:
        async with app.run_test() as pilot:
            await pilot.pause()
            await play(app, pilot)
            while app.return_code is None:
                await asyncio.sleep(0)

    asyncio.run(run())
    assert app.return_code == 0
