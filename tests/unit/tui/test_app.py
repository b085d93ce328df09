from __future__ import annotations

import itertools
import threading
from types import SimpleNamespace

import pytest
import textual.timer
from textual.pilot import Pilot
from textual.widgets import Checkbox, Input, Select, Static
from textual.widgets._select import SelectCurrent, SelectOverlay

import sapper
from sapper.dealer import RULES
from sapper.game import Game, Status
from sapper.metrics import solved
from sapper.solver.bots import bots
from sapper.topology import TOPOLOGIES, Cell
from sapper.tui import LOOKS, SapperApp
from sapper.tui.board_view import BoardView
from sapper.tui.bot_player import PACES_S
from sapper.tui.help_screen import HelpScreen
from sapper.tui.settings_screen import SettingsScreen
from support.marks import sampled
from support.terminal_app import (
    START,
    board_of,
    click,
    click_on,
    message,
    move,
    play_app,
    settled,
    until,
)
from support.terminal_screens import check_snapshot, screen_text


def test_a_game_is_won_with_the_keyboard() -> None:
    """Arrows and Space open every safe cell, after which all mines are flagged."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        board = board_of(app)
        await pilot.press("enter")
        for cell in app.table.game.level.shape().cells():
            if not board.is_mine(cell) and app.table.game.position[cell] == ".":
                await move(app, pilot, cell)
                await pilot.press("enter")
        assert app.table.game.status is Status.WON
        assert app.table.game.board == board
        assert message(app).startswith("Won in ")
        assert app.table.game.position.cells.count(b"F") == 10

    play_app(play)


def test_a_small_window_is_named() -> None:
    """The screen needs 40 columns and 20 rows; no key is played until then."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        for size in ((39, 20), (40, 19)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            text = " ".join(screen_text(app).split())
            assert f"{size[0]} x {size[1]}. Sapper needs 40 x 20." in text
            await pilot.press("enter")
            assert app.table.game.status is Status.READY
            await pilot.resize_terminal(40, 20)
            await pilot.pause()
            assert "too small" not in screen_text(app)
        await pilot.press("enter")
        assert app.table.game.status is Status.PLAYING

    play_app(play)


@pytest.mark.slow
def test_a_game_is_won_with_the_mouse() -> None:
    """Left clicks open, right clicks flag, and a click on a number chords."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        board = board_of(app)
        await click(pilot, START)
        for mine in board.mine_cells():
            await click(pilot, mine, button=3)
        assert app.table.game.mines_left == 0
        for cell in app.table.game.level.shape().cells():
            if app.table.game.over:
                break
            if app.table.game.position.number(cell) or app.table.game.position[cell] == ".":
                await click(pilot, cell)
        assert app.table.game.status is Status.WON
        assert app.table.game.counts.chords > 0

    play_app(play)


def test_hexagon_rows_are_shifted_and_clickable() -> None:
    """Every other row is shifted right by half a cell, for the mouse as well."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        board = board_of(app)
        app.table.game = Game.begin(app.table.game.settings, time=lambda: 0.0)
        await click(pilot, START)
        check_snapshot(app, "hexagons")
        for cell in app.table.game.level.shape().cells():
            if not board.is_mine(cell) and app.table.game.position[cell] == ".":
                await click_on(pilot, BoardView, (2 * cell.col + cell.row % 2, cell.row))
        assert app.table.game.status is Status.WON
        assert app.table.game.board == board

    play_app(play, level="beginner/hexagon")


