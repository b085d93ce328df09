"""The trainer: puzzles near the player's rating, answered on the board and explained there."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from sapper.coach.trainer import FOCUSES, Answer, Question, Training
from sapper.coach.trainer.record_file import RecordFile
from sapper.errors import SapperError
from sapper.paths import state_dir
from sapper.topology import Cell, cell_name
from sapper.translation import Catalogue, Text, capital, sentences, t
from sapper.tui.board_view import BoardView
from sapper.tui.explaining import Page, pages
from sapper.tui.help_screen import TRAINER_KEYS, HelpScreen
from sapper.tui.key_line import CURSOR_KEYS, KeyLine, letter
from sapper.tui.paragraph import Paragraph
from sapper.tui.scene import Scene
from sapper.tui.status_line import fitting

__all__ = ["TrainerScreen"]

_PLAYER: Final = "terminal"
"""Player name of `sapper train`, so that both share a rating."""

_ASKED: Final = {
    Question.SAFE: t("Find a cell that is proved safe, then press Space."),
    Question.ALL: t("Mark every proved cell: Space for safe, F for a mine, Enter when done."),
    Question.GUESS: t(
        "Nothing is proved safe. Press Space on the cell with the best chance of winning."
    ),
}


class TrainerScreen(ModalScreen[None]):
    """Serves puzzles, takes answers, and walks through explanations.

    Args:
        look: A name of `LOOKS`.
        words: The language.

    Raises:
        BadRecords: If the file with the ratings cannot be opened.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", t("Keys")),
        letter("n", "next", t("Next")),
        letter("h", "explain", t("Why")),
        letter("x", "give_up", t("Give up")),
        Binding("escape,q,Q,l,L", "dismiss", t("Close"), key_display="Esc"),
        letter("k", "kind", t("Practise")),
        letter("t", "timed", t("Clock")),
        Binding("space", "choose('open')", show=False),
        letter("f", "choose('flag')", show=False),
        Binding("enter", "done", show=False),
        *CURSOR_KEYS,
    ]
    CSS = """
    TrainerScreen { background: $background; }
    #trainer-status { height: 1; text-style: bold; }
    #trainer-box { height: auto; max-height: 50%; }
    #trainer-message { height: auto; }
    """

    def __init__(self, look: str, words: Catalogue) -> None:
        super().__init__()
        self._words = words
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
        """Whether the puzzle has been answered."""
        return bool(self._pages)

    def compose(self) -> ComposeResult:
        """Lay out status, board, message and keys."""
        yield Static(id="trainer-status", markup=False)
        yield BoardView(self._scene(), self._look)
        with VerticalScroll(id="trainer-box", can_focus=False):
            yield Paragraph(id="trainer-message", markup=False)
        yield KeyLine(self._words)

    def on_mount(self) -> None:
        """Show the first puzzle."""
        self.query_one(BoardView).focus()
        self._draw()

    def on_resize(self) -> None:
        """Adapt the status line to the new width."""
        self._draw_status()

    def on_unmount(self) -> None:
        """Close the file of ratings."""
        self._records.__exit__()

    @on(BoardView.Clicked)
    def _clicked(self, event: BoardView.Clicked) -> None:
        event.stop()
        self.action_choose("flag" if event.button == "flag" else "open")

    def action_help(self) -> None:
        """List all keys."""
        self.app.push_screen(HelpScreen(TRAINER_KEYS, self._words))

    def action_move(self, rows: int, cols: int) -> None:
        """Move the cursor."""
        self.query_one(BoardView).move(rows, cols)

    def action_choose(self, kind: str) -> None:
        """Answer with the cell under the cursor, or mark it if the puzzle asks for all cells."""
        cell = self.query_one(BoardView).cursor
        if self.answered:
            self._say(t("Press N for the next puzzle, H to explain this one."))
        elif not self._is_free(cell):
            hint = t("Choose an unopened cell without a flag.")
            self._say(sentences(self._question(), hint))
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
        """Answer with the marked cells or the cell under the cursor."""
        if self.served.puzzle.question is not Question.ALL or self.answered:
            self.action_choose("open")
        elif self._safe or self._mined:
            self._answer(self._safe, self._mined)
        else:
            self._say(sentences(self._question(), t("X gives up.")))

    def action_give_up(self) -> None:
        """Show the solution; it counts as a mistake."""
        if not self.answered:
            self._answer([])

    def action_explain(self) -> None:
        """Show the next page of the explanation."""
        if not self.answered:
            self._say(t("Answer first; X gives up and shows the solution."))
            return
        self._page = (self._page + 1) % len(self._pages)
        self._show_page()

    def action_next(self) -> None:
        """Show the next puzzle."""
        if not self.answered:
            self._say(t("Answer first; X gives up and shows the solution."))
            return
        self._serve()

    def action_kind(self) -> None:
        """Switch to another kind of puzzle."""
        names = list(FOCUSES)
        at = names.index(self.served.focus)
        self._serve(focus=names[(at + 1) % len(names)])

    def action_timed(self) -> None:
        """Turn the time limit on or off."""
        self._serve(timed=self.served.limit_s is None)

    def _is_free(self, cell: Cell) -> bool:
        return self.served.puzzle.position[cell] == "."

    def _serve(self, focus: str | None = None, timed: bool | None = None) -> None:
        try:
            self.served = self._training.puzzle(_PLAYER, focus, timed)
        except SapperError as problem:
            self._say(Text("{problem}.", {"problem": capital(str(problem))}))
            return
        self._safe, self._mined, self._pages = set(), set(), ()
        self._say(self._question())

    def _answer(self, safe: set[Cell] | list[Cell], mined: set[Cell] | None = None) -> None:
        puzzle = self.served.puzzle
        try:
            answer = Answer.of(puzzle.position, safe, mined or ())
            outcome = self._training.answer(_PLAYER, puzzle.id, answer, cell_name)
        except SapperError as problem:
            self._say(Text("{problem}.", {"problem": capital(str(problem))}))
            return
        self._pages, self._page = pages(outcome), 0
        self._show_page()

    def _question(self) -> str:
        return _ASKED[self.served.puzzle.question]

    def _show_page(self) -> None:
        more = t("H: why. N: next puzzle.") if len(self._pages) > 1 else t("N: next puzzle.")
        self._say(sentences(self._pages[self._page].text, more))

    def _say(self, text: str) -> None:
        self._text = text
        self._draw()

    def _scene(self) -> Scene:
        position = self.served.puzzle.position
        if self.answered:
            return Scene.of_position(position, self._pages[self._page].marks)
        index = position.topology.index
        marks = dict.fromkeys(map(index, self._safe), "safe")
        return Scene.of_position(position, marks | dict.fromkeys(map(index, self._mined), "danger"))

    def _draw(self) -> None:
        self.query_one(BoardView).show(self._scene(), self._look)
        self.query_one("#trainer-message", Paragraph).update(self._words.text(self._text))
        self._draw_status()

    def _draw_status(self) -> None:
        own = self._training.standing(_PLAYER).to_json()
        line = [
            t("Rating {rating} ± {error}", rating=own["rating"], error=2 * own["deviation"]),
            t("{solved} of {total}", solved=own["solved"], total=own["answered"]),
            FOCUSES[self.served.focus],
        ]
        if self.served.limit_s is not None:
            line.insert(2, t("{seconds} s", seconds=self.served.limit_s))
        text = fitting((line, line[:-1]), self.app.size.width, self._words)
        self.query_one("#trainer-status", Static).update(text)
