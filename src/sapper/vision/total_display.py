"""Read the mine total next to a board, using pictures of its digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sapper.position import FLAGGED
from sapper.vision.geometry import Geometry, Image
from sapper.vision.images import load, save
from sapper.vision.looks import WRONG_FLAG

__all__ = ["TotalDisplay", "load_total", "read_total", "save_total"]

_TOLERANCE = 12.0
_INK = 30.0
"""Minimum difference between a text pixel and the background, in levels of grey."""
_BETWEEN = (255, 0, 255)
"""Colour of the columns between the pictures of digits."""
_FOREIGN, _SPACE = "_", " "
_FEW = 3
"""Distance between the pixels compared in the first pass."""
_FIRST = 6
"""Number of those pixels that are compared everywhere."""
_FLAGS = (FLAGGED.encode(), WRONG_FLAG.encode())
_SIDES = ("above", "below", "left", "right")
_OUTWARDS, _ACROSS = (2, 4, 6, 10), (1, 2, 0.5)
"""Margin around the board in cells, on the side of the total and on the other sides."""

Grey = npt.NDArray[np.floating[Any]]


class _Hit(NamedTuple):
    """A digit in a picture, located by its top left pixel."""

    x: int
    y: int
    width: int
    height: int
    glyph: str


class _Box(NamedTuple):
    """An area of a picture, in pixels."""

    top: int
    left: int
    bottom: int
    right: int

    def within(self, other: _Box) -> _Box:
        """Return the intersection with another area, relative to the other area's corner."""
        top, left = max(self.top, other.top), max(self.left, other.left)
        return _Box(
            top - other.top,
            left - other.left,
            max(top, min(self.bottom, other.bottom)) - other.top,
            max(left, min(self.right, other.right)) - other.left,
        )


@dataclass(frozen=True, eq=False)
class TotalDisplay:
    """A program's display of the mine total.

    Attributes:
        side: Side of the board: ``above``, ``below``, ``left`` or ``right``.
        pattern: Regular expression for the line, whose first group is the number. In the line,
            anything other than a known digit is ``_``, and a gap of half a digit's width is a
            space.
        glyphs: The characters of the pictures.
        pictures: The pictures, all of the same height.
        counts_left: Whether the number decreases with each flag.
        tolerance: Maximum root mean square difference between a digit and its picture, in levels of
            grey.
    """

    side: str
    pattern: str
    glyphs: str
    pictures: tuple[Image, ...] = field(repr=False)
    counts_left: bool = False
    tolerance: float = _TOLERANCE

    def __post_init__(self) -> None:
        if self.side not in _SIDES:
            raise ValueError(
                f"side of [total] must be one of {', '.join(_SIDES)}, got {self.side!r}"
            )
        if re.compile(self.pattern).groups != 1:
            raise ValueError(f"pattern {self.pattern!r} of [total] must have one group")
        if not self.glyphs or len(self.glyphs) != len(self.pictures):
            raise ValueError(f"{len(self.pictures)} pictures in [total] for {self.glyphs!r}")
        # No picture on the display may match two digits, so their pictures must differ enough.
        greys = [_grey(picture) for picture in self.pictures]
        for i, one in enumerate(greys):
            for j, other in enumerate(greys[:i]):
                same = one.shape != other.shape or self.glyphs[i] == self.glyphs[j]
                if not same and _apart(one, other) <= 2 * self.tolerance:
                    pair = f"{self.glyphs[j]!r} and {self.glyphs[i]!r}"
                    raise ValueError(f"{pair} of [total] are too similar for its tolerance")


def load_total(table: dict[str, Any], folder: Path) -> TotalDisplay:
    """Load the table ``[total]`` of a theme in this directory.

    Raises:
        ValueError: If the table is invalid.
    """
    keys = {"side", "pattern", "sheet", "glyphs", "counts_left", "tolerance"}
    if set(table) - keys:
        raise ValueError(f"[total] has no key {min(set(table) - keys)!r}")
    return TotalDisplay(
        table["side"],
        table["pattern"],
        table["glyphs"],
        _split(load(folder / table["sheet"])),
        bool(table.get("counts_left", False)),
        float(table.get("tolerance", _TOLERANCE)),
    )