def test_cursor_wraps_across_joined_sides() -> None:
    """On a cylinder, the cursor wraps left and right, but not up and down."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        view = app.query_one(BoardView)
        await pilot.press(*["left"] * 5)
        assert view.cursor == Cell(4, 8)
        await pilot.press(*["up"] * 6)
        assert view.cursor == Cell(0, 8)

    play_app(play, level="beginner/cylinder")


@pytest.mark.parametrize("by_key", [True, False])
def test_lost_game_shows_mines_and_reason_and_can_be_undone(by_key: bool) -> None:
    """All mines are shown, the message gives the reason, and U undoes the loss."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        mine = board_of(app).mine_cells()[0]
        await pilot.press("enter")
        if by_key:
            await move(app, pilot, mine)
            await pilot.press("enter")
        else:
            await click(pilot, mine)
        assert app.table.game.status is Status.LOST
        await settled(app, pilot)
        assert message(app).startswith("Lost after ")
        assert message(app).count(app.table.game.post_mortem().sentence) == 1
        board = app.table.game.board
        assert (
            f": solved {solved(board, app.table.game.position)} of {board.bbbv} 3BV ("
            in message(app)
        )
        text = screen_text(app)
        assert text.count("X") == 1
        assert text.count("*") == 9
        await pilot.press("enter")
        assert "The game is lost." in message(app)
        await pilot.press("u")
        assert app.table.game.status is Status.PLAYING
        assert app.table.game.position[mine] == "."

    play_app(play)


def test_hint_shows_a_safe_cell_and_its_proof() -> None:
    """H marks a safe cell and moves the cursor there; pressed again, it steps through the proof."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        found = sapper.hint(app.table.game.position)
        await pilot.press("h", "h")
        await settled(app, pilot)
        assert found.proved
        assert app.query_one(BoardView).cursor == found.cell
        assert message(app).startswith(
            f"Open row {found.cell.row + 1}, column {found.cell.col + 1}. "
        )
        assert screen_text(app).count("<") == 1
        assert screen_text(app).count("~") == len(found.because)
        steps = sapper.proof_steps(app.table.game.position, found.proof)
        for number in range(1, len(steps) + 1):
            await pilot.press("h")
            assert message(app).startswith(f"Step {number} of {len(steps)}: ")
        await pilot.press("h")
        assert message(app).startswith("Open ")
        await pilot.press("enter")
        assert app.table.game.position.number(found.cell) is not None

    play_app(play)


def test_hint_can_be_clicked() -> None:
    """Clicking a key in the bottom line works like pressing it."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await click(pilot, START)
        found = sapper.hint(app.table.game.position)
        await click_on(pilot, "#hint-key")
        assert "Press H again" in message(app)
        await click_on(pilot, "#hint-key")
        await settled(app, pilot)
        assert app.query_one(BoardView).cursor == found.cell
        assert message(app).startswith("Open row ")

    play_app(play)


def test_help_from_a_stray_key_asks_first() -> None:
    """A second press accepts for this game; a move or another message cancels the question."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        board = app.table.game.position
        for key in "huaps":
            await pilot.press(key)
            await settled(app, pilot)
            assert f"Press {key.upper()} again to continue, or Y" in message(app)
        assert app.table.game.position == board
        assert app.table.log.counts
        await pilot.press("t", "s")
        assert "Press S again" in message(app)
        mine = min(sapper.analyze(board).mined)
        await move(app, pilot, mine)
        await pilot.press("f", "y", "u")
        assert "Press U again" in message(app)
        assert app.table.game.position[mine] == "F"
        await pilot.press("u")
        assert app.table.game.position[mine] == "."
        await pilot.press("h")
        await settled(app, pilot)
        assert message(app).startswith("Open row ")
        await pilot.press("n", "enter", "h")
        assert "Press H again" in message(app)
        await pilot.press("y")
        await settled(app, pilot)
        assert message(app).startswith("Open row ")
        await pilot.press("n", "enter", "u")
        assert app.table.game.status is Status.READY

    play_app(play)


def test_space_flags_and_chords_and_f2_restarts() -> None:
    """The keys are the same as in the browser and in other Minesweeper programs."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        position = app.table.game.position
        known = sapper.analyze(position)
        around = position.topology.neighbours
        number, mines, safe = next(
            (at, mines, safe)
            for at in position.topology.cells()
            if (mines := [c for c in around(at) if c in known.mined])
            and position.number(at) == len(mines)
            and (safe := [c for c in around(at) if c in known.safe])
        )
        for mine in mines:
            await move(app, pilot, mine)
            await pilot.press("space")
            assert app.table.game.position[mine] == "F"
        await move(app, pilot, number)
        await pilot.press("space")
        assert all(app.table.game.position[cell] != "." for cell in safe)
        await pilot.press("f2")
        assert app.table.game.status is Status.READY
        await pilot.press("space")
        assert app.table.game.position[number] == "F"

    play_app(play)


