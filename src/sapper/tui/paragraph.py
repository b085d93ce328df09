"""Several lines of text that may change."""

from __future__ import annotations

from textual.visual import VisualType
from textual.widgets import Static

__all__ = ["Paragraph"]


class Paragraph(Static):
    """Text that always takes up the space it needs."""

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        """Show other text."""
        super().update(content, layout=layout)
        # Textual caches the size of a widget until a new layout is requested, which it ignores
        # while one is pending. If the layout runs in between, the size of the previous text remains
        # cached. Marking the styles as changed clears this cache, which depends on them.
        self.styles.merge_rules({})