def save_total(total: TotalDisplay, path: Path) -> dict[str, Any]:
    """Write the pictures and return the table that `load_total` reads."""
    height = total.pictures[0].shape[0]
    between = np.full((height, 1, 3), _BETWEEN, dtype=np.uint8)
    parts = [part for picture in total.pictures for part in (between, picture)]
    save(np.concatenate(parts[1:], axis=1), path)
    return {
        "side": total.side,
        "pattern": total.pattern,
        "sheet": path.name,
        "glyphs": total.glyphs,
        "counts_left": total.counts_left,
        "tolerance": total.tolerance,
    }


def read_total(image: Image, at: Geometry, total: TotalDisplay, looks: bytes = b"") -> int | None:
    """Return the mine total in a window; None if it cannot be read with certainty.

    Args:
        image: A picture of the entire window or a larger part of the screen.
        at: Location of the board in the picture.
        total: The program's display of the total.
        looks: The looks of the cells, whose flags may have to be added to the number.
    """
    strip = _beside(image, at, total.side)
    grey = _grey(image[strip.top : strip.bottom, strip.left : strip.right])
    hits = _hits(grey, total)
    numbers = _numbers(grey, hits, total)
    if not numbers:
        # The pattern may match at the window's edges, although the picture extends beyond the
        # window.
        for outwards, across in product(_OUTWARDS, _ACROSS):
            cut = _around(image, at, total.side, outwards, across).within(strip)
            numbers = _numbers(
                grey[cut.top : cut.bottom, cut.left : cut.right],
                _inside(hits, cut),
                total,
                cut=True,
            )
            if numbers:
                break
    if len(numbers) != 1:
        return None
    mines = numbers.pop()
    if total.counts_left:
        mines += sum(map(looks.count, _FLAGS))
    return mines if 0 < mines < at.rows * at.columns else None


def _numbers(grey: Grey, hits: list[_Hit], total: TotalDisplay, *, cut: bool = False) -> set[int]:
    """Return the text of the lines beside the board.

    Args:
        grey: The picture.
        hits: The digits in the picture.
        total: The program's display of the total.
        cut: Whether the picture may be smaller than the window. If so, lines with a digit within a
            digit's width of an edge are skipped, because the number may be incomplete.
    """
    usual, width = total.pictures[0].shape[1], grey.shape[1]
    lines: dict[int, list[_Hit]] = {}
    for hit in hits:
        lines.setdefault(hit.y, []).append(hit)
    texts = {
        _line(grey, y, total, row, cut=cut)
        for y, row in lines.items()
        if not cut or all(hit.x >= usual and hit.x + hit.width + usual <= width for hit in row)
    }
    matches = (re.search(total.pattern, text) for text in texts)
    # The pattern comes from a theme, so its group may match nothing or something other than a
    # number.
    numbers = (match[1] or "" for match in matches if match is not None)
    return {int(number) for number in numbers if number.isdecimal()}


def _beside(image: Image, at: Geometry, side: str) -> _Box:
    """Return the area of the picture on this side of the board."""
    height, width = image.shape[:2]
    left, top = round(at.x), round(at.y)
    right, bottom = round(at.x + at.width), round(at.y + at.height)
    return {
        "above": _Box(0, 0, top, width),
        "below": _Box(bottom, 0, height, width),
        "left": _Box(0, 0, height, left),
        "right": _Box(0, right, height, width),
    }[side]


def _around(image: Image, at: Geometry, side: str, outwards: float, across: float) -> _Box:
    """Return the area of the board and a margin around it, given in cells."""
    height, width = image.shape[:2]
    cells = {one: outwards if one == side else across for one in _SIDES}
    return _Box(
        max(0, round(at.y - cells["above"] * at.row_pitch)),
        max(0, round(at.x - cells["left"] * at.pitch)),
        min(height, round(at.y + (at.rows + cells["below"]) * at.row_pitch)),
        min(width, round(at.x + (at.columns + cells["right"]) * at.pitch)),
    )


