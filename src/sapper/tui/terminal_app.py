"""What every terminal app does: colours, suspending, and a message in small windows."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.filter import LineFilter, NoColor
from textual.screen import ModalScreen
from textual.widgets import Static

from sapper.translation import Catalogue, catalogue, t
from sapper.tui.cell_styles import LOOKS, PLAIN

__all__ = ["LEAST_SIZE", "SmallWindow", "TerminalApp"]

LEAST_SIZE: Final = (40, 20)
"""Columns and rows that every screen needs."""


class SmallWindow(ModalScreen[None]):
    """Covers the app while its window is too small for it.

    Args:
        words: The language.
    """

    DEFAULT_CSS = """
    SmallWindow Static {
        width: 100%; height: 100%; content-align: center middle; text-align: center;
    }
    """

    def __init__(self, words: Catalogue) -> None:
        super().__init__()
        self._words = words

    def compose(self) -> ComposeResult:
        """Yield the message."""
        yield Static(self._text(), markup=False)

    def on_resize(self) -> None:
        """Show the new size."""
        self.query_one(Static).update(self._text())

    def _text(self) -> str:
        size, (columns, rows) = self.app.size, LEAST_SIZE
        return self._words.text(
            t(
                "This window is too small: {columns} x {rows}. Sapper needs {least} x {low}.",
                columns=size.width,
                rows=size.height,
                least=columns,
                low=rows,
            )
        )


class TerminalApp(App[None]):
    """An app in the terminal.

    Args:
        look: A name of `LOOKS`; None for ``dark``, or ``plain`` if NO_COLOR is set.
        language: Language code of all text.
    """

    TITLE = "Sapper"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(self, look: str | None = None, language: str = "en") -> None:
        # Textual would draw its own colours in shades of grey, black on black in places.
        colourless = os.environ.pop("NO_COLOR", None)
        try:
            super().__init__()
        finally:
            if colourless is not None:
                os.environ["NO_COLOR"] = colourless
        self.look = look or (PLAIN if colourless else next(iter(LOOKS)))
        self.theme = LOOKS[self.look]
        self.words = catalogue(language)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters for everything that is drawn; the plain look removes all colours."""
        return [*super().get_line_filters(), *([NoColor()] if self.look == PLAIN else ())]

    def on_resize(self, event: Resize) -> None:
        """Say if the window is too small."""
        width, height = event.size
        is_small = width < LEAST_SIZE[0] or height < LEAST_SIZE[1]
        covered = isinstance(self.screen, SmallWindow)
        if is_small and not covered:
            self.push_screen(SmallWindow(self.words))
        elif covered and not is_small:
            self.pop_screen()
