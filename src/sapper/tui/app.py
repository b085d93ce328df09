"""The app: one game on the screen, its keys, hints, overlays and the bot."""

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
from sapper.position import Position
from sapper.rules import Settings
from sapper.solver import Analysis, Limit, analyze
from sapper.solver.bots import Choice
from sapper.topology import Cell
from sapper.tui.background import Background
from sapper.tui.board_view import BoardView
from sapper.tui.bot_player import PACES_S, BotPlayer
from sapper.tui.help_screen import HelpScreen
from sapper.tui.hinting import SECONDS, Advice, advice
from sapper.tui.looks import LOOKS, PLAIN
from sapper.tui.scene import OVERLAYS, Scene
from sapper.tui.settings_screen import SettingsScreen

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
        Binding("t", "theme", "Theme"),
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
        self.overlay = OVERLAYS[0]
        self._analysis: Analysis | None = None
        self._advice: Advice | None = None
        self._page = 0
        self._text = _WELCOME
        self._moves: Background[bool] = Background()
        self._hints: Background[Advice] = Background()
        self._chances: Background[Analysis] = Background()
        self._choices: Background[Choice] = Background()
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

    @property
    def busy(self) -> bool:
        """Whether anything is being worked out in the background."""
        jobs = (self._moves, self._hints, self._chances, self._choices, self._reviews)
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
        self._halt()
        if self._moves.busy:
            return
        if not self.game.can_undo:
            self._say("There is nothing to undo.")
            return
        self._do(Action(ActionKind.UNDO, None))

    def action_new(self) -> None:
        """Start a new game with the same settings."""
        settings = self.game.settings
        seed = substream(settings.seed, "restart")
        # A new object, since a move may be worked out on the old one.
        self._begin(Game.begin(replace(settings, seed=seed)))

    def action_again(self) -> None:
        """Start the same board again."""
        if not self._moves.busy:
            self.game.restart(same=True)
            self._begin(self.game)

    def action_settings(self) -> None:
        """Ask for other settings."""
        self._halt()

        def chosen(settings: Settings | None) -> None:
            if settings is not None:
                self._begin(Game.begin(settings))

        self.push_screen(SettingsScreen(self.game.settings), chosen)

    def action_help(self) -> None:
        """List all keys."""
        self.push_screen(HelpScreen())

    def action_theme(self) -> None:
        """Take the next look."""
        looks = list(LOOKS)
        self.look = looks[(looks.index(self.look) + 1) % len(looks)]
        self.theme = LOOKS[self.look]
        self._say(f"Theme: {self.look}.")

    def _by_hand(self, kind: str, cell: Cell) -> None:
        if self._moves.busy:
            return
        if self.player.running:
            # Under the pointer the board was changing: the click was not meant for what is there.
            self._halt()
            self._say("The bot is paused.")
            return
        self._halt()
        if self.game.over:
            self._say(f"The game is {self.game.status}. N starts a new one, U undoes.")
            return
        number = self.game.position.number(cell)
        if kind == "open" and number:
            kind = "chord"
        self._do(Action(ActionKind(kind), cell))

    # Games.

    def _begin(self, game: Game) -> None:
        self._halt()
        self._moves.cancel()
        self.game = game
        self._changed("")

    def _do(self, action: Action, then: Callable[[bool], object] | None = None) -> None:
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
        elif not self._moves.busy:
            self._moves.run(lambda cancel: _play(game, action, cancel), done, self._failed)

    def _changed(self, text: str) -> None:
        """Draw the game anew after something was done to it."""
        self._advice, self._analysis = None, None
        self._hints.cancel()
        self._chances.cancel()
        self._reviews.cancel()
        self._text = text
        if self.game.over:
            self._ended()
        elif self.overlay != OVERLAYS[0]:
            self._analyse()
        self._draw()

    def _ended(self) -> None:
        self.player.stop()
        seconds = f"{self.game.clock.player_s:.1f} s"
        if self.game.status is Status.WON:
            self._text = f"Won in {seconds}. N starts a new game."
            return
        self._text = f"Lost after {seconds}. N starts a new game, U undoes the last move."
        trail, text = self.game.trail(), self._text
        self._reviews.run(
            lambda _: Reviewer().post_mortem(trail),
            lambda found: self._say(f"{text} {found.sentence}"),
            lambda _: None,
        )

    # Hints and overlays.

    def action_hint(self) -> None:
        """Show a hint; again, the next step of its proof."""
        self._halt()
        if self.game.over:
            self._say(f"The game is {self.game.status}: there is nothing to open.")
            return
        if self._advice is not None:
            self._page = (self._page + 1) % len(self._advice.pages)
            self._show_page()
            return
        position = self.game.position.without_flags()

        def found(what: Advice) -> None:
            self._advice, self._page = what, 0
            self._board.move_to(what.cell)
            self._show_page()

        self._text = "Thinking ..."
        self._hints.run(
            lambda cancel: advice(position, Limit(seconds=SECONDS, cancel=cancel)),
            found,
            self._failed,
        )
        self._draw()

    def _show_page(self) -> None:
        assert self._advice is not None
        text, _ = self._advice.pages[self._page]
        more = len(self._advice.pages) > 1
        self._say(f"{text}{' H: next step.' if more else ''}")

    def action_overlay(self) -> None:
        """Show nothing, safe cells, or all chances on unopened cells."""
        self.overlay = OVERLAYS[(OVERLAYS.index(self.overlay) + 1) % len(OVERLAYS)]
        if self.overlay != OVERLAYS[0] and self._analysis is None and not self.game.over:
            self._analyse()
        self._say(f"Overlay: {self.overlay}.")

    def _analyse(self) -> None:
        position = self.game.position

        def found(analysis: Analysis) -> None:
            self._analysis = analysis
            self._draw()

        def work(cancel: Cancel) -> Analysis:
            return analyze(position, Limit(seconds=SECONDS, cancel=cancel))

        self._chances.run(work, found, self._failed)

    # The bot.

    def action_play(self) -> None:
        """Let the bot play, or pause it."""
        if self.player.running:
            self._halt()
            self._say("The bot is paused.")
        elif self._can_play():
            self.player.running = True
            self._bot_turn()

    def action_step(self) -> None:
        """Let the bot do one step."""
        if self.player.running:
            self._halt()
        if self._can_play() and not self._choices.busy and not self._moves.busy:
            self._bot_turn()

    def action_bot(self) -> None:
        """Take the next bot."""
        self._halt()
        self.player.change()
        self._say(f"Bot: {self.player.name}. P lets it play.")

    def action_pace(self, by: int) -> None:
        """Let the bot play faster or slower."""
        self.player.pace = min(max(self.player.pace + by, 0), len(PACES_S) - 1)
        self._say(f"Pace: {self.player.pace + 1} of {len(PACES_S)}.")

    def _can_play(self) -> bool:
        if self.game.over:
            self._say(f"The game is {self.game.status}. N starts a new one.")
        return not self.game.over

    def _halt(self) -> None:
        self.player.stop()
        if self._choices.busy:
            self._choices.cancel()
            self.player.abandon()

    def _bot_turn(self) -> None:
        """Do the next planned action, or ask the bot for more."""
        if self.game.over or self._moves.busy:
            return
        if self.player.plan:
            self._bot_acts()
            return
        position, game = self.game.position, self.game
        self._choices.run(
            lambda _: self._chosen(position, game),
            self._bot_chose,
            self._failed,
        )

    def _chosen(self, position: Position, game: Game) -> Choice:
        with game.clock.thinking():
            return self.player.choose(position, game.level, game, game.seed)

    def _bot_chose(self, choice: Choice) -> None:
        self._advice = None
        self._text = self.player.take(choice)
        if self.player.plan:
            self._bot_acts()
        else:
            self._halt()
            self._draw()

    def _bot_acts(self) -> None:
        action = self.player.plan.popleft()
        if action.cell is not None:
            self._board.move_to(action.cell)
        before = self.game.position

        def done(effective: bool) -> None:
            opened = self.game.position.cells.count(b".") < before.cells.count(b".")
            try:
                self.player.done(effective, opened, self.game)
            except SapperError as problem:
                self._failed(problem)
                return
            if self.player.running and not self.game.over:
                pace = PACES_S[self.player.pace] if effective else 0.0
                self.set_timer(max(pace, 0.001), self._bot_goes_on)
            elif not effective and self.player.plan:
                self._bot_acts()

        self._do(action, done)

    def _bot_goes_on(self) -> None:
        if self.player.running:
            self._bot_turn()

    # The screen.

    @property
    def _board(self) -> BoardView:
        return self.query_one(BoardView)

    def _failed(self, problem: Exception) -> None:
        self._halt()
        if not isinstance(problem, SapperError):
            raise problem
        message = str(problem)
        self._say(f"{message[:1].upper()}{message[1:]}.")

    def _say(self, text: str) -> None:
        self._text = text
        self._draw()

    def _draw(self) -> None:
        marks = {} if self._advice is None else self._advice.pages[self._page][1]
        shape = self.game.level.shape()
        if self.player.plan and self.player.plan[0].cell is not None:
            marks = {**marks, shape.index(self.player.plan[0].cell): "bot"}
        scene = Scene.of(self.game, marks, self._analysis, self.overlay)
        # The form or the list of keys may be on top of it.
        board = self.screen_stack[0].query_one(BoardView)
        board.show(scene, self.look)
        self.screen_stack[0].query_one("#message", Static).update(self._text)
        self._draw_status()

    def _draw_status(self) -> None:
        game = self.game
        mines = "?" if game.mines_left is None else game.mines_left
        seconds = int(game.clock.player_s)
        bot = f" | {self.player.name} plays" if self.player.running else ""
        text = f"Mines {mines} | {seconds} s | {game.status} | {game.level} {game.settings.rules}"
        self.screen_stack[0].query_one("#status", Static).update(text + bot)


def _play(game: Game, action: Action, cancel: Cancel | None) -> bool:
    """Perform an action, if the game still takes it."""
    if game.over and action.kind is not ActionKind.UNDO:
        return False
    if cancel is None:
        return game.play(action)
    with cancelled_by(cancel):
        return game.play(action)
