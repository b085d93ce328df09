"""The trainer: puzzles and patterns, answered on the board and explained there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from sapper.coach.practice import Practice
from sapper.coach.trainer import Question, Served, Training
from sapper.coach.trainer.record_file import RecordFile
from sapper.errors import SapperError
from sapper.paths import state_dir
from sapper.topology import Cell
from sapper.translation import Catalogue, Text, capital, sentences, t
from sapper.tui.board_view import BoardView
from sapper.tui.explaining import Page
from sapper.tui.help_screen import TRAINER_KEYS, HelpScreen
from sapper.tui.key_line import CURSOR_KEYS, KeyLine, letter
from sapper.tui.layouts import with_layouts
from sapper.tui.paragraph import Paragraph
from sapper.tui.scene import Scene
from sapper.tui.status_line import fitting
from sapper.tui.training_tasks import PatternTasks, PuzzleTasks, Tasks

__all__ = ["TrainerScreen"]


class TrainerScreen(ModalScreen[None]):
    """Serves tasks, takes answers, and walks through explanations.

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
        Binding(with_layouts("escape,q,l"), "dismiss", t("Close"), key_display="Esc"),
        letter("k", "kind", t("Practise")),
        letter("t", "timed", t("Clock")),
        letter("p", "patterns", t("Patterns")),
        Binding("0", "nothing", show=False),
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
        self._puzzles = PuzzleTasks(Training(self._records.transaction))
        self._patterns = PatternTasks(Practice(self._records.transaction))
        self._tasks: Tasks = self._puzzles
        self._look = look
        self._safe: set[Cell] = set()
        self._mined: set[Cell] = set()
        self._pages: tuple[Page, ...] = ()
        self._page = 0
        self._text = self._tasks.text()

    @property
    def served(self) -> Served:
        """The current puzzle."""
        return self._puzzles.served

    @property
    def patterns(self) -> PatternTasks | None:
        """The patterns, while they are practised."""
        return self._patterns if self._tasks is self._patterns else None

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
        """Close the ratings file."""
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
            self._say(t("Press N for the next one, H to explain this one."))
        elif not self._is_free(cell):
            hint = t("Choose an unopened cell without a flag.")
            self._say(sentences(self._tasks.text(), hint))
        elif self._tasks.question is Question.ALL:
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
        if self._tasks.question is not Question.ALL or self.answered:
            self.action_choose("open")
        elif self._safe or self._mined:
            self._answer(self._safe, self._mined)
        else:
            self._say(sentences(self._tasks.text(), t("X gives up.")))

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
        self._serve(self._tasks.serve)

    def action_kind(self) -> None:
        """Switch to another kind of puzzle."""
        self._tasks = self._puzzles
        self._serve(self._puzzles.next_kind)

    def action_timed(self) -> None:
        """Turn the time limit of puzzles on or off."""
        self._tasks = self._puzzles
        self._serve(lambda: self._puzzles.serve(timed=self.served.limit_s is None))

    def action_patterns(self) -> None:
        """Switch between puzzles and today's patterns."""
        self._tasks = self._puzzles if self.patterns else self._patterns
        self._serve(self._tasks.serve)

    def action_nothing(self) -> None:
        """Answer that the marked numbers prove nothing."""
        if self.patterns and not self.answered:
            self._answer([], nothing=True)

    def _is_free(self, cell: Cell) -> bool:
        return self._tasks.position[cell] == "."

    def _serve(self, serve: Callable[[], object]) -> None:
        """Show the next task; if no pattern is left today, return to the puzzles."""
        notes: list[str] = []
        try:
            if serve() is False:
                self._tasks = self._puzzles
                notes = [t("No pattern is left for today.")]
        except SapperError as problem:
            self._say(Text("{problem}.", {"problem": capital(str(problem))}))
            return
        self._safe, self._mined, self._pages = set(), set(), ()
        self._say(sentences(*notes, self._tasks.text()))

    def _answer(
        self, safe: Iterable[Cell], mined: Iterable[Cell] = (), *, nothing: bool = False
    ) -> None:
        try:
            self._pages, self._page = self._tasks.answer(safe, mined, nothing=nothing), 0
        except SapperError as problem:
            self._say(Text("{problem}.", {"problem": capital(str(problem))}))
            return
        self._show_page()

    def _show_page(self) -> None:
        more = self._tasks.next_text
        if len(self._pages) > 1:
            more = sentences(t("H: why."), more)
        self._say(sentences(self._pages[self._page].text, more))

    def _say(self, text: str) -> None:
        self._text = text
        self._draw()

    def _scene(self) -> Scene:
        position = self._tasks.position
        if self.answered:
            return Scene.of_position(position, self._pages[self._page].marks)
        index = position.topology.index
        marks = dict.fromkeys(map(index, self._tasks.numbers), "because")
        marks |= dict.fromkeys(map(index, self._safe), "safe")
        return Scene.of_position(position, marks | dict.fromkeys(map(index, self._mined), "danger"))

    def _draw(self) -> None:
        self.query_one(BoardView).show(self._scene(), self._look)
        self.query_one("#trainer-message", Paragraph).update(self._words.text(self._text))
        self._draw_status()

    def _draw_status(self) -> None:
        text = fitting(self._tasks.status(), self.app.size.width, self._words)
        self.query_one("#trainer-status", Static).update(text)
