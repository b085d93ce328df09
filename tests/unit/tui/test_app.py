from __future__ import annotations

import threading

import pytest
from textual.pilot import Pilot
from textual.widgets import Checkbox, Input, Select, Static

import sapper
from sapper.dealer import RULES
from sapper.game import Game, Status
from sapper.solver.bots import bots
from sapper.topology import Cell
from sapper.tui import LOOKS, SapperApp
from sapper.tui.board_view import BoardView
from sapper.tui.bot_player import BOTS, PACES_S
from sapper.tui.help_screen import HelpScreen
from sapper.tui.settings_screen import SettingsScreen
from support.terminal_app import START, board_of, click, message, move, play_app, settled
from support.terminal_screens import check_snapshot, screen_text


def test_a_game_is_won_with_the_keyboard() -> None:
    """Arrows and Space open every clear cell; then all mines are flagged."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        board = board_of(app)
        await pilot.press("space")
        for cell in app.game.level.shape().cells():
            if not board.is_mine(cell) and app.game.position[cell] == ".":
                await move(app, pilot, cell)
                await pilot.press("space")
        assert app.game.status is Status.WON
        assert app.game.board == board
        assert message(app).startswith("Won in ")
        assert app.game.position.cells.count(b"F") == 10

    play_app(play)


def test_a_game_is_won_with_the_mouse() -> None:
    """Left clicks open, right clicks flag, and a click on a number chords."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        board = board_of(app)
        await click(pilot, START)
        for mine in board.mine_cells():
            await click(pilot, mine, button=3)
        assert app.game.mines_left == 0
        for cell in app.game.level.shape().cells():
            if app.game.over:
                break
            if app.game.position.number(cell) or app.game.position[cell] == ".":
                await click(pilot, cell)
        assert app.game.status is Status.WON
        assert app.game.counts.chords > 0

    play_app(play)


def test_hexagons_stand_in_shifted_rows_and_are_clicked_where_they_are() -> None:
    """Every other row begins half a cell further right, for the mouse as well."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        board = board_of(app)
        app.game = Game.begin(app.game.settings, time=lambda: 0.0)
        await pilot.click(BoardView, offset=(2 * START.col, START.row))
        check_snapshot(app, "hexagons")
        for cell in app.game.level.shape().cells():
            if not board.is_mine(cell) and app.game.position[cell] == ".":
                await pilot.click(BoardView, offset=(2 * cell.col + cell.row % 2, cell.row))
        assert app.game.status is Status.WON
        assert app.game.board == board

    play_app(play, level="beginner/hexagon")


def test_the_cursor_goes_over_sides_that_touch_each_other() -> None:
    """On a cylinder to the left and right, but not up and down."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        view = app.query_one(BoardView)
        await pilot.press(*["left"] * 5)
        assert view.cursor == Cell(4, 8)
        await pilot.press(*["up"] * 6)
        assert view.cursor == Cell(0, 8)

    play_app(play, level="beginner/cylinder")


def test_a_lost_game_shows_the_mines_and_why_and_can_be_undone() -> None:
    """After a mine the board shows all of them, the message says why, and U goes back."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        mine = board_of(app).mine_cells()[0]
        await pilot.press("space")
        await click(pilot, mine)
        assert app.game.status is Status.LOST
        await settled(app, pilot)
        assert message(app).startswith("Lost after ")
        assert app.game.post_mortem().sentence in message(app)
        text = screen_text(app)
        assert text.count("X") == 1
        assert text.count("*") == 9
        await pilot.press("space")
        assert "The game is lost" in message(app)
        await pilot.press("u")
        assert app.game.status is Status.PLAYING
        assert app.game.position[mine] == "."

    play_app(play)


def test_a_hint_names_a_safe_cell_and_walks_through_its_proof() -> None:
    """H marks a safe cell and moves the cursor there; H again goes through the steps."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("space")
        found = sapper.hint(app.game.position)
        await pilot.press("h")
        await settled(app, pilot)
        assert found.proved
        assert app.query_one(BoardView).cursor == found.cell
        assert message(app).startswith(
            f"Open row {found.cell.row + 1}, column {found.cell.col + 1}. "
        )
        assert screen_text(app).count("<") == 1
        assert screen_text(app).count("~") == len(found.because)
        steps = sapper.proof_steps(app.game.position, found.proof)
        for number in range(1, len(steps) + 1):
            await pilot.press("h")
            assert message(app).startswith(f"Step {number} of {len(steps)}: ")
        await pilot.press("h")
        assert message(app).startswith("Open ")
        await pilot.press("space")
        assert app.game.position.number(found.cell) is not None

    play_app(play)


