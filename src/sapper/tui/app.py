"""The app: the game screen, its keys, and navigation to other screens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Resize
from textual.widgets import Static

from sapper.errors import SapperError
from sapper.rules import Settings
from sapper.topology import Cell
from sapper.translation import t
from sapper.tui.board_view import BoardView
from sapper.tui.cell_styles import LOOKS, look_text
from sapper.tui.game_table import GameTable
from sapper.tui.help_screen import GAME_KEYS, HelpScreen
from sapper.tui.history_screen import HistoryScreen
from sapper.tui.key_line import CURSOR_KEYS, KeyLine, letter
from sapper.tui.paragraph import Paragraph
from sapper.tui.settings_screen import SettingsScreen
from sapper.tui.status_line import status_line
from sapper.tui.terminal_app import TerminalApp
from sapper.tui.trainer_screen import TrainerScreen

__all__ = ["SapperApp"]


class SapperApp(TerminalApp):
    """Minesweeper in the terminal.

    Args:
        settings: The settings of the game.
        look: A name of `LOOKS`; None for ``dark``, or ``plain`` if NO_COLOR is set.
        bot: The bot for automatic play.
        language: Language code of all text.
    """

    CSS = """
    #status { height: 1; text-style: bold; }
    BoardView { height: 1fr; }
    #box { height: auto; max-height: 40%; }
    #message { height: auto; }
    """
    # Keys in display order; narrow screens drop the last ones.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", t("Keys")),
        letter("n", "new", t("New")),
        Binding("f2", "new", show=False),
        letter("h", "hint", t("Hint")),
        letter("m", "settings", t("Rules")),
        letter("p", "play", t("Bot")),
        letter("q", "quit", t("Quit")),
        letter("u", "undo", t("Undo")),
        letter("a", "overlay", t("Overlay")),
        letter("g", "history", t("Games")),
        letter("l", "train", t("Learn")),
        letter("s", "step", show=False),
        letter("r", "again", show=False),
        letter("b", "bot", show=False),
        letter("t", "theme", show=False),
        letter("f", "hand('flag')", show=False),
        letter("c", "hand('chord')", show=False),
        Binding("enter", "hand('open')", show=False),
        Binding("space", "hand('smart')", show=False),
        letter("y", "allow", show=False),
        Binding("ctrl+q,ctrl+c", "quit", show=False),
        Binding("plus,equals_sign", "pace(1)", show=False),
        Binding("minus", "pace(-1)", show=False),
        *CURSOR_KEYS,
    ]

    def __init__(
        self,
        settings: Settings,
        look: str | None = None,
        bot: str = "exact",
        language: str = "en",
    ) -> None:
        super().__init__(look, language)
        self._own: dict[str, Settings] = {}
        self.table = GameTable(settings, bot, self)

    def compose(self) -> ComposeResult:
        """Lay out status, board, message and keys."""
        yield Static(id="status", markup=False)
        yield BoardView(self.table.scene, self.look)
        with VerticalScroll(id="box", can_focus=False):
            yield Paragraph(id="message", markup=False)
        yield KeyLine(self.words)

    def on_mount(self) -> None:
        """Draw the first picture and start the clock."""
        self.query_one(BoardView).focus()
        self.set_interval(1.0, self._draw_status)
        self.draw()

    def call_after(self, delay_s: float, callback: Callable[[], object]) -> None:
        """Call a function after this many seconds.

        A Textual timer would be lost if the process got no processor time for that long.
        """
        asyncio.get_running_loop().call_later(delay_s, self.call_later, callback)

    def on_unmount(self) -> None:
        """Finish saving games."""
        self.table.log.close()

    def on_resize(self, _event: Resize) -> None:
        """Adapt the status line to the new width."""
        self.call_after_refresh(self._draw_status)

    # The game.

    @on(BoardView.Clicked)
    def _clicked(self, event: BoardView.Clicked) -> None:
        self.table.by_hand(event.button, event.cell)

    def action_hand(self, kind: str) -> None:
        """Open, flag or chord the cell under the cursor."""
        self.table.by_hand(kind, self._board.cursor)

    def action_move(self, rows: int, cols: int) -> None:
        """Move the cursor."""
        self._board.move(rows, cols)

    def action_undo(self) -> None:
        """Undo the last move."""
        self.table.undo()

    def action_new(self) -> None:
        """Start a new game with the same settings."""
        self.table.new()

    def action_again(self) -> None:
        """Restart the same board."""
        self.table.again()

    def action_hint(self) -> None:
        """Show a hint or, if it is already shown, the next step of its proof."""
        self.table.hint()

    def action_allow(self) -> None:
        """Give the requested help, and do not ask again."""
        self.table.question.allow()

    def action_overlay(self) -> None:
        """Switch to the next overlay on unopened cells: none, safe cells or all chances."""
        self.table.change_overlay()

    def action_play(self) -> None:
        """Start or pause the bot."""
        self.table.play()

    def action_step(self) -> None:
        """Make the bot perform one step."""
        self.table.step()

    def action_bot(self) -> None:
        """Switch to the next bot."""
        self.table.autoplay.change_bot()

    def action_pace(self, by: int) -> None:
        """Change the bot's speed."""
        self.table.autoplay.change_pace(by)

    def action_theme(self) -> None:
        """Switch to the next look."""
        looks = list(LOOKS)
        self.look = looks[(looks.index(self.look) + 1) % len(looks)]
        self.theme = LOOKS[self.look]
        self.table.say(look_text(self.look))

    # Other screens.

    def action_settings(self) -> None:
        """Open the settings for a new game."""
        self.table.halt()

        def chosen(settings: Settings | None) -> None:
            if settings is not None:
                self.table.start(settings)

        now = self.table.game.settings
        self._own[now.rules] = now
        self.push_screen(SettingsScreen(now, self.words, self._own), chosen)

    def action_help(self) -> None:
        """List all keys."""
        self.push_screen(HelpScreen(GAME_KEYS, self.words))

    def action_history(self) -> None:
        """Show finished games and their statistics."""
        self.table.halt()
        settings, saved = self.table.game.settings, self.table.log.wait
        self.push_screen(HistoryScreen(settings, self.look, self.words, saved))

    def action_train(self) -> None:
        """Open the trainer."""
        self.table.halt()
        try:
            screen = TrainerScreen(self.look, self.words)
        except SapperError as problem:
            self.table.fail(problem)
            return
        self.push_screen(screen)

    # Drawing.

    @property
    def _board(self) -> BoardView:
        # Another screen may be on top.
        return self.screen_stack[0].query_one(BoardView)

    def point(self, cell: Cell) -> None:
        """Move the cursor to a cell."""
        self._board.move_to(cell)

    def draw(self) -> None:
        """Draw the game and the message."""
        # A bot or the clock may call this once more while the program ends.
        if not self.screen_stack:
            return
        self._board.show(self.table.scene, self.look)
        message = self.words.text(self.table.message)
        self.screen_stack[0].query_one("#message", Paragraph).update(message)
        self._draw_status()

    def _draw_status(self) -> None:
        bot = self.table.player.name if self.table.player.running else ""
        text = status_line(self.table.game, bot, self.size.width, self.words)
        # The clock may tick once more during or after the removal of the screen.
        for screen in self.screen_stack[:1]:
            for line in screen.query("#status").results(Static):
                line.update(text)
