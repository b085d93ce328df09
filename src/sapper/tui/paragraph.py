"""A text of several lines that changes."""

from __future__ import annotations

from textual.visual import VisualType
from textual.widgets import Static

__all__ = ["Paragraph"]


class Paragraph(Static):
    """A text that always gets the room that it needs."""

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        """Show another text."""
        super().update(content, layout=layout)
        # Textual remembers the size of a widget until it asks for a new layout, which it does not
        # do again while one is due. If the screen is laid out in between, the size is that of the
        # text before, and stays. It is remembered for the styles, so these count as changed.
        self.styles.merge_rules({})