def test_the_overlay_shows_safe_cells_then_chances() -> None:
    """A goes from nothing to safe cells to every chance, and follows the game."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("space")
        analysis = sapper.analyze(app.game.position)
        await pilot.press("a")
        await settled(app, pilot)
        assert screen_text(app).count("+") == len(analysis.safe)
        assert "!" not in screen_text(app)
        await pilot.press("a")
        await settled(app, pilot)
        assert screen_text(app).count("!") == len(analysis.mined)
        await move(app, pilot, min(analysis.safe))
        await pilot.press("space")
        await settled(app, pilot)
        after = sapper.analyze(app.game.position)
        assert screen_text(app).count("+") == len(after.safe)
        await pilot.press("a")
        assert "+" not in screen_text(app)

    play_app(play)


def test_other_rules_are_chosen_in_the_form() -> None:
    """M asks for level, rules and their options; the new game has them."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("m")
        form = app.screen
        assert isinstance(form, SettingsScreen)
        form.query_one("#level", Input).value = "12x8:15"
        form.query_one("#rules", Select).value = "kaboom"
        await pilot.pause()
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        made = app.game.settings
        assert (str(made.level), made.rules, made.first_click) == ("12x8:15", "kaboom", "opening")
        assert set(made.options) == {option.name for option in RULES["kaboom"].options}
        await pilot.press("space")
        await settled(app, pilot)
        assert app.game.status is Status.PLAYING

    play_app(play)


def test_undo_and_chords_are_switched_in_the_form() -> None:
    """A game without undo says so; a chord may take more flags than the number shows."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("m")
        app.screen.query_one("#undo", Checkbox).value = False
        app.screen.query_one("#chord", Select).value = "at_least"
        await pilot.press("enter")
        await pilot.pause()
        assert (app.game.settings.undo, app.game.settings.chord) == (False, "at_least")
        await pilot.press("space", "u")
        assert message(app) == "This game has no undo."

    play_app(play)


def test_bad_settings_are_explained_in_the_form() -> None:
    """A level that cannot be stays in the form with the reason; Escape keeps the game."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        game = app.game
        await pilot.press("m")
        app.screen.query_one("#level", Input).value = "9x9:99"
        await pilot.press("enter")
        await pilot.pause()
        shown = str(app.screen.query_one("#problem", Static).content)
        assert "mines must be between 0 and 81 for 9x9, got 99" in shown
        await pilot.press("escape")
        assert app.game is game

    play_app(play)


@pytest.mark.parametrize("rules", RULES)
def test_a_bot_plays_every_rule_set_to_its_end(rules: str) -> None:
    """P lets the bot play until the game is over, with a word on each choice."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press(*["plus"] * len(PACES_S))
        await pilot.press("p")
        await settled(app, pilot)
        assert app.game.over
        assert message(app).startswith(("Won", "Lost"))

    play_app(play, rules=rules, first_click=None)


def test_a_bot_is_paused_stepped_and_changed() -> None:
    """S does one action; a click pauses a playing bot and does nothing else; B changes it."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("s")
        await settled(app, pilot)
        assert message(app).startswith("exact ")
        assert len(app.game.log) == 1
        await pilot.press(*["minus"] * len(PACES_S))
        await pilot.press("p")
        assert app.player.running
        before = len(app.game.log)
        await click(pilot, Cell(0, 0), button=3)
        assert not app.player.running
        assert message(app) == "The bot is paused."
        assert all(action.kind != "flag" for action in app.game.log[before:])
        await pilot.press("b")
        assert app.player.name == BOTS[1] == list(bots)[1]

    play_app(play)


