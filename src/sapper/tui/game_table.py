"""The game on the screen: moves of the player and the bot, hints, and the end of the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol

from sapper import metrics
from sapper.actions import Action, ActionKind
from sapper.errors import SapperError
from sapper.game import Game, Status
from sapper.game.post_mortem import PostMortem
from sapper.game.review import Reviewer
from sapper.generation import substream
from sapper.rules import Settings
from sapper.topology import Cell
from sapper.translation import Text, capital, percent, seconds, sentences, t
from sapper.tui.assistance import Assistance, overlay_text
from sapper.tui.autoplay import Autoplay
from sapper.tui.background import Background
from sapper.tui.bot_player import BotPlayer
from sapper.tui.game_log import GameLog
from sapper.tui.help_question import HelpQuestion
from sapper.tui.hinting import Advice
from sapper.tui.moves import Moves
from sapper.tui.scene import Scene
from sapper.tui.status_line import over_text

__all__ = ["GameTable", "View"]

_WELCOME: Final = t(
    "Enter opens, Space flags, H gives a hint, M changes the rules, ? lists all keys."
)


class View(Protocol):
    """Interface of the view of a game."""

    def draw(self) -> None:
        """Draw the game and the message."""

    def point(self, cell: Cell) -> None:
        """Move the cursor to a cell."""

    def call_after(self, delay_s: float, callback: Callable[[], object]) -> None:
        """Call a function after this many seconds."""


class GameTable:
    """The current game, with its bot, its help and its log.

    Args:
        settings: Settings of the first game.
        bot: The bot for automatic play.
        view: The view.

    Attributes:
        game: The current game.
        player: The bot.
        message: The message below the board.
        autoplay: Lets the bot play.
        question: Asks before help that would disqualify the game.
        log: Adds finished games to the history.
    """

    def __init__(self, settings: Settings, bot: str, view: View) -> None:
        self.game = Game.begin(settings)
        self.player = BotPlayer(bot)
        self.message: str = _WELCOME
        self.log = GameLog()
        self._view = view
        self.autoplay = Autoplay(self, self.player)
        self._assistance = Assistance(view.draw, self.fail)
        self._moves = Moves(self.fail)
        self.question = HelpQuestion(self._counts, self.say)
        self._reviews: Background[PostMortem] = Background()

    @property
    def acting(self) -> bool:
        """Whether an action is in progress."""
        return self._moves.busy

    @property
    def busy(self) -> bool:
        """Whether background work is in progress."""
        jobs = (self._moves, self.autoplay, self._assistance, self._reviews, self.log)
        return any(job.busy for job in jobs)

    @property
    def scene(self) -> Scene:
        """The picture of the game."""
        marks = self._assistance.marks
        if self.player.plan and self.player.plan[0].cell is not None:
            at = self.game.level.shape().index(self.player.plan[0].cell)
            marks = {**marks, at: "bot"}
        return Scene.of(self.game, marks, self._assistance.cover)

    # The player.

    def by_hand(self, kind: str, cell: Cell) -> None:
        """Open, flag or chord a cell; ``open`` chords numbers, and ``smart`` chords or flags."""
        if self.acting:
            return
        self.question.drop()
        if self.player.running:
            # The board was changing under the pointer, so the click was not meant for the current
            # one.
            self.halt()
            self.say(t("The bot is paused."))
            return
        self.halt()
        if self.game.over:
            self.say(sentences(over_text(self.game), t("N starts a new one, U undoes.")))
            return
        if kind in ("open", "smart") and self.game.position.number(cell):
            kind = "chord"
        elif kind == "smart":
            kind = "flag"
        self.log.moved()
        self._perform(Action(ActionKind(kind), cell), None)

    def undo(self) -> None:
        """Undo the last move, even a losing one."""
        self.halt()
        if self.acting:
            return
        if not self.game.settings.undo:
            self.say(t("This game has no undo."))
        elif not self.game.can_undo:
            self.say(t("There is nothing to undo."))
        else:
            self.question.before("U", self._undo)

    def _undo(self) -> None:
        self._perform(Action(ActionKind.UNDO, None), None)
        self.log.help("undo")

    def new(self) -> None:
        """Start a new game with the same settings."""
        settings = self.game.settings
        self.start(replace(settings, seed=substream(settings.seed, "restart")))

    def again(self) -> None:
        """Restart the same board."""
        if not self.acting:
            self.game.restart(same=True)
            self._begin(self.game)
            # The player may already know some mines.
            self.log.help("retry")

    def start(self, settings: Settings) -> None:
        """Start a new game."""
        # Use a new object, because a move may be in progress on the old one.
        self._begin(Game.begin(settings))

    def _begin(self, game: Game) -> None:
        self.halt()
        self._moves.cancel()
        self.log.begin()
        self.game = game
        self._changed("")

    # Moves and their effects.

    def act(self, action: Action, then: Callable[[bool], object] | None = None) -> None:
        """Perform an action of the bot, then call `then` with whether it had an effect."""
        self.log.moved(self.player.name)
        self._perform(action, then)

    def _perform(self, action: Action, then: Callable[[bool], object] | None) -> None:
        def done(effective: bool) -> None:
            if effective:
                self._changed("" if then is None else self.message)
            if then is not None:
                then(effective)

        self._moves.perform(self.game, action, done)

    def _changed(self, message: str) -> None:
        """Redraw the game after a change."""
        self._assistance.clear()
        self._reviews.cancel()
        self.question.drop()
        self.message = message
        if self.game.over:
            self._ended()
        elif self._assistance.shows_overlay:
            self._show_overlay()
        self._view.draw()

    def _ended(self) -> None:
        self.player.stop()
        game = self.game

        def compared(text: str) -> None:
            # Another game may have started by now.
            if text and self.game is game and game.over:
                self.say(sentences(self.message, text))

        self.log.finish(game, self._not_saved, compared)
        time = seconds(self.game.clock.player_s)
        if self.game.status is Status.WON:
            self.message = t("Won in {time}. N starts a new game.", time=time)
            return
        board = self.game.board
        solved, bbbv = metrics.solved(board, self.game.position), board.bbbv
        self.message = t(
            "Lost after {time}: solved {solved} of {all} 3BV ({share}). "
            "N starts a new game, U undoes the last move.",
            time=time,
            solved=solved,
            all=bbbv,
            share=percent(solved / bbbv if bbbv else 0.0),
        )
        trail = self.game.trail()
        self._reviews.run(
            lambda _: Reviewer().post_mortem(trail),
            lambda shown: self.say(sentences(self.message, shown.sentence)),
            lambda _: None,
        )

    def _not_saved(self, problem: Exception) -> None:
        problem_text = t("The game was not saved to the history: {problem}.", problem=str(problem))
        self.say(sentences(self.message, problem_text))

    # Hints and overlays.

    def hint(self) -> None:
        """Show a hint or, if it is already shown, the next step of its proof."""
        self.halt()
        if self.game.over:
            self.say(sentences(over_text(self.game), t("Nothing to open here.")))
            return
        if (text := self._assistance.next_page()) is not None:
            self.say(text)
            return
        self.question.before("H", self._hint)

    def _hint(self) -> None:
        self.log.help("hint")

        def found(what: Advice, text: str) -> None:
            self._view.point(what.cell)
            self.say(text)

        self._assistance.hint(self.game.position.without_flags(), found)
        self.say(t("Thinking…"))

    def change_overlay(self) -> None:
        """Switch to the next overlay on unopened cells: none, safe cells or all chances."""
        self.question.before("A", self._change_overlay)

    def _change_overlay(self) -> None:
        self._assistance.change_overlay()
        if self._assistance.shows_overlay and not self.game.over:
            self._show_overlay()
        self.say(overlay_text(self._assistance.overlay))

    def _show_overlay(self) -> None:
        self.log.help("overlay")
        if self._assistance.cover is None:
            self._assistance.show_overlay(self.game.position)

    def _counts(self) -> bool:
        """Return whether help would disqualify the game."""
        return self.game.status is Status.PLAYING and self.log.counts

    # The bot.

    def play(self) -> None:
        """Start or pause the bot."""
        self.question.before("P", self.autoplay.toggle)

    def step(self) -> None:
        """Make the bot perform one step."""
        self.question.before("S", self.autoplay.step)

    def halt(self) -> None:
        """Pause the bot."""
        self.autoplay.halt()

    def point(self, cell: Cell) -> None:
        """Move the cursor to a cell and discard the hint."""
        self._assistance.drop_hint()
        self._view.point(cell)

    def call_after(self, delay_s: float, callback: Callable[[], object]) -> None:
        """Call a function after this many seconds."""
        self._view.call_after(delay_s, callback)

    # The message.

    def say(self, message: str) -> None:
        """Show a message below the board and cancel a pending question."""
        self.question.drop()
        self.message = message
        self._view.draw()

    def fail(self, problem: Exception) -> None:
        """Show an error; an internal error ends the program."""
        self.halt()
        if not isinstance(problem, SapperError):
            raise problem
        self.say(Text("{problem}.", {"problem": capital(str(problem))}))
