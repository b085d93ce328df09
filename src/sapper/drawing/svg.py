"""Draw the cells of a board or position as one SVG."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from math import ceil
from typing import Final

from sapper._grid import NUMBERS
from sapper._util.arguments import expect
from sapper._util.shortening import shown
from sapper.drawing import glyphs
from sapper.drawing.looks import Look, chance_look, mark_look
from sapper.drawing.marks import (
    MARKS,
    Chances,
    Marks,
    OverlayMarks,
    chances_by_index,
    marks_by_index,
    overlay_by_index,
)
from sapper.drawing.outline import Outline, short
from sapper.drawing.themes import THEMES, Theme
from sapper.errors import BadSetting
from sapper.topology import Tile, Topology
from sapper.topology.base import Point

__all__ = ["MOST_CELLS", "draw"]

MOST_CELLS: Final = 40_000
"""Maximum number of cells; a picture takes a few hundred bytes per cell."""
_CELL_PX: Final = (8, 128)
_FONT: Final = "system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans',sans-serif"
# Characters that XML does not allow, even when escaped.
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def draw(
    shape: Topology,
    cells: bytes,
    *,
    cell_px: int = 32,
    marks: Marks | None = None,
    chances: Chances | None = None,
    overlay: OverlayMarks | None = None,
    coordinates: int | None = None,
    theme: str = "light",
    exploded: bool = True,
    title: str,
    description: str,
) -> str:
    """Return an SVG with one group per cell, in row order.

    The SVG has no scripts, ids or external resources, so a page can contain many of them.

    Args:
        shape: The shape of the board.
        cells: One character per cell, as in `Position`.
        cell_px: Side of a square cell, from 8 to 128 pixels.
        marks: Cells by the name of their mark: see `MARKS`.
        chances: Mine probabilities, shown as text and tint on unopened cells.
        overlay: The marks of an overlay by cell index, shown on unopened cells instead of chances.
        coordinates: The number of the first row and column, 0 or 1; None omits coordinates.
        theme: A name of `THEMES`: ``light``, ``dark``, or a registered one.
        exploded: Whether the opened mine is shown on red.
        title: The picture's accessible name.
        description: The content in words, for screen readers.

    Raises:
        BadSetting: If an option is invalid, or the board is too large.
    """
    if shape.size > MOST_CELLS:
        raise BadSetting(
            f"a picture can show at most {MOST_CELLS} cells, got {shape.width}x{shape.height}"
        )
    low, high = _CELL_PX
    if type(cell_px) is not int or not low <= cell_px <= high:
        raise BadSetting(
            f"cell_px must be a whole number from {low} to {high}, got {shown(cell_px)}"
        )
    if not isinstance(theme, str) or theme not in THEMES:
        raise BadSetting(f"unknown theme {shown(theme)}; choose from: {', '.join(THEMES)}")
    if not isinstance(coordinates, int | None) or coordinates not in (None, 0, 1):
        raise BadSetting(f"coordinates must start at 0 or 1, or be None, got {shown(coordinates)}")
    for text in (title, description):
        expect(text, str, "a title or a description as text")
    picture = _Picture(
        shape,
        cells,
        cell_px,
        marks_by_index(shape, marks),
        chances_by_index(shape, chances),
        overlay_by_index(shape, overlay),
        None if coordinates is None else int(coordinates),
        THEMES[theme],
        exploded,
    )
    return picture.svg(title, description)


@dataclass(frozen=True, slots=True)
class _Picture:
    shape: Topology
    cells: bytes
    px: int
    marks: dict[int, list[str]]
    chances: dict[int, float]
    overlay: OverlayMarks
    first: int | None
    theme: Theme
    exploded: bool

    def svg(self, title: str, description: str) -> str:
        edge = max(2, self.px // 8)
        left, top = edge, edge
        if self.first is not None:
            digits = len(str(self.shape.height))
            left, top = edge + round(self.px * (0.3 + 0.25 * digits)), edge + round(self.px * 0.6)
        inner_w, inner_h = (ceil(side * self.px) for side in self.shape.extent)
        width, height = left + inner_w + edge, top + inner_h + edge
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}">',
            f"<title>{_text(title)}</title><desc>{_text(description)}</desc>",
            f'<rect width="{width}" height="{height}" rx="{edge}" fill="{self.theme["surface"]}"/>',
            *self._coordinates(left, top),
            f'<g transform="translate({left} {top})">',
            *self._floor(inner_w, inner_h),
            *map(self._cell, range(self.shape.size)),
            *self._seams(inner_w, inner_h),
            "</g>",
        ]
        return "\n".join([*parts, "</svg>\n"])

    def _floor(self, width: int, height: int) -> list[str]:
        """Return the background between the rounded corners of squares."""
        if not self.shape.tile(0, 0).is_square:
            return []
        return [f'<rect width="{width}" height="{height}" fill="{self.theme["face-2"]}"/>']

    def _seams(self, width: int, height: int) -> list[str]:
        """Draw dashed lines along sides that are joined to the opposite side of the board."""
        rows, columns = self.shape.wraps
        lines = [f"M0 0H{width}M0 {height}H{width}"] if rows else []
        lines += [f"M0 0V{height}M{width} 0V{height}"] if columns else []
        return [
            f'<path d="{line}" fill="none" stroke="{self.theme["text"]}" '
            f'stroke-width="{max(1, self.px // 16)}" stroke-dasharray="{self.px / 4:g}"/>'
            for line in lines
        ]

    def _coordinates(self, left: int, top: int) -> list[str]:
        if self.first is None:
            return []
        style = (
            f'fill="{self.theme["soft"]}" font-size="{self.px * 0.4:g}" font-family="{_FONT}" '
            f'text-anchor="middle"'
        )
        x, y = left - self.px * 0.15, top - self.px * 0.2
        columns = [
            f'<text x="{short(left + self._middle(0, col)[0])}" y="{y:g}">{col + self.first}</text>'
            for col in range(self.shape.width)
        ]
        rows = [
            f'<text x="{x:g}" y="{short(top + self._middle(row, 0)[1] + 0.14 * self.px)}" '
            f'text-anchor="end">{row + self.first}</text>'
            for row in range(self.shape.height)
        ]
        return [f"<g {style}>", *columns, *rows, "</g>"]

    def _middle(self, row: int, col: int) -> Point:
        """Return the centre of a cell, in pixels."""
        (x, y), (to_x, to_y) = self.shape.place(row, col), self.shape.tile(row, col).middle
        return ((x + to_x) * self.px, (y + to_y) * self.px)

    def _cell(self, index: int) -> str:
        row, col = self.shape.cell(index)
        tile, (x, y) = self.shape.tile(row, col), self.shape.place(row, col)
        shape = Outline(tile, self.px, self.theme["line"])
        char, marks = chr(self.cells[index]), self.marks.get(index, [])
        first = 1 if self.first is None else self.first
        odd = (row + col) % 2 if self.shape.checkered else 0
        look = self._look(index, odd) if char in ".F" else None
        number = self.cells[index] - ord("0")
        seen = str(number) if char > "9" and char in _NUMBERS else _SEEN.get(char, char)
        words = [f"row {row + first}, column {col + first}", seen]
        # Leave out the chance of a cell that is proved safe or a mine.
        if look and look.words and not {"safe", "mine"} & set(marks):
            words.append(look.words)
        words += [MARKS[name] for name in marks if MARKS[name]]
        return (
            f'<g data-row="{row}" data-col="{col}" '
            f'transform="translate({short(x * self.px)} {short(y * self.px)})">'
            f"<title>{_text(', '.join(words))}</title>"
            f"{shape.filled(self._ground(char, odd, marks, look), rounded=char in '.F')}"
            f"{self._content(char, marks, look, tile)}{self._rings(marks, shape)}</g>"
        )

    def _look(self, index: int, odd: int) -> Look | None:
        """Return the look of an unopened cell under an overlay or a chance."""
        if (mark := self.overlay.get(index)) is not None:
            return mark_look(mark, self.theme)
        if (chance := self.chances.get(index)) is None:
            return None
        return chance_look(chance, self.theme, far=self._is_far(index), odd=odd)

    def _is_far(self, index: int) -> bool:
        """Return whether the cell touches no number."""
        around = self.shape.graph.neighbours(index)
        return not any(chr(self.cells[near]) in _NUMBERS for near in around)

    def _ground(self, char: str, odd: int, marks: list[str], look: Look | None) -> str:
        name = "face" if char in ".F" else "open"
        colour = self.theme[f"{name}-2" if odd else name]
        if char == "*" and self.exploded and "mine" not in marks:
            colour = self.theme["hit"]
        elif "safe" in marks:
            colour = self.theme["safe-tint"]
        elif "mine" in marks:
            colour = self.theme["danger-tint"]
        elif look and look.ground:
            colour = look.ground
        return colour

    def _content(self, char: str, marks: list[str], look: Look | None, tile: Tile) -> str:
        """Return the number, flag or mine of a cell, or its proved status."""
        glyph = look.glyph if look else ""
        glyph = next((_GLYPHS[name](self.theme) for name in marks if name in _GLYPHS), glyph)
        if char in _NUMBERS:
            return self._scaled(glyphs.digit(ord(char) - ord("0"), self.theme), tile)
        if char == "*":
            return self._scaled(glyphs.mine(self.theme), tile)
        if char == "F":
            small = f'<g transform="translate(9.4 9.4) scale(.38)">{glyph}</g>' if glyph else ""
            return self._scaled(glyphs.flag(self.theme) + small, tile)
        if glyph:
            return self._scaled(glyph, tile)
        return self._written(look, tile) if look and look.text else ""

    def _scaled(self, glyph: str, tile: Tile) -> str:
        x, y = (short((at - tile.radius) * self.px) for at in tile.middle)
        place = "" if (x, y) == ("0", "0") else f"translate({x} {y}) "
        scale = 2 * tile.radius * self.px / glyphs.UNITS
        return f'<g transform="{place}scale({scale:g})">{glyph}</g>'

    def _written(self, look: Look, tile: Tile) -> str:
        x, y = tile.middle
        return (
            f'<text x="{short(x * self.px)}" y="{short((y + 0.13) * self.px)}" '
            f'text-anchor="middle" '
            f'font-family="{_FONT}" font-size="{self.px * 0.4:g}" fill="{look.ink}">'
            f"{_text(look.text)}</text>"
        )

    def _rings(self, marks: list[str], shape: Outline) -> str:
        drawn = []
        for name, (colour, dashed, twice) in _RINGS.items():
            if name in marks:
                line = max(1.0, self.px / 11)
                drawn.append(shape.ring(line / 2, line, self.theme[colour], dashed=dashed))
                if twice:
                    drawn.append(shape.ring(2.2 * line, line / 2, self.theme[colour]))
        if "dim" in marks:
            drawn.append(shape.filled(f'{self.theme["surface"]}" fill-opacity="0.6'))
        return "".join(drawn)


_NUMBERS: Final = NUMBERS[1:].decode()
_SEEN: Final = {".": "unopened", "F": "flag", "*": "mine", "0": "empty"}
_GLYPHS: Final[dict[str, Callable[[Theme], str]]] = {
    "safe": glyphs.safe_mark,
    "mine": glyphs.mined_mark,
}
_RINGS: Final = {
    "best": ("hint", True, False),
    "chosen": ("cross", False, False),
    "ring": ("hint-2", False, False),
    "conflict": ("cross", False, True),
}
"""Colour of each ring, whether it is dashed, and whether it is double."""


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text), quote=False)
