"""The screen that plays a finished game again, click by click."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Static

from sapper.actions import Action, ActionKind
from sapper.errors import SapperError
from sapper.game import Status
from sapper.history import Record
from sapper.replay import Playback, Step
from sapper.solver import Analysis, Limit, analyze
from sapper.translation import Catalogue, Text, percent, seconds, sentences, t
from sapper.tui.background import Background
from sapper.tui.board_view import BoardView
from sapper.tui.help_screen import REPLAY_KEYS, HelpScreen
from sapper.tui.hinting import SECONDS
from sapper.tui.key_line import KeyLine
from sapper.tui.labels import action_text, level_text
from sapper.tui.paragraph import Paragraph
from sapper.tui.scene import Scene
from sapper.tui.status_line import fitting

__all__ = ["ReplayScreen"]

_PACE_S: Final = 0.4
_FAR: Final = 10


class ReplayScreen(ModalScreen[None]):
    """Shows the board after every click, and the risk of each opening.

    Args:
        record: The game.
        look: A name of `LOOKS`.
        words: The language.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", t("Keys")),
        Binding("space,p,P", "play", t("Play"), key_display="Space"),
        Binding("left", "go(-1)", t("Back")),
        Binding("right", "go(1)", t("Next")),
        Binding("escape,q,Q", "dismiss", t("Close"), key_display="Esc"),
        Binding("pageup", f"go(-{_FAR})", show=False),
        Binding("pagedown", f"go({_FAR})", show=False),
        Binding("home", "go(-999999)", show=False),
        Binding("end", "go(999999)", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
    ]
    CSS = """
    ReplayScreen { background: $background; }
    #replay-status { height: 1; text-style: bold; }
    #replay-box { height: auto; max-height: 40%; }
    #replay-message { height: auto; }
    """

    def __init__(self, record: Record, look: str, words: Catalogue) -> None:
        super().__init__()
        self._words = words
        self._record, self._look = record, look
        self._playback = Playback(record.replay())
        self._at = 0
        self._timer: Timer | None = None
        self._risks: Background[Analysis] = Background()

    @property
    def busy(self) -> bool:
        """Whether a risk is being worked out, or the replay is running."""
        return self._risks.busy or self._timer is not None

    def compose(self) -> ComposeResult:
        """Lay out status, board, message and keys."""
        yield Static(id="replay-status", markup=False)
        yield BoardView(self._scene(), self._look)
        with VerticalScroll(id="replay-box", can_focus=False):
            yield Paragraph(id="replay-message", markup=False)
        yield KeyLine(self._words)

    def on_mount(self) -> None:
        """Show the untouched board."""
        self.query_one(BoardView).focus()
        self._draw()

    @on(BoardView.Clicked)
    def _ignore(self, event: BoardView.Clicked) -> None:
        event.stop()

    def action_help(self) -> None:
        """List all keys."""
        self._pause()
        self.app.push_screen(HelpScreen(REPLAY_KEYS, self._words))

    def action_go(self, by: int) -> None:
        """Go some clicks on, or back."""
        self._pause()
        self._go(by)

    def action_scroll(self, rows: int) -> None:
        """Scroll a board that is higher than the screen."""
        self.query_one(BoardView).scroll_relative(y=rows, animate=False)

    def action_play(self) -> None:
        """Play click after click, or pause."""
        if self._timer is not None:
            self._pause()
            return
        if self._at == len(self._playback.steps):
            self._at = 0
        self._timer = self.set_interval(_PACE_S, self._tick)

    def _tick(self) -> None:
        self._go(1)
        if self._at == len(self._playback.steps):
            self._pause()

    def _pause(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _go(self, by: int) -> None:
        self._at = min(max(self._at + by, 0), len(self._playback.steps))
        self._draw()

    def _draw(self) -> None:
        steps, view = self._playback.steps, self.query_one(BoardView)
        view.show(self._scene(), self._look)
        time = seconds(self._record.time_ms / 1000)
        line = (
            t("{at} of {total}", at=self._at, total=len(steps)),
            t("won in {time}", time=time)
            if self._record.won
            else t("lost after {time}", time=time),
            level_text(self._record.level),
        )
        text = fitting((line, line[:-1]), self.app.size.width, self._words)
        self.query_one("#replay-status", Static).update(text)
        self._risks.cancel()
        if not self._at:
            self._say(t("Before the first click."))
            return
        step = steps[self._at - 1]
        view.move_to(step.cell)
        self._say(_did(step))
        if step.action is ActionKind.OPEN and step.turns and self._at > 1:
            before = self._playback.position_after(self._at - 1).without_flags()

            def shown(found: Analysis) -> None:
                self._say(sentences(_did(step), _risk(found, step)))

            self._risks.run(
                lambda cancel: analyze(before, limit=Limit(seconds=SECONDS, cancel=cancel)),
                shown,
                self._failed,
            )

    def _failed(self, problem: Exception) -> None:
        # The risk is an extra: an analysis may run out of time.
        if not isinstance(problem, SapperError):
            raise problem

    def _scene(self) -> Scene:
        playback = self._playback
        ended = self._at == len(playback.steps) and playback.status is Status.LOST
        lost = playback.replay.board if ended else None
        return Scene.of_position(playback.position_after(self._at), lost=lost)

    def _say(self, text: str) -> None:
        self.query_one("#replay-message", Paragraph).update(self._words.text(text))


def _did(step: Step) -> Text:
    what = action_text(Action(step.action, step.cell))
    return Text("{time}: {what}.", {"time": seconds(step.ms / 1000), "what": what})


def _risk(found: Analysis, step: Step) -> Text:
    if step.cell in found.safe:
        return t("It was proved safe.")
    if step.cell in found.mined:
        return t("It was proved a mine.")
    risk = percent(float(found.p_mine[step.cell]))
    if found.safe:
        return t("The risk was {risk}, while a safe cell existed.", risk=risk)
    return t("The risk was {risk}: no cell was safe.", risk=risk)
