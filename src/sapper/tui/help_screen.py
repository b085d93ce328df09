"""The list of a screen's keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rich import text
from rich.cells import cell_len, set_cell_size
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen

from sapper.translation import Catalogue, Text, t
from sapper.tui.layouts import with_layouts
from sapper.tui.paragraph import Paragraph

__all__ = ["GAME_KEYS", "REPLAY_KEYS", "TRAINER_KEYS", "HelpScreen"]

Keys = Sequence[tuple[str, Text]]

_INDENT: Final = 5
"""Indentation of explanations on narrow screens, in columns."""

_CLOSE: Final = t("close")
GAME_KEYS: Final[Keys] = (
    (t("Arrows, PgUp, PgDn, Home, End"), t("move the cursor")),
    (t("Enter, left click"), t("open; on a number, chord")),
    (t("Space"), t("flag; on a number, chord")),
    (t("F, right click, Shift+click"), t("set or remove a flag")),
    (t("C, middle click"), t("chord")),
    ("H", t("show a hint; press again for its proof, step by step")),
    ("A", t("next overlay")),
    ("P", t("start or pause the bot")),
    ("S", t("let the bot play one step")),
    ("B", t("next bot")),
    ("+ -", t("faster, slower")),
    ("U", t("undo, even a losing move")),
    ("R", t("play the same board again")),
    ("N, F2", t("new game")),
    ("M", t("change level, shape or rules")),
    ("G", t("finished games, statistics, replays")),
    ("L", t("learn: puzzles and your rating")),
    ("T", t("next theme")),
    ("Y", t("when asked: always allow help")),
    ("Q", t("quit")),
    ("", Text("", {})),
    ("+", t("at a safe cell")),
    ("!", t("at a mine")),
    ("<", t("at the cell to open")),
    ("~", t("at a number that proves it")),
)
TRAINER_KEYS: Final[Keys] = (
    (t("Arrows, PgUp, PgDn, Home, End"), t("move the cursor")),
    (t("Space, left click"), t("choose a cell or mark it safe")),
    (t("F, right click"), t("mark a cell as a mine")),
    (t("Enter"), t("submit your marks")),
    ("X", t("give up and see the solution")),
    ("H", t("explain the answer, step by step")),
    ("N", t("next puzzle")),
    ("K", t("practise another kind of puzzle")),
    ("T", t("turn the clock on or off")),
    ("P", t("practise patterns, or puzzles again")),
    ("0", t("answer that nothing is proved")),
    ("Esc, Q", _CLOSE),
)
REPLAY_KEYS: Final[Keys] = (
    (t("Left, Right"), t("one click back or forward")),
    ("PgUp, PgDn", t("ten clicks back or forward")),
    ("Home, End", t("first or last click")),
    (t("Shift+Left, Shift+Right"), t("one pointer step back or forward")),
    ("G", t("next guess")),
    (t("Space"), t("play or pause")),
    ("+ -", t("faster, slower")),
    ("A", t("next overlay")),
    ("X", t("show or hide the mines")),
    (t("Up, Down"), t("scroll a tall board")),
    ("Esc, Q", _CLOSE),
)


class HelpScreen(ModalScreen[None]):
    """Lists the keys until a key is pressed or the mouse is clicked.

    Args:
        keys: Keys with their effects.
        words: The language.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(with_layouts("escape,question_mark,q,enter,space"), "dismiss", show=False)
    ]
    CSS = """
    HelpScreen { align: center middle; }
    #keys { width: auto; max-width: 100%; height: auto; max-height: 100%; padding: 0 1;
            background: $surface; border: round $primary; }
    #keys Paragraph { width: auto; max-width: 100%; }
    """

    def __init__(self, keys: Keys, words: Catalogue) -> None:
        super().__init__()
        self._keys = [(words.text(key), words.text(what)) for key, what in keys]

    def compose(self) -> ComposeResult:
        """Lay out the list."""
        with VerticalScroll(id="keys"):
            yield Paragraph(self._lines(), markup=False)

    def on_resize(self, event: events.Resize) -> None:
        """Adapt the list to the new width."""
        self.query_one(Paragraph).update(self._lines())

    def on_click(self) -> None:
        """Close."""
        self.dismiss()

    def _lines(self) -> str:
        """Return two columns if they fit, otherwise each explanation below its key."""
        edge = max(cell_len(key) for key, _ in self._keys) + 2
        widest = max(cell_len(what) for _, what in self._keys)
        # The border and padding take two columns on each side.
        if edge + widest <= self.app.size.width - 4:
            return "\n".join((set_cell_size(key, edge) + what).rstrip() for key, what in self._keys)
        # A long list also has a scroll bar.
        room = max(20, self.app.size.width - 6)
        lines = []
        for key, what in self._keys:
            short = cell_len(key) < _INDENT
            lines += [] if short else [key]
            wrapped = text.Text(what).wrap(self.app.console, room - _INDENT)
            indented = f"\n{' ' * _INDENT}".join(line.plain.rstrip() for line in wrapped)
            lines.append(set_cell_size(key if short else "", _INDENT) + indented)
        return "\n".join(lines)
