"""The board as a scrolling widget with a cursor; it reports clicks."""

from __future__ import annotations

from dataclasses import dataclass

from rich.segment import Segment
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from sapper.topology import Cell
from sapper.tui.cell_styles import cell_style, cell_text
from sapper.tui.scene import Scene

__all__ = ["BoardView"]

_MIDDLE, _RIGHT = 2, 3


class BoardView(ScrollView, can_focus=True, inherit_bindings=False):
    """Draws a `Scene`. Keys move the cursor; the app handles everything else."""

    @dataclass
    class Clicked(Message):
        """A cell was clicked: ``open``, ``flag`` or ``chord``."""

        cell: Cell
        button: str

    def __init__(self, scene: Scene, look: str) -> None:
        super().__init__()
        self._scene, self._look = scene, look
        self.cursor = Cell(scene.height // 2, scene.width // 2)

    def on_mount(self) -> None:
        """Set the scroll size to the size of the board."""
        self._resize()

    def show(self, scene: Scene, look: str) -> None:
        """Draw another scene."""
        resized = scene.shape != self._scene.shape
        wider = scene.cell_width != self._scene.cell_width
        self._scene, self._look = scene, look
        if resized:
            self.cursor = Cell(scene.height // 2, scene.width // 2)
        if resized or wider:
            self._resize()
            self.call_after_refresh(self._follow)
        self.refresh()

    def move(self, rows: int, cols: int) -> None:
        """Move the cursor and scroll to it; it stops at edges but wraps around joined sides."""
        shape = self._scene.shape
        row, col = self.cursor.row + rows, self.cursor.col + cols
        row = row % shape.height if shape.wraps[0] else min(max(row, 0), shape.height - 1)
        col = col % shape.width if shape.wraps[1] else min(max(col, 0), shape.width - 1)
        self.move_to(Cell(row, col))

    def move_to(self, cell: Cell) -> None:
        """Move the cursor to a cell and scroll to it."""
        self.cursor = cell
        self._follow()
        self.refresh()

    def cell_at(self, x: int, y: int) -> Cell | None:
        """Return the cell at an offset inside the widget, or None."""
        scroll_x, scroll_y = self.scroll_offset
        row = y + scroll_y
        col = (x + scroll_x - self._scene.left(row)) // self._scene.cell_width
        inside = 0 <= row < self._scene.height and 0 <= col < self._scene.width
        return Cell(row, col) if inside else None

    def render_line(self, y: int) -> Strip:
        """Render the visible part of one row."""
        scroll_x, scroll_y = self.scroll_offset
        row, width = y + scroll_y, self.size.width
        if not 0 <= row < self._scene.height:
            return Strip.blank(width, self.rich_style)
        cell_width = self._scene.cell_width
        left = self._scene.left(row)
        first = max(0, scroll_x - left) // cell_width
        last = min(self._scene.width, -(-(scroll_x + width - left) // cell_width))
        segments = [Segment(" " * left, self.rich_style)] if left else []
        for col in range(first, last):
            face = self._scene.face(row, col)
            style = cell_style(face, self._look, (row, col) == self.cursor)
            segments.append(Segment(cell_text(face, cell_width), style))
        start = scroll_x - first * cell_width
        strip = Strip(segments, left + (last - first) * cell_width).crop(start, start + width)
        return strip.extend_cell_length(width, self.rich_style)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Send the clicked cell and its action to the app."""
        cell = self.cell_at(event.x, event.y)
        if cell is None:
            return
        self.cursor = cell
        if event.button == _RIGHT or event.ctrl or event.shift:
            button = "flag"
        else:
            button = "chord" if event.button == _MIDDLE else "open"
        self.post_message(self.Clicked(cell, button))
        self.refresh()

    def _resize(self) -> None:
        self.virtual_size = Size(self._scene.line_width, self._scene.height)

    def _follow(self) -> None:
        width = self._scene.cell_width
        left = self._scene.left(self.cursor.row)
        at = Region(left + self.cursor.col * width, self.cursor.row, width, 1)
        self.scroll_to_region(at, animate=False, force=True)
