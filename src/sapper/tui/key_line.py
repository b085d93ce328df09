"""The line of keys at the bottom: as many as fit, the most important first."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

from sapper.translation import Catalogue
from sapper.tui.layouts import with_layouts

__all__ = ["CURSOR_KEYS", "KeyLine", "letter"]

CURSOR_KEYS: Final[tuple[BindingType, ...]] = (
    Binding("up", "move(-1, 0)", show=False),
    Binding("down", "move(1, 0)", show=False),
    Binding("left", "move(0, -1)", show=False),
    Binding("right", "move(0, 1)", show=False),
    Binding("pageup", "move(-8, 0)", show=False),
    Binding("pagedown", "move(8, 0)", show=False),
    Binding("home", "move(0, -9999)", show=False),
    Binding("end", "move(0, 9999)", show=False),
)
"""Key bindings that move the cursor over a board with the action ``move``."""


def letter(key: str, action: str, description: str = "", *, show: bool = True) -> Binding:
    """Return the binding of a letter, which also works with Shift and on other keyboards."""
    return Binding(with_layouts(key), action, description, show=show)


class KeyLine(Footer):
    """Shows the keys of a screen in the order of its bindings, without cutting any off.

    Args:
        words: The language.
    """

    def __init__(self, words: Catalogue) -> None:
        super().__init__(compact=True)
        self._words, self._fitted = words, 0

    def compose(self) -> ComposeResult:
        """Yield the keys that fit."""
        left = self._fitted = self.app.size.width
        for key in super().compose():
            if isinstance(key, FooterKey):
                if key.action.isalpha():
                    key.id = f"{key.action}-key"
                key.description = self._words.text(key.description)
                left -= cell_len(f"{key.key_display} {key.description}")
                if left < 0:
                    return
                # Count the space after the key as well.
                left -= 1
            yield key

    def on_resize(self) -> None:
        """Adapt the keys to the new width."""
        if self._fitted != self.app.size.width:
            self.refresh(recompose=True)