def test_new_games_and_the_same_board_again() -> None:
    """N takes another seed, R repeats the mines."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("space")
        first, seed = app.game.position, app.game.seed
        await pilot.press("r")
        assert app.game.status is Status.READY
        app.query_one(BoardView).move_to(START)
        await pilot.press("space")
        assert app.game.position == first
        await pilot.press("n")
        assert app.game.seed != seed

    play_app(play)


def test_a_bot_that_still_thinks_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new game does not wait for a slow bot, and never asks it from two threads."""
    release, asked = threading.Event(), []

    class Slow:
        def __init__(self) -> None:
            self.calls = 0

        def choose(self, position: sapper.Position) -> sapper.Action:
            asked.append(self)
            self.calls += 1
            if len(asked) == 1:
                assert release.wait(300)
            return sapper.Action(sapper.ActionKind.OPEN, START)

    monkeypatch.setitem(bots, "exact", Slow)

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("s")
        assert app.busy
        await pilot.press("n", "s")
        await settled(app, pilot)
        assert app.game.status is Status.PLAYING
        assert [bot.calls for bot in asked] == [1, 1]
        release.set()

    play_app(play)


def test_a_new_game_does_not_wait_for_rules_that_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a first click is worked out, R and U wait, and N starts another game at once."""
    release, dealt = threading.Event(), threading.Event()
    play_now = Game.play

    def slow(game: Game, action: sapper.Action) -> bool:
        dealt.set()
        assert release.wait(300)
        return play_now(game, action)

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        first = app.game
        monkeypatch.setattr(Game, "play", slow)
        await pilot.press("space")
        assert dealt.wait(300)
        await pilot.press("r", "u", "space")
        assert app.game is first
        assert app.busy
        await pilot.press("n")
        assert app.game is not first
        assert app.game.status is Status.READY
        monkeypatch.setattr(Game, "play", play_now)
        release.set()
        await pilot.press("space")
        await settled(app, pilot)
        assert app.game.status is Status.PLAYING

    play_app(play, rules="kaboom")


def test_the_themes_take_turns() -> None:
    """T goes through all looks, and back to the first."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        seen = []
        for _ in LOOKS:
            seen.append(app.look)
            assert app.theme == LOOKS[app.look]
            await pilot.press("t")
        assert seen == list(LOOKS)
        assert app.look == seen[0]

    play_app(play)


def test_no_color_takes_the_plain_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where NO_COLOR is set, no cell has a colour."""
    monkeypatch.setenv("NO_COLOR", "1")

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("space")
        view = app.query_one(BoardView)
        styles = [seg.style for y in range(9) for seg in list(view.render_line(y))[:9]]
        assert app.look == "plain"
        assert all(style and style.color is None and style.bgcolor is None for style in styles)

    play_app(play, look=None)


def test_large_boards_scroll_with_the_cursor() -> None:
    """On 40 columns and 20 rows the far corner of an Expert board is reached and clicked."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        view = app.query_one(BoardView)
        assert view.virtual_size == (60, 16)
        await pilot.press("end", *["pagedown"] * 2)
        await pilot.pause()
        assert view.cursor == (15, 29)
        assert view.scroll_offset.x == 60 - view.scrollable_content_region.width
        x, y = 58 - view.scroll_offset.x, 15 - view.scroll_offset.y
        await pilot.click(BoardView, offset=(x, y))
        assert app.game.position.number((15, 29)) == 0
        await pilot.press("home", *["pageup"] * 2)
        await pilot.pause()
        assert view.scroll_offset == (0, 0)

    play_app(play, size=(40, 20), level="expert")


def test_the_keys_are_listed() -> None:
    """? opens the list, and Escape closes it."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape")
        assert not isinstance(app.screen, HelpScreen)

    play_app(play)


@pytest.mark.parametrize(
    ("name", "size", "keys"),
    [
        ("hint", (40, 20), ["space", "h"]),
        ("proof", (60, 24), ["space", "h", "h"]),
        ("chances", (60, 24), ["space", "a", "a"]),
        ("settings", (60, 24), ["m"]),
        ("settings-small", (40, 20), ["m"]),
        ("keys", (72, 30), ["question_mark"]),
    ],
)
def test_screens_look_as_they_did(name: str, size: tuple[int, int], keys: list[str]) -> None:
    """The text of the screen is that of the snapshot."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        app.game = Game.begin(app.game.settings, time=lambda: 0.0)
        for key in keys:
            await pilot.press(key)
            await settled(app, pilot)
        check_snapshot(app, name)

    play_app(play, size=size)