@pytest.mark.parametrize("key", ["т", "Т", "ν", "מ", "ى"])
def test_letters_of_other_keyboards_run_the_same_command(key: str) -> None:
    """The letter on the key N of a Russian, Greek, Hebrew or Arabic keyboard starts a new game."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        assert app.table.game.status is Status.PLAYING
        await pilot.press(key)
        assert app.table.game.status is Status.READY

    play_app(play)


def test_key_line_shows_what_fits() -> None:
    """The line shows as many whole keys as fit, from the first on; Caps Lock has no effect."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        for width, more in (
            (40, " q Quit"),
            (100, " q Quit u Undo a Overlay g Games l Learn"),
            (46, " q Quit"),
            (47, " q Quit u Undo"),
        ):
            await pilot.resize_terminal(width, 20)
            # A screenshot may fail while the layout is changing.
            await until(pilot, lambda width=width: app.screen.size.width == width)
            await settled(app, pilot)
            keys = f"? Keys n New h Hint m Rules p Bot{more}"
            await until(pilot, lambda keys=keys: screen_text(app).splitlines()[-1] == keys)
        await pilot.press("M")
        assert isinstance(app.screen, SettingsScreen)

    play_app(play)


def test_the_overlays_follow_the_game() -> None:
    """A cycles through states, chances, risks and no overlay."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        analysis = sapper.analyze(app.table.game.position)
        await pilot.press("a", "a")
        await settled(app, pilot)
        assert screen_text(app).count("+") == len(analysis.safe)
        assert screen_text(app).count("!") == len(analysis.mined)
        await pilot.press("a")
        await settled(app, pilot)
        assert screen_text(app).count("!") == len(analysis.mined)
        await move(app, pilot, min(analysis.safe))
        await pilot.press("enter")
        await settled(app, pilot)
        after = sapper.analyze(app.table.game.position)
        assert screen_text(app).count("+") == len(after.safe)
        await pilot.press("a", "a")
        assert "+" not in screen_text(app)

    play_app(play)


def test_other_rules_are_chosen_with_the_keyboard() -> None:
    """M asks for level, shape and rules; Tab moves on, Enter opens lists and starts the game."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("m")
        assert isinstance(app.screen, SettingsScreen)
        await pilot.press(*"8x6:9", "tab")
        await pilot.press("enter", *["down"] * list(TOPOLOGIES).index("hexagon"), "enter", "tab")
        await pilot.press("enter", *["down"] * list(RULES).index("kaboom"), "enter")
        await pilot.press("shift+tab", "shift+tab", "enter")
        made = app.table.game.settings
        assert (str(made.level), made.rules) == ("8x6:9/hexagon", "kaboom")
        assert made.first_click == "opening"
        assert set(made.options) == {option.name for option in RULES["kaboom"].options}
        await pilot.press("enter")
        await settled(app, pilot)
        assert app.table.game.status is Status.PLAYING

    play_app(play)


def test_form_keeps_choices_of_each_rule_set() -> None:
    """Windows XP, whose first click is never a mine, does not change the choice for Classic."""

    async def rules(pilot: Pilot[None], app: SapperApp, name: str) -> str:
        await pilot.press("m")
        field = app.screen.query_one("#rules", Select)
        field.value = name
        await pilot.pause()
        first = str(app.screen.query_one("#first_click", Select).value)
        await pilot.press("enter")
        await until(pilot, lambda: app.table.game.settings.rules == name)
        return first

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        assert str(app.table.game.settings.first_click) == "opening"
        assert await rules(pilot, app, "windows-xp") == "safe"
        assert await rules(pilot, app, "kaboom") == "opening"
        assert await rules(pilot, app, "classic") == "opening"

    play_app(play)


