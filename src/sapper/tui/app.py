"""The app: one game on the screen and its keys."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar, Final

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

from sapper._core import Cancel
from sapper._util.cancel_flag import cancelled_by
from sapper.actions import Action, ActionKind
from sapper.dealer import RULES
from sapper.errors import SapperError
from sapper.game import Game, Status
from sapper.game.review import PostMortem, Reviewer
from sapper.generation import substream
from sapper.rules import Settings
from sapper.topology import Cell
from sapper.tui.assistance import Assistance
from sapper.tui.autoplay import Autoplay
from sapper.tui.background import Background
from sapper.tui.board_view import BoardView
from sapper.tui.bot_player import BotPlayer
from sapper.tui.game_log import GameLog
from sapper.tui.help_screen import HelpScreen
from sapper.tui.hinting import Advice
from sapper.tui.history_screen import HistoryScreen
from sapper.tui.looks import LOOKS, PLAIN
from sapper.tui.scene import Scene
from sapper.tui.settings_screen import SettingsScreen
from sapper.tui.status_line import status_line
from sapper.tui.trainer_screen import TrainerScreen

__all__ = ["SapperApp"]

_WELCOME: Final = "Space opens, F flags, H gives a hint, M changes the rules, ? lists all keys."


class SapperApp(App[None]):
    """Minesweeper in the terminal.

    Args:
        settings: What the game is played by.
        look: A name of `LOOKS`; None for ``dark``, or ``plain`` where NO_COLOR is set.
        bot: The bot that plays when it is asked to.
    """

    TITLE = "Sapper"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #status { height: 1; text-style: bold; }
    BoardView { height: 1fr; }
    #box { height: auto; max-height: 40%; }
    #message { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Keys"),
        Binding("n", "new", "New"),
        Binding("m", "settings", "Rules"),
        Binding("h", "hint", "Hint"),
        Binding("a", "overlay", "Overlay"),
        Binding("p", "play", "Bot"),
        Binding("s", "step", "Step", show=False),
        Binding("u", "undo", "Undo"),
        Binding("r", "again", "Again", show=False),
        Binding("b", "bot", "Next bot", show=False),
        Binding("g", "history", "Games"),
        Binding("l", "train", "Learn"),
        Binding("t", "theme", "Theme", show=False),
        Binding("q", "quit", "Quit"),
        Binding("ctrl+q,ctrl+c", "quit", show=False),
        Binding("space,enter", "open", "Open", show=False),
        Binding("f", "flag", "Flag", show=False),
        Binding("c", "chord", "Chord", show=False),
        Binding("plus,equals_sign", "pace(1)", "Faster", show=False),
        Binding("minus", "pace(-1)", "Slower", show=False),
        Binding("up", "move(-1, 0)", show=False),
        Binding("down", "move(1, 0)", show=False),
        Binding("left", "move(0, -1)", show=False),
        Binding("right", "move(0, 1)", show=False),
        Binding("pageup", "move(-8, 0)", show=False),
        Binding("pagedown", "move(8, 0)", show=False),
        Binding("home", "move(0, -9999)", show=False),
        Binding("end", "move(0, 9999)", show=False),
    ]

    def __init__(self, settings: Settings, look: str | None = None, bot: str = "exact") -> None:
        # Textual takes NO_COLOR out of the environment.
        colourless = bool(os.environ.get("NO_COLOR"))
        super().__init__()
        self.look = look or (PLAIN if colourless else next(iter(LOOKS)))
        self.theme = LOOKS[self.look]
        self.game = Game.begin(settings)
        self.player = BotPlayer(bot)
        self._autoplay = Autoplay(self, self.player)
        self._assistance = Assistance(self._draw, self.fail)
        self._game_log = GameLog()
        self._text = _WELCOME
        self._moves: Background[bool] = Background()
        self._reviews: Background[PostMortem] = Background()

    def compose(self) -> ComposeResult:
        """Lay out status, board, message and keys."""
        yield Static(id="status", markup=False)
        yield BoardView(Scene.of(self.game), self.look)
        with VerticalScroll(id="box", can_focus=False):
            yield Static(id="message", markup=False)
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Draw the first picture, and keep the clock going."""
        self.query_one(BoardView).focus()
        self.set_interval(1.0, self._draw_status)
        self._draw()

    def on_unmount(self) -> None:
        """Finish saving games."""
        self._game_log.close()

    def on_resize(self) -> None:
        """Show as much in the status line as fits."""
        self.call_after_refresh(self._draw_status)

    @property
    def acting(self) -> bool:
        """Whether an action is being worked out."""
        return self._moves.busy

    @property
    def busy(self) -> bool:
        """Whether anything is being worked out in the background."""
        jobs = (self._moves, self._autoplay, self._assistance, self._reviews, self._game_log)
        return any(job.busy for job in jobs)

    # What players do.

    @on(BoardView.Clicked)
    def _clicked(self, event: BoardView.Clicked) -> None:
        self._by_hand(event.button, event.cell)

    def action_open(self) -> None:
        """Open the cell under the cursor, or chord a number."""
        self._by_hand("open", self._board.cursor)

    def action_flag(self) -> None:
        """Flag the cell under the cursor."""
        self._by_hand("flag", self._board.cursor)

    def action_chord(self) -> None:
        """Chord the number under the cursor."""
        self._by_hand("chord", self._board.cursor)

    def action_move(self, rows: int, cols: int) -> None:
        """Move the cursor."""
        self._board.move(rows, cols)

    def action_undo(self) -> None:
        """Undo the last move, also the one that lost."""
        self._autoplay.halt()
        if self.acting:
            return
        if not self.game.can_undo:
            undo = self.game.settings.undo
            self.say("There is nothing to undo." if undo else "This game has no undo.")
            return
        self._perform(Action(ActionKind.UNDO, None), None)
        self._game_log.help("undo")

    def action_new(self) -> None:
        """Start a new game with the same settings."""
        settings = self.game.settings
        seed = substream(settings.seed, "restart")
        # A new object, since a move may be worked out on the old one.
        self._begin(Game.begin(replace(settings, seed=seed)))

    def action_again(self) -> None:
        """Start the same board again."""
        if not self.acting:
            self.game.restart(same=True)
            self._begin(self.game)
            # The player knows where mines are.
            self._game_log.help("retry")

    def action_theme(self) -> None:
        """Take the next look."""
        looks = list(LOOKS)
        self.look = looks[(looks.index(self.look) + 1) % len(looks)]
        self.theme = LOOKS[self.look]
        self.say(f"Theme: {self.look}.")

    def _by_hand(self, kind: str, cell: Cell) -> None:
        if self.acting:
            return
        if self.player.running:
            # Under the pointer the board was changing: the click was not meant for what is there.
            self._autoplay.halt()
            self.say("The bot is paused.")
            return
        self._autoplay.halt()
        if self.game.over:
            self.say(f"The game is {self.game.status}. N starts a new one, U undoes.")
            return
        number = self.game.position.number(cell)
        if kind == "open" and number:
            kind = "chord"
        self._game_log.moved()
        self._perform(Action(ActionKind(kind), cell), None)

    # Other screens.

    def action_settings(self) -> None:
        """Ask for other settings."""
        self._autoplay.halt()

        def chosen(settings: Settings | None) -> None:
            if settings is not None:
                self._begin(Game.begin(settings))

        self.push_screen(SettingsScreen(self.game.settings), chosen)

    def action_help(self) -> None:
        """List all keys."""
        self.push_screen(HelpScreen())

    def action_history(self) -> None:
        """Show finished games and their statistics."""
        self._autoplay.halt()
        self.push_screen(HistoryScreen(self.game.settings, self.look, self._game_log.wait))

    def action_train(self) -> None:
        """Open the trainer."""
        self._autoplay.halt()
        try:
            screen = TrainerScreen(self.look)
        except SapperError as problem:
            self.fail(problem)
            return
        self.push_screen(screen)

    # Games.

    def _begin(self, game: Game) -> None:
        self._autoplay.halt()
        self._moves.cancel()
        self._game_log.begin()
        self.game = game
        self._changed("")

    def act(self, action: Action, then: Callable[[bool], object] | None = None) -> None:
        """Perform an action of the bot; `then` is told whether it had an effect."""
        self._game_log.moved(self.player.name)
        self._perform(action, then)

    def _perform(self, action: Action, then: Callable[[bool], object] | None) -> None:
        """Act on the game, in the background under rules that have to reason first."""
        game = self.game

        def done(effective: bool) -> None:
            if effective:
                self._changed("" if then is None else self._text)
            if then is not None:
                then(effective)

        reasons = RULES[game.settings.rules].reasons
        if reasons == "never" or action.kind in (ActionKind.FLAG, ActionKind.UNDO):
            done(_play(game, action, None))
        elif not self.acting:
            self._moves.run(lambda cancel: _play(game, action, cancel), done, self.fail)

    def _changed(self, text: str) -> None:
        """Draw the game anew after something was done to it."""
        self._assistance.clear()
        self._reviews.cancel()
        self._text = text
        if self.game.over:
            self._ended()
        elif self._assistance.shows_overlay:
            self._analyze()
        self._draw()

    def _ended(self) -> None:
        self.player.stop()
        self._game_log.finish(self.game, self._not_saved)
        seconds = f"{self.game.clock.player_s:.1f} s"
        if self.game.status is Status.WON:
            self._text = f"Won in {seconds}. N starts a new game."
            return
        self._text = f"Lost after {seconds}. N starts a new game, U undoes the last move."
        trail = self.game.trail()
        self._reviews.run(
            lambda _: Reviewer().post_mortem(trail),
            lambda found: self.say(f"{self._text} {found.sentence}"),
            lambda _: None,
        )

    def _not_saved(self, problem: Exception) -> None:
        self.say(f"{self._text} The game is not in the history: {problem}.")

    # Hints and overlays.

    def action_hint(self) -> None:
        """Show a hint; again, the next step of its proof."""
        self._autoplay.halt()
        if self.game.over:
            self.say(f"The game is {self.game.status}: there is nothing to open.")
            return
        if (text := self._assistance.next_page()) is not None:
            self.say(text)
            return
        self._game_log.help("hint")

        def found(what: Advice, text: str) -> None:
            self._board.move_to(what.cell)
            self.say(text)

        self._text = "Thinking ..."
        self._assistance.hint(self.game.position.without_flags(), found)
        self._draw()

    def action_overlay(self) -> None:
        """Show nothing, safe cells, or all chances on unopened cells."""
        self._assistance.change_overlay()
        if self._assistance.shows_overlay and not self.game.over:
            self._analyze()
        self.say(f"Overlay: {self._assistance.overlay}.")

    def _analyze(self) -> None:
        self._game_log.help("overlay")
        if self._assistance.analysis is None:
            self._assistance.analyze(self.game.position)

    # The bot.

    def action_play(self) -> None:
        """Let the bot play, or pause it."""
        self._autoplay.toggle()

    def action_step(self) -> None:
        """Let the bot do one step."""
        self._autoplay.step()

    def action_bot(self) -> None:
        """Take the next bot."""
        self._autoplay.change_bot()

    def action_pace(self, by: int) -> None:
        """Let the bot play faster or slower."""
        self._autoplay.change_pace(by)

    # The screen.

    @property
    def _board(self) -> BoardView:
        # Another screen may be on top of it.
        return self.screen_stack[0].query_one(BoardView)

    def point(self, cell: Cell) -> None:
        """Move the cursor to a cell."""
        self._assistance.drop_hint()
        self._board.move_to(cell)

    def fail(self, problem: Exception) -> None:
        """Show an error; one of the program itself ends it."""
        self._autoplay.halt()
        if not isinstance(problem, SapperError):
            raise problem
        message = str(problem)
        self.say(f"{message[:1].upper()}{message[1:]}.")

    def say(self, text: str) -> None:
        """Show a message under the board."""
        self._text = text
        self._draw()

    def _draw(self) -> None:
        marks = self._assistance.marks
        shape = self.game.level.shape()
        if self.player.plan and self.player.plan[0].cell is not None:
            marks = {**marks, shape.index(self.player.plan[0].cell): "bot"}
        helps = self._assistance
        scene = Scene.of(self.game, marks, helps.analysis, helps.overlay)
        self._board.show(scene, self.look)
        self.screen_stack[0].query_one("#message", Static).update(self._text)
        self._draw_status()

    def _draw_status(self) -> None:
        bot = self.player.name if self.player.running else ""
        text = status_line(self.game, bot, self.size.width)
        # The clock may tick once more while the screen is being taken down.
        for line in self.screen_stack[0].query("#status").results(Static):
            line.update(text)


def _play(game: Game, action: Action, cancel: Cancel | None) -> bool:
    """Perform an action, if the game still takes it."""
    if game.over and action.kind is not ActionKind.UNDO:
        return False
    if cancel is None:
        return game.play(action)
    with cancelled_by(cancel):
        return game.play(action)
