"""The screen that replays a finished game, moving by time, clicks or mouse events."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Static

from sapper.coach import Kind
from sapper.errors import SapperError
from sapper.game import Status
from sapper.overlays import Mark
from sapper.replay import Playback, Replay, ReplayChoice, analyze_replay
from sapper.solver.limit import Cancel
from sapper.translation import Catalogue, sentences, t
from sapper.tui.assistance import NO_OVERLAY, cover, next_overlay, overlay_text
from sapper.tui.background import Background
from sapper.tui.board_view import BoardView
from sapper.tui.help_screen import REPLAY_KEYS, HelpScreen
from sapper.tui.key_line import KeyLine, letter
from sapper.tui.layouts import with_layouts
from sapper.tui.moment import ReplayMoment
from sapper.tui.paragraph import Paragraph
from sapper.tui.replay_texts import about, did, figures, headline, risk_text
from sapper.tui.scene import Scene
from sapper.tui.status_line import fitting

__all__ = ["ReplayScreen"]

_TICK_S: Final = 0.05
_FAR: Final = 10
_SPEEDS: Final = (0.25, 0.5, 1, 2, 4, 8)


class ReplayScreen(ModalScreen[None]):
    """Shows the board, pointer and figures at any time, and the risk of each click.

    Args:
        replay: The game.
        look: A name of `LOOKS`.
        words: The language.
        time_ms: Time of the game in milliseconds (default: the time of its clicks).
        own: Whether the game was played here and needs no introduction.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", t("Keys")),
        Binding(with_layouts("space,p"), "play", t("Play"), key_display="Space"),
        Binding("left", "go(-1)", t("Back")),
        Binding("right", "go(1)", t("Next")),
        Binding(with_layouts("escape,q"), "dismiss", t("Close"), key_display="Esc"),
        Binding("plus,equals_sign", "pace(1)", t("Faster"), key_display="+"),
        Binding("minus", "pace(-1)", t("Slower"), key_display="-"),
        letter("g", "guess", t("Guess")),
        letter("a", "overlay", t("Overlay")),
        letter("x", "mines", t("Mines")),
        Binding("shift+left", "move(-1)", show=False),
        Binding("shift+right", "move(1)", show=False),
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
    #replay-figures { height: 1; }
    #replay-box { height: auto; max-height: 40%; }
    #replay-message { height: auto; }
    """

    def __init__(
        self,
        replay: Replay,
        look: str,
        words: Catalogue,
        time_ms: int | None = None,
        *,
        own: bool = False,
    ) -> None:
        super().__init__()
        self._played = Playback(replay)
        self._moment = ReplayMoment(self._played)
        self._look, self._words, self._own = look, words, own
        self._time_ms = self._played.time_ms if time_ms is None else time_ms
        self._speed, self._overlay, self._mines = _SPEEDS.index(1), NO_OVERLAY, False
        self._timer: Timer | None = None
        self._ticked_s = 0.0
        self._overlay_marks: Mapping[int, Mark] | None = None
        self._choices: dict[int, ReplayChoice] | None = None
        self._wants_guess = False
        self._covers: Background[Mapping[int, Mark]] = Background()
        self._review: Background[dict[int, ReplayChoice]] = Background()

    @property
    def busy(self) -> bool:
        """Whether an analysis or the replay is running."""
        return self._covers.busy or self._review.busy or self._timer is not None

    def compose(self) -> ComposeResult:
        """Lay out status, figures, board, message and keys."""
        yield Static(id="replay-status", markup=False)
        yield Static(id="replay-figures", markup=False)
        yield BoardView(self._scene(), self._look)
        with VerticalScroll(id="replay-box", can_focus=False):
            yield Paragraph(id="replay-message", markup=False)
        yield KeyLine(self._words)

    def on_mount(self) -> None:
        """Show the untouched board and start the search for guesses."""
        self.query_one(BoardView).focus()
        self._draw()
        self._review.run(
            lambda cancel: _choices(self._played, cancel), self._reviewed, self._failed
        )

    def on_unmount(self) -> None:
        """Cancel the work in progress."""
        self._covers.cancel()
        self._review.cancel()

    def on_resize(self) -> None:
        """Adapt the lines above the board to the new width."""
        self.call_after_refresh(self._draw_lines)

    @on(BoardView.Clicked)
    def _ignore(self, event: BoardView.Clicked) -> None:
        event.stop()

    # Navigation.

    def action_help(self) -> None:
        """List all keys."""
        self._pause()
        self.app.push_screen(HelpScreen(REPLAY_KEYS, self._words))

    def action_go(self, by: int) -> None:
        """Go forward or back by clicks."""
        self._pause()
        self._moment.go_to_click(self._moment.count + by)
        self._draw()

    def action_move(self, by: int) -> None:
        """Go forward or back by mouse events."""
        self._pause()
        count = self._moment.count
        self._moment.go_by_events(by)
        self._draw(same=self._moment.count == count)

    def action_guess(self) -> None:
        """Go to the next click that was not proved safe."""
        self._pause()
        if self._choices is None:
            self._wants_guess = True
            self._say(t("Thinking…"))
            return
        later = [
            count
            for count, choice in self._choices.items()
            if count > self._moment.count and choice.kind is not Kind.PROVED
        ]
        if later:
            self._moment.go_to_click(later[0])
            self._draw()
        else:
            self._say(t("No more guesses."))

    def _reviewed(self, choices: dict[int, ReplayChoice]) -> None:
        """Show newly computed data about the clicks."""
        self._choices = choices
        if self._wants_guess:
            self.action_guess()
        else:
            self._tell()

    def action_scroll(self, rows: int) -> None:
        """Scroll a board that is taller than the screen."""
        self.query_one(BoardView).scroll_relative(y=rows, animate=False)

    # Time.

    def action_play(self) -> None:
        """Play or pause the replay."""
        if self._timer is not None:
            self._pause()
            self._draw_lines()
            return
        if self._moment.at_end:
            self._moment.go_to_click(0)
            self._draw()
        self._ticked_s = time.monotonic()
        self._timer = self.set_interval(_TICK_S, self._tick)
        self._draw_lines()

    def action_pace(self, by: int) -> None:
        """Change the speed."""
        self._speed = min(max(self._speed + by, 0), len(_SPEEDS) - 1)
        self._draw_lines()

    def _tick(self) -> None:
        now_s, count = time.monotonic(), self._moment.count
        self._moment.pass_time(1000 * (now_s - self._ticked_s) * _SPEEDS[self._speed])
        self._ticked_s = now_s
        if self._moment.at_end:
            self._pause()
        self._draw(same=self._moment.count == count)

    def _pause(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    # Display.

    def action_overlay(self) -> None:
        """Switch to the next overlay on unopened cells: none, safe cells or all chances."""
        self._overlay = next_overlay(self._overlay)
        self._draw()
        self._say(overlay_text(self._overlay))

    def action_mines(self) -> None:
        """Show or hide the mines."""
        self._mines = not self._mines
        self._draw()

    def _draw(self, *, same: bool = False) -> None:
        """Draw everything, or only the pointer and the lines above if the board is unchanged."""
        view, moment = self.query_one(BoardView), self._moment
        if not same:
            self._overlay_marks = None
            view.show(self._scene(), self._look)
            self._tell()
            self._show_overlay()
        if moment.pointer is not None and moment.pointer != view.cursor:
            view.move_to(moment.pointer)
        self._draw_lines()

    def _draw_lines(self) -> None:
        width = self.app.size.width
        lines = {
            "#replay-status": headline(self._moment, self._time_ms),
            "#replay-figures": figures(
                self._moment, _SPEEDS[self._speed], playing=self._timer is not None
            ),
        }
        for name, choices in lines.items():
            for line in self.query(name).results(Static):
                line.update(fitting(choices, width, self._words))

    def _tell(self) -> None:
        """Show the effect of the last click, and its risk once known."""
        step, count = self._moment.step, self._moment.count
        if step is None:
            told_of = [] if self._own else about(self._played)
            self._say(sentences(*told_of, t("Before the first click.")))
            return
        text = did(self._played, step)
        choice = (self._choices or {}).get(count)
        self._say(text if choice is None or count == 1 else sentences(text, risk_text(choice)))

    def _show_overlay(self) -> None:
        """Compute the chances of the current position if the overlay shows them."""
        self._covers.cancel()
        position = self._moment.position
        if self._overlay == NO_OVERLAY or self._over:
            return

        def found(marks: Mapping[int, Mark]) -> None:
            self._overlay_marks = marks
            self.query_one(BoardView).show(self._scene(), self._look)

        name = self._overlay
        self._covers.run(lambda cancel: cover(name, position, cancel), found, self._failed)

    def _failed(self, problem: Exception) -> None:
        # Ignore errors in chances and risks: they are optional, and an analysis may run out of
        # time.
        if not isinstance(problem, SapperError):
            raise problem

    @property
    def _over(self) -> bool:
        """Return whether the game is over at this moment."""
        ended = self._played.status in (Status.WON, Status.LOST)
        return ended and self._moment.count == len(self._played.steps)

    def _scene(self) -> Scene:
        lost = self._over and self._played.status is Status.LOST
        board = self._played.replay.board if lost or self._mines else None
        return Scene.of_position(self._moment.position, cover=self._overlay_marks, lost=board)

    def _say(self, text: str) -> None:
        self.query_one("#replay-message", Paragraph).update(self._words.text(text))


def _choices(played: Playback, cancel: Cancel) -> dict[int, ReplayChoice]:
    """Return the clicks that opened cells, with their risk, keyed by number from 1."""
    numbers = {id(step): number for number, step in enumerate(played.steps, start=1)}
    choices = analyze_replay(played, cancel=cancel).choices
    return {numbers[id(choice.step)]: choice for choice in choices}
