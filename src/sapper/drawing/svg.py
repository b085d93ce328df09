"""Draw the cells of a board or position as one SVG."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Final, NamedTuple

from sapper._grid import shown
from sapper.drawing import glyphs
from sapper.drawing.marks import MARKS, Chances, Marks, chances_by_index, marks_by_index
from sapper.drawing.themes import STEPS, THEMES, Theme
from sapper.errors import BadSetting
from sapper.topology import Topology

__all__ = ["MOST_CELLS", "draw"]

MOST_CELLS: Final = 40_000
"""The largest board drawn: a picture takes some hundred bytes a cell."""
_CELL_PX: Final = (8, 128)
_FONT: Final = "system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans',sans-serif"
# What XML cannot hold, not even escaped.
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def draw(
    shape: Topology,
    cells: bytes,
    *,
    cell_px: int = 32,
    marks: Marks | None = None,
    chances: Chances | None = None,
    coordinates: int | None = None,
    theme: str = "light",
    exploded: bool = True,
    title: str,
    description: str,
) -> str:
    """Return an SVG with one group per cell, in row order.

    It holds no scripts, no ids and no outside resources, so many fit in one page.

    Args:
        shape: The shape of the board.
        cells: One character a cell, as in `Position`.
        cell_px: Side of a cell, from 8 to 128 pixels.
        marks: Cells by the name of their mark: see `MARKS`.
        chances: The chance of a mine, written and tinted on each unopened cell that has one.
        coordinates: The number of the first row and column, 0 or 1; None draws none.
        theme: ``light`` or ``dark``.
        exploded: Whether a mine was opened, and stands on red.
        title: The picture's accessible name.
        description: What it shows, for those who cannot see it.

    Raises:
        BadSetting: If an option is not one of these, or the board is too large.
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
    if theme not in THEMES:
        raise BadSetting(f"unknown theme {shown(theme)}; choose from: {', '.join(THEMES)}")
    if coordinates not in (None, 0, 1):
        raise BadSetting(f"coordinates must start at 0 or 1, or be None, got {shown(coordinates)}")
    picture = _Picture(
        shape,
        cells,
        cell_px,
        marks_by_index(shape, marks),
        chances_by_index(shape, chances),
        None if coordinates is None else int(coordinates),
        THEMES[theme],
        exploded,
    )
    return picture.svg(title, description)


class _Tint(NamedTuple):
    """A chance, and whether its cell touches no number."""

    chance: float
    far: bool

    @property
    def step(self) -> int:
        """Where it stands on the scale."""
        return max(0, min(STEPS - 1, int(2 * self.chance * STEPS)))


