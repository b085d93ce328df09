"""The list of all keys."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

__all__ = ["KEYS", "HelpScreen"]

KEYS = """\
arrows, PgUp, PgDn, Home, End   move the cursor
Space, Enter, left click        open; on a number: chord
F, right click, Shift+click     set or remove a flag
C, middle click                 chord
H       hint; again: its proof, step by step
A       overlay: off, safe cells, chances
P       let the bot play, or pause it
S       let the bot do one step
B       next bot
+ -     faster, slower
U       undo, also the move that lost
R       same board again
N       new game
M       new game with other settings
G       finished games, statistics, replays
L       learn: puzzles and your rating
T       next theme
Q       quit

Beside a cell: + safe, ! mine, < the cell to open,
~ the numbers that prove it."""


class HelpScreen(ModalScreen[None]):
    """Shows the keys until one is pressed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q,enter,space", "dismiss", "Close")
    ]
    CSS = """
    HelpScreen { align: center middle; }
    #keys { width: 68; max-width: 100%; height: auto; max-height: 100%; padding: 0 1;
            background: $surface; border: round $primary; }
    """

    def compose(self) -> ComposeResult:
        """Lay out the list."""
        with VerticalScroll(id="keys"):
            yield Static(KEYS, markup=False)