def _hits(grey: Grey, total: TotalDisplay) -> list[_Hit]:
    """Return the digits in the picture."""
    hits: list[_Hit] = []
    for glyph, picture in zip(total.glyphs, total.pictures, strict=True):
        digit = _grey(picture)
        height, width = digit.shape
        if height > grey.shape[0] or width > grey.shape[1]:
            continue
        places = np.lib.stride_tricks.sliding_window_view(grey, digit.shape)
        most = total.tolerance**2 * digit.size
        hits += [
            _Hit(x, y, width, height, glyph)
            for y, x in _near(grey, digit, most)
            if np.square(places[y, x] - digit).sum() <= most
        ]
    return hits


def _near(grey: Grey, glyph: Grey, most: float) -> Iterator[tuple[int, int]]:
    """Yield, row by row, the places not ruled out by a few pixels of a digit."""
    height, width = (side - part + 1 for side, part in zip(grey.shape, glyph.shape, strict=True))
    pixels = [
        (y, x) for y in range(0, glyph.shape[0], _FEW) for x in range(0, glyph.shape[1], _FEW)
    ]
    pixels.sort(key=lambda at: float(glyph[at]))
    # Compare the darkest and brightest pixels first, which rules out all flat areas.
    half = (len(pixels) + 1) // 2
    pixels[::2], pixels[1::2] = pixels[:half], pixels[: half - 1 : -1]
    apart = np.zeros((height, width), dtype=grey.dtype)
    for y, x in pixels[:_FIRST]:
        apart += np.square(grey[y : y + height, x : x + width] - glyph[y, x])
    ys, xs = np.nonzero(apart <= most)
    sums = apart[ys, xs]
    for y, x in pixels[_FIRST:]:
        sums += np.square(grey[ys + y, xs + x] - glyph[y, x])
    left = sums <= most
    yield from zip(ys[left].tolist(), xs[left].tolist(), strict=True)


def _inside(hits: list[_Hit], cut: _Box) -> list[_Hit]:
    """Return the digits that are entirely within an area, with coordinates relative to it."""
    return [
        hit._replace(x=hit.x - cut.left, y=hit.y - cut.top)
        for hit in hits
        if cut.left <= hit.x <= cut.right - hit.width
        and cut.top <= hit.y <= cut.bottom - hit.height
    ]


def _line(grey: Grey, y: int, total: TotalDisplay, hits: list[_Hit], *, cut: bool) -> str:
    """Return the text of a line: known digits, ``_`` for other writing, and spaces."""
    height, usual = total.pictures[0].shape[:2]
    rows = grey[y : y + height]
    # The areas above and below the line may not belong to the window.
    plain = rows if cut else grey
    background = float(np.bincount(np.rint(plain).astype(int).ravel()).argmax())
    inked = (np.abs(rows - background) > _INK).any(axis=0)
    signs = [_FOREIGN if ink else _SPACE for ink in inked]
    taken = np.zeros(len(signs), dtype=np.bool_)
    # A narrow digit can match part of a wide digit, but not vice versa.
    for x, _, width, _, glyph in sorted(hits, key=lambda hit: -hit.width):
        if not taken[x : x + width].any():
            taken[x : x + width] = True
            signs[x : x + width] = [glyph, *[""] * (width - 1)]
    line = re.sub(f"{_FOREIGN}+", _FOREIGN, "".join(signs))
    return re.sub(" +", lambda gap: _SPACE * (len(gap[0]) > usual // 2), line).strip()


def _grey(image: Image) -> Grey:
    # Use unequal weights, so that colours of equal brightness differ.
    return image.astype(np.float32) @ np.array([2 / 6, 3 / 6, 1 / 6], dtype=np.float32)


def _apart(one: Grey, other: Grey) -> float:
    return float(np.sqrt(np.square(one - other).mean()))


def _split(sheet: Image) -> tuple[Image, ...]:
    """Split a picture at the separator columns."""
    between = (sheet == _BETWEEN).all(axis=(0, 2))
    edges = [-1, *np.flatnonzero(between).tolist(), len(between)]
    pairs = pairwise(edges)
    return tuple(sheet[:, left + 1 : right] for left, right in pairs if right > left + 1)