@dataclass(frozen=True, slots=True)
class _Picture:
    shape: Topology
    cells: bytes
    px: int
    marks: dict[int, list[str]]
    chances: dict[int, float]
    first: int | None
    theme: Theme
    exploded: bool

    def svg(self, title: str, description: str) -> str:
        edge = max(2, self.px // 8)
        left, top = edge, edge
        if self.first is not None:
            digits = len(str(self.shape.height))
            left, top = edge + round(self.px * (0.3 + 0.25 * digits)), edge + round(self.px * 0.6)
        inner_w, inner_h = self.shape.width * self.px, self.shape.height * self.px
        width, height = left + inner_w + edge, top + inner_h + edge
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}">',
            f"<title>{_text(title)}</title><desc>{_text(description)}</desc>",
            f'<rect width="{width}" height="{height}" rx="{edge}" fill="{self.theme["surface"]}"/>',
            *self._coordinates(left, top),
            f'<g transform="translate({left} {top})">',
            f'<rect width="{inner_w}" height="{inner_h}" fill="{self.theme["face-2"]}"/>',
            *map(self._cell, range(self.shape.size)),
            "</g>",
        ]
        if self.shape.name == "torus":
            # The sides of a torus are no borders: it goes on at the opposite one.
            parts.append(
                f'<rect x="{left}" y="{top}" width="{inner_w}" height="{inner_h}" fill="none" '
                f'stroke="{self.theme["text"]}" stroke-width="{max(1, self.px // 16)}" '
                f'stroke-dasharray="{self.px / 4:g}"/>'
            )
        return "\n".join([*parts, "</svg>\n"])

    def _coordinates(self, left: int, top: int) -> list[str]:
        if self.first is None:
            return []
        style = (
            f'fill="{self.theme["soft"]}" font-size="{self.px * 0.4:g}" font-family="{_FONT}" '
            f'text-anchor="middle"'
        )
        x, y = left - self.px * 0.15, top - self.px * 0.2
        columns = [
            f'<text x="{left + (col + 0.5) * self.px:g}" y="{y:g}">{col + self.first}</text>'
            for col in range(self.shape.width)
        ]
        rows = [
            f'<text x="{x:g}" y="{top + (row + 0.64) * self.px:g}" text-anchor="end">'
            f"{row + self.first}</text>"
            for row in range(self.shape.height)
        ]
        return [f"<g {style}>", *columns, *rows, "</g>"]

    def _cell(self, index: int) -> str:
        row, col = self.shape.cell(index)
        char, marks = chr(self.cells[index]), self.marks.get(index, [])
        chance = self.chances.get(index) if char in ".F" else None
        tint = None if chance is None else _Tint(chance, self._is_far(index))
        first = 1 if self.first is None else self.first
        said = [f"row {row + first}, column {col + first}", _SEEN.get(char, char)]
        if chance is not None and not {"safe", "mine"} & set(marks):
            said.append(f"mine chance {_percent(chance)}%")
        said += [MARKS[name] for name in marks if MARKS[name]]
        return (
            f'<g data-row="{row}" data-col="{col}" '
            f'transform="translate({col * self.px} {row * self.px})">'
            f"<title>{', '.join(said)}</title>"
            f"{self._ground(char, (row + col) % 2, marks, tint)}"
            f"{self._content(char, marks, tint)}{self._rings(marks)}</g>"
        )

    def _is_far(self, index: int) -> bool:
        """Return whether no number touches the cell."""
        around = self.shape.graph.neighbours(index)
        return not any(chr(self.cells[near]) in "12345678" for near in around)

    def _ground(self, char: str, odd: int, marks: list[str], tint: _Tint | None) -> str:
        name = "face" if char in ".F" else "open"
        colour = self.theme[f"{name}-2" if odd else name]
        if char == "*" and self.exploded and "mine" not in marks:
            colour = self.theme["hit"]
        elif "safe" in marks:
            colour = self.theme["safe-tint"]
        elif "mine" in marks:
            colour = self.theme["danger-tint"]
        elif tint is not None and tint.far:
            colour = self.theme.far_heat[tint.step][odd]
        elif tint is not None:
            colour = self.theme.heat[tint.step]
        corner = f' rx="{self.px * 0.1:g}"' if char in ".F" else ""
        return f'<rect width="{self.px}" height="{self.px}"{corner} fill="{colour}"/>'

    def _content(self, char: str, marks: list[str], tint: _Tint | None) -> str:
        """The number, flag or mine of a cell, or what is known about it."""
        mark = next((_GLYPHS[name] for name in marks if name in _GLYPHS), None)
        if char in "12345678":
            return self._scaled(glyphs.digit(int(char), self.theme))
        if char == "*":
            return self._scaled(glyphs.mine(self.theme))
        if char == "F":
            corner = mark(self.theme) if mark else ""
            small = f'<g transform="translate(9.4 9.4) scale(.38)">{corner}</g>' if corner else ""
            return self._scaled(glyphs.flag(self.theme) + small)
        if mark:
            return self._scaled(mark(self.theme))
        return "" if tint is None else self._chance(tint)

    def _scaled(self, glyph: str) -> str:
        return f'<g transform="scale({self.px / glyphs.UNITS:g})">{glyph}</g>'

    def _chance(self, tint: _Tint) -> str:
        ink = self.theme["heat-text" if tint.step < STEPS // 2 else "heat-text-deep"]
        if tint.far:
            ink = self.theme.far_text
        return (
            f'<text x="{self.px / 2:g}" y="{self.px * 0.63:g}" text-anchor="middle" '
            f'font-family="{_FONT}" font-size="{self.px * 0.4:g}" fill="{ink}">'
            f"{_percent(tint.chance)}</text>"
        )

    def _rings(self, marks: list[str]) -> str:
        drawn = []
        for name, (colour, dashed, twice) in _RINGS.items():
            if name in marks:
                line = max(1.0, self.px / 11)
                drawn.append(self._ring(line / 2, line, self.theme[colour], dashed=dashed))
                if twice:
                    drawn.append(self._ring(2.2 * line, line / 2, self.theme[colour]))
        if "dim" in marks:
            drawn.append(
                f'<rect width="{self.px}" height="{self.px}" fill="{self.theme["surface"]}" '
                'fill-opacity="0.6"/>'
            )
        return "".join(drawn)

    def _ring(self, inset: float, line: float, colour: str, *, dashed: bool = False) -> str:
        dash = f' stroke-dasharray="{self.px / 6:g}"' if dashed else ""
        side = self.px - 2 * inset
        return (
            f'<rect x="{inset:.3g}" y="{inset:.3g}" width="{side:.4g}" height="{side:.4g}" '
            f'fill="none" stroke="{colour}" stroke-width="{line:.3g}"{dash}/>'
        )


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
"""The colour of each ring, whether it is dashed, and whether it is double."""


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text), quote=False)


def _percent(chance: float) -> str:
    """Whole percent; never a 0 or 100 that is not proved."""
    rounded = round(100 * chance)
    if rounded <= 0 < chance:
        return "&lt;1"
    return "&gt;99" if chance < 1 and rounded >= 100 else str(rounded)