@pytest.mark.slow
def test_other_rules_are_chosen_with_the_mouse() -> None:
    """Clicks open a list and choose from it, and a button starts the game."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await click_on(pilot, "#settings-key")
        await until(pilot, lambda: isinstance(app.screen, SettingsScreen))
        for name, place in (("shape", "triangle"), ("rules", "fair")):
            field = app.screen.query_one(f"#{name}", Select)
            await click_on(pilot, field.query_one(SelectCurrent).query_one("#label", Static))
            row = list(TOPOLOGIES if name == "shape" else RULES).index(place)
            await click_on(pilot, field.query_one(SelectOverlay), (3, row))
            await until(pilot, lambda field=field, place=place: field.value == place)
        await until(pilot, lambda: app.screen.query("#remove_mines"))
        # The buttons are below the options of these rules.
        await pilot.pause()
        await click_on(pilot, "#start")
        await until(pilot, lambda: not isinstance(app.screen, SettingsScreen))
        made = app.table.game.settings
        assert (str(made.level), made.rules) == ("beginner/triangle", "fair")

    play_app(play, (80, 50))


def test_every_shape_can_be_chosen() -> None:
    """The form lists all topologies; a topology after a slash in the level takes precedence."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("m")
        field = app.screen.query_one("#shape", Select)
        for shape in TOPOLOGIES:
            # The list would refuse a value that it does not contain.
            field.value = shape
            assert field.value == shape
        await pilot.press(*"9x9:9/torus", "enter")
        assert app.table.game.level.topology == "torus"

    play_app(play)


def test_undo_and_chords_are_switched_in_the_form() -> None:
    """Undo can be turned off, and chords can accept extra flags."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("m")
        app.screen.query_one("#undo", Checkbox).value = False
        app.screen.query_one("#chord", Select).value = "at_least"
        await pilot.press("enter")
        await pilot.pause()
        assert (app.table.game.settings.undo, app.table.game.settings.chord) == (False, "at_least")
        await pilot.press("enter", "u")
        assert message(app) == "This game has no undo."

    play_app(play)


def test_bad_settings_are_explained_in_the_form() -> None:
    """An invalid level stays in the form, which shows the reason; Escape returns to the game."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        game = app.table.game
        await pilot.press("m")
        app.screen.query_one("#level", Input).value = "9x9:99"
        await pilot.press("enter")
        await pilot.pause()
        shown = str(app.screen.query_one("#problem", Static).content)
        assert "mines must be between 0 and 81 for 9x9, got 99" in shown
        await pilot.press("escape")
        assert app.table.game is game

    play_app(play)


@pytest.mark.parametrize("rules", sampled(RULES, 4))
def test_a_bot_plays_every_rule_set_to_its_end(rules: str) -> None:
    """P lets the bot play until the game is over; it explains each choice."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press(*["plus"] * len(PACES_S))
        await pilot.press("p")
        await settled(app, pilot)
        assert app.table.game.over
        assert message(app).startswith(("Won", "Lost"))

    play_app(play, rules=rules, first_click=None)


def test_bot_continues_after_a_stall(monkeypatch: pytest.MonkeyPatch) -> None:
    """Textual drops a timer that expires before it is awaited."""
    looks = itertools.count()
    late = SimpleNamespace(get_time=lambda: next(looks) / 100)
    monkeypatch.setattr(textual.timer, "_time", late)

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press(*["plus"] * len(PACES_S))
        await pilot.press("p")
        await settled(app, pilot)
        assert app.table.game.over

    play_app(play)


def test_late_updates_are_ignored() -> None:
    """A clock tick or bot message that arrives late is ignored."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")

    app = play_app(play)
    assert not app.screen_stack
    app.table.say("late")
    app._draw_status()


