"""The screen that plays a finished game again, click by click."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Footer, Static

from sapper.actions import ActionKind
from sapper.errors import SapperError
from sapper.game import Status
from sapper.history import Record
from sapper.replay import Playback, Step
from sapper.solver import Analysis, Limit, analyze
from sapper.tui.background import Background
from sapper.tui.board_view import BoardView
from sapper.tui.hinting import SECONDS, place
from sapper.tui.scene import Scene

__all__ = ["ReplayScreen"]

_PACE_S: Final = 0.4
_FAR: Final = 10


class ReplayScreen(ModalScreen[None]):
    """Shows the board after every click, and the risk of each opening.

    Args:
        record: The game.
        look: A name of `LOOKS`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", "Back"),
        Binding("right", "go(1)", "On"),
        Binding("space,p", "play", "Play", key_display="Space"),
        Binding("pageup", f"go(-{_FAR})", show=False),
        Binding("pagedown", f"go({_FAR})", show=False),
        Binding("home", "go(-999999)", show=False),
        Binding("end", "go(999999)", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("escape,q", "dismiss", "Close", key_display="Esc"),
    ]
    CSS = """
    ReplayScreen { background: $background; }
    #replay-status { height: 1; text-style: bold; }
    #replay-box { height: auto; max-height: 40%; }
    #replay-message { height: auto; }
    """

    def __init__(self, record: Record, look: str) -> None:
        super().__init__()
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
            yield Static(id="replay-message", markup=False)
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Show the untouched board."""
        self.query_one(BoardView).focus()
        self._draw()

    @on(BoardView.Clicked)
    def _ignore(self, event: BoardView.Clicked) -> None:
        event.stop()

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
        seconds = f"{self._record.time_ms / 1000:.1f} s"
        result = "won" if self._record.won else "lost"
        line = f"{self._at} of {len(steps)} | {result} in {seconds} | {self._record.level}"
        self.query_one("#replay-status", Static).update(line)
        self._risks.cancel()
        if not self._at:
            self._say("Before the first click.")
            return
        step = steps[self._at - 1]
        view.move_to(step.cell)
        self._say(_words(step))
        if step.action is ActionKind.OPEN and step.turns and self._at > 1:
            before = self._playback.position_after(self._at - 1).without_flags()

            def shown(found: Analysis) -> None:
                self._say(f"{_words(step)} {_risk(found, step)}")

            self._risks.run(
                lambda cancel: analyze(before, Limit(seconds=SECONDS, cancel=cancel)),
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
        self.query_one("#replay-message", Static).update(text)


def _words(step: Step) -> str:
    return f"{step.ms / 1000:.1f} s: {step.action} {place(step.cell)}."


def _risk(found: Analysis, step: Step) -> str:
    if step.cell in found.safe:
        return "It was proved safe."
    if step.cell in found.mined:
        return "It was proved a mine."
    risk = f"The risk was {100 * float(found.p_mine[step.cell]):.1f} %"
    return f"{risk}, while a safe cell existed." if found.safe else f"{risk}: no cell was safe."
