"""The trainer: puzzles near the player's rating, answered on the board and explained there."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

from sapper.coach.trainer import FOCUSES, Answer, Question, Served, Training
from sapper.coach.trainer.record_file import RecordFile
from sapper.errors import SapperError
from sapper.paths import state_dir
from sapper.topology import Cell
from sapper.tui.board_view import BoardView
from sapper.tui.explaining import Page, pages
from sapper.tui.hinting import place
from sapper.tui.scene import Scene

__all__ = ["TrainerScreen"]

_PLAYER: Final = "terminal"
"""The name that `sapper train` uses, so both have the same rating."""

_ASKED: Final = {
    Question.SAFE: "Find a cell that is proved safe; Space chooses it.",
    Question.ALL: "Mark every cell that is proved: Space as safe, F as a mine; Enter when done.",
    Question.GUESS: "Nothing is proved safe. Space chooses the cell with the best chance to win.",
}


class TrainerScreen(ModalScreen[None]):
    """Serves puzzles, takes answers, and walks through explanations.

    Args:
        look: A name of `LOOKS`.

    Raises:
        BadRecords: If the file with the ratings cannot be opened.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "next", "Next"),
        Binding("h", "explain", "Why"),
        Binding("x", "give_up", "Give up"),
        Binding("k", "kind", "Kind"),
        Binding("t", "timed", "Timed"),
        Binding("escape,q,l", "dismiss", "Back", key_display="Esc"),
        Binding("space", "choose('open')", show=False),
        Binding("f", "choose('flag')", show=False),
        Binding("enter", "done", show=False),
        Binding("up", "move(-1, 0)", show=False),
        Binding("down", "move(1, 0)", show=False),
        Binding("left", "move(0, -1)", show=False),
        Binding("right", "move(0, 1)", show=False),
    ]
    CSS = """
    TrainerScreen { background: $background; }
    #trainer-status { height: 1; text-style: bold; }
    #trainer-box { height: auto; max-height: 50%; }
    #trainer-message { height: auto; }
    """

    def __init__(self, look: str) -> None:
        super().__init__()
        self._records = RecordFile(state_dir() / "train.sqlite3")
        self._training = Training(self._records.transaction)
        self._look = look
        self.served = self._training.puzzle(_PLAYER)
        self._safe: set[Cell] = set()
        self._mined: set[Cell] = set()
        self._pages: tuple[Page, ...] = ()
        self._page = 0
        self._text = self._question()

    @property
    def answered(self) -> bool:
        """Whether the puzzle has its answer."""
        return bool(self._pages)

    def compose(self) -> ComposeResult:
        """Lay out status, board, message and keys."""
        yield Static(id="trainer-status", markup=False)
        yield BoardView(self._scene(), self._look)
        with VerticalScroll(id="trainer-box", can_focus=False):
            yield Static(id="trainer-message", markup=False)
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Show the first puzzle."""
        self.query_one(BoardView).focus()
        self._draw()

    def on_unmount(self) -> None:
        """Close the file of ratings."""
        self._records.__exit__()

    @on(BoardView.Clicked)
    def _clicked(self, event: BoardView.Clicked) -> None:
        event.stop()
        self.action_choose("flag" if event.button == "flag" else "open")

    def action_move(self, rows: int, cols: int) -> None:
        """Move the cursor."""
        self.query_one(BoardView).move(rows, cols)

    def action_choose(self, kind: str) -> None:
        """Answer with the cell under the cursor, or mark it where all cells are asked for."""
        cell = self.query_one(BoardView).cursor
        if self.answered:
            self._say("N brings the next puzzle, H explains this one.")
        elif not self._is_free(cell):
            self._say(f"{self._question()} Choose an unopened cell without a flag.")
        elif self.served.puzzle.question is Question.ALL:
            chosen, other = self._safe, self._mined
            if kind == "flag":
                chosen, other = other, chosen
            other.discard(cell)
            chosen ^= {cell}
            self._draw()
        elif kind == "open":
            self._answer([cell])

    def action_done(self) -> None:
        """Hand in the marked cells, or the cell under the cursor."""
        if self.served.puzzle.question is not Question.ALL or self.answered:
            self.action_choose("open")
        elif self._safe or self._mined:
            self._answer(self._safe, self._mined)
        else:
            self._say(f"{self._question()} X gives up.")

    def action_give_up(self) -> None:
        """Show the solution; it counts as a mistake."""
        if not self.answered:
            self._answer([])

    def action_explain(self) -> None:
        """Show the next page of the explanation."""
        if not self.answered:
            self._say("Answer first; X gives up and shows the solution.")
            return
        self._page = (self._page + 1) % len(self._pages)
        self._show_page()

    def action_next(self) -> None:
        """Bring the next puzzle."""
        if not self.answered:
            self._say("Answer first; X gives up and shows the solution.")
            return
        self._serve()

    def action_kind(self) -> None:
        """Practise another kind of puzzle."""
        at = FOCUSES.index(self.served.focus)
        self._serve(focus=FOCUSES[(at + 1) % len(FOCUSES)])

    def action_timed(self) -> None:
        """Play against the clock, or no longer."""
        self._serve(timed=self.served.limit_s is None)

    def _is_free(self, cell: Cell) -> bool:
        return self.served.puzzle.position[cell] == "."

    def _serve(self, focus: str | None = None, timed: bool | None = None) -> None:
        try:
            self.served = self._training.puzzle(_PLAYER, focus, timed)
        except SapperError as problem:
            self._say(f"{problem}.")
            return
        self._safe, self._mined, self._pages = set(), set(), ()
        self._say(self._question())

    def _answer(self, safe: set[Cell] | list[Cell], mined: set[Cell] | None = None) -> None:
        puzzle = self.served.puzzle
        try:
            answer = Answer.of(puzzle.position, safe, mined or ())
            outcome = self._training.answer(_PLAYER, puzzle.id, answer, place)
        except SapperError as problem:
            self._say(f"{problem}.")
            return
        self._pages, self._page = pages(outcome), 0
        self._show_page()

    def _question(self) -> str:
        return _ASKED[self.served.puzzle.question]

    def _show_page(self) -> None:
        more = " H: why. N: next puzzle." if len(self._pages) > 1 else " N: next puzzle."
        self._say(self._pages[self._page].text + more)

    def _say(self, text: str) -> None:
        self._text = text
        self._draw()

    def _scene(self) -> Scene:
        position = self.served.puzzle.position
        if self.answered:
            return Scene.of_position(position, self._pages[self._page].marks)
        index = position.topology.index
        marks = dict.fromkeys(map(index, self._safe), "safe")
        return Scene.of_position(position, marks | dict.fromkeys(map(index, self._mined), "mine"))

    def _draw(self) -> None:
        self.query_one(BoardView).show(self._scene(), self._look)
        self.query_one("#trainer-message", Static).update(self._text)
        self._draw_status()

    def _draw_status(self) -> None:
        own = self._training.standing(_PLAYER).to_json()
        line = f"{own['rating']} ± {2 * own['deviation']} | {own['solved']} of {own['answered']}"
        line += f" | {_left(self.served)}{self.served.focus}"
        self.query_one("#trainer-status", Static).update(f"Rating {line}")


def _left(served: Served) -> str:
    return "" if served.limit_s is None else f"{served.limit_s} s | "