def test_a_bot_is_paused_stepped_and_changed() -> None:
    """S plays one action, a click pauses a playing bot and does nothing else, B changes the bot."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("s")
        await settled(app, pilot)
        assert message(app).startswith("exact ")
        assert len(app.table.game.log) == 1
        await pilot.press(*["minus"] * len(PACES_S))
        await pilot.press("p")
        assert app.table.player.running
        before = len(app.table.game.log)
        await click(pilot, Cell(0, 0), button=3)
        assert not app.table.player.running
        assert message(app) == "The bot is paused."
        assert all(action.kind != "flag" for action in app.table.game.log[before:])
        await pilot.press("b")
        assert app.table.player.name == list(bots)[1]

    play_app(play)


def test_new_game_and_same_board() -> None:
    """N uses another seed, R keeps the mines."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        first, seed = app.table.game.position, app.table.game.seed
        await pilot.press("r")
        assert app.table.game.status is Status.READY
        app.query_one(BoardView).move_to(START)
        await pilot.press("enter")
        assert app.table.game.position == first
        await pilot.press("n")
        assert app.table.game.seed != seed

    play_app(play)


def test_thinking_bot_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new game does not wait for a slow bot, which is never called from two threads."""
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
        assert app.table.busy
        await pilot.press("n", "s")
        await settled(app, pilot)
        assert app.table.game.status is Status.PLAYING
        assert [bot.calls for bot in asked] == [1, 1]
        release.set()

    play_app(play)


def test_new_game_does_not_wait_for_analysing_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a first click is computed, R and U wait, but N starts another game immediately."""
    release, dealt = threading.Event(), threading.Event()
    play_now = Game.play

    def slow(game: Game, action: sapper.Action) -> bool:
        dealt.set()
        assert release.wait(300)
        return play_now(game, action)

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        first = app.table.game
        monkeypatch.setattr(Game, "play", slow)
        await pilot.press("enter")
        assert dealt.wait(300)
        await pilot.press("r", "u", "enter")
        assert app.table.game is first
        assert app.table.busy
        await pilot.press("n")
        assert app.table.game is not first
        assert app.table.game.status is Status.READY
        monkeypatch.setattr(Game, "play", play_now)
        release.set()
        await pilot.press("enter")
        await settled(app, pilot)
        assert app.table.game.status is Status.PLAYING

    play_app(play, rules="kaboom")


def test_themes_cycle() -> None:
    """T cycles through all looks."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        seen = []
        for _ in LOOKS:
            seen.append(app.look)
            assert app.theme == LOOKS[app.look]
            await pilot.press("t")
        assert seen == list(LOOKS)
        assert app.look == seen[0]

    play_app(play)


def test_no_color_selects_the_plain_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """If NO_COLOR is set, cells have no colour."""
    monkeypatch.setenv("NO_COLOR", "1")

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        view = app.query_one(BoardView)
        styles = [seg.style for y in range(9) for seg in list(view.render_line(y))[:9]]
        assert app.look == "plain"
        assert all(style and style.color is None and style.bgcolor is None for style in styles)

    play_app(play, look=None)


def test_large_boards_scroll_with_the_cursor() -> None:
    """The far corner of an Expert board can be clicked on a screen of 40 columns and 20 rows."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        view = app.query_one(BoardView)
        assert view.virtual_size == (60, 16)
        await pilot.press("end", *["pagedown"] * 2)
        await pilot.pause()
        assert view.cursor == (15, 29)
        assert view.scroll_offset.x == 60 - view.scrollable_content_region.width
        x, y = 58 - view.scroll_offset.x, 15 - view.scroll_offset.y
        await click_on(pilot, BoardView, (x, y))
        assert app.table.game.position.number((15, 29)) == 0
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
        ("hint", (40, 20), ["enter", "h", "h"]),
        ("proof", (60, 24), ["enter", "h", "h", "h"]),
        ("chances", (60, 24), ["enter", "a", "a", "a"]),
        ("settings", (60, 24), ["m"]),
        ("settings-small", (40, 20), ["m"]),
        ("keys", (72, 30), ["question_mark"]),
        ("keys-small", (40, 20), ["question_mark"]),
    ],
)
def test_screens_match_snapshots(name: str, size: tuple[int, int], keys: list[str]) -> None:
    """The screen shows the text of the snapshot."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        app.table.game = Game.begin(app.table.game.settings, time=lambda: 0.0)
        for key in keys:
            await pilot.press(key)
            await settled(app, pilot)
        check_snapshot(app, name)

    play_app(play, size=size)
