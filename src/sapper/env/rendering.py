"""Render positions as text or as small pixel images."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from math import ceil
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from sapper._util.shortening import shown
from sapper.drawing import THEMES
from sapper.errors import BadSetting
from sapper.position import NUMBERS, Position
from sapper.topology import Topology
from sapper.topology.base import Tile

__all__ = ["CELL_PX", "RENDER_MODES", "check_render_mode", "picture"]

RENDER_MODES: Final = ("ansi", "rgb_array")
CELL_PX: Final = 16
"""Side of a square cell in pixels; cells of other shapes are about as large."""

_Pixels = npt.NDArray[np.uint8]
_Indices = npt.NDArray[np.intp]
# Glyphs have five columns and seven rows, each row written from left to right. As in
# `Position.cells`, the characters after 9 stand for 10, 11 and 12.
_GLYPHS: Final = {
    "1": "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.",
    "2": ".###. #...# ....# ...#. ..#.. .#... #####",
    "3": "####. ....# ....# .###. ....# ....# ####.",
    "4": "...#. ..##. .#.#. #..#. ##### ...#. ...#.",
    "5": "##### #.... ####. ....# ....# #...# .###.",
    "6": ".###. #.... #.... ####. #...# #...# .###.",
    "7": "##### ....# ...#. ...#. ..#.. ..#.. ..#..",
    "8": ".###. #...# #...# .###. #...# #...# .###.",
    "9": ".###. #...# #...# .#### ....# ....# .###.",
    ":": "#.### #.#.# #.#.# #.#.# #.#.# #.#.# #.###",
    ";": ".#.#. ##.## .#.#. .#.#. .#.#. .#.#. .#.#.",
    "<": "#.##. #...# #...# #..#. #.#.. #.#.. #.###",
    "F": ".##.. .###. .##.. .#... .#... .#... ####.",
    "*": "..#.. #.#.# .###. ##### .###. #.#.# ..#..",
}
_GLYPH_ROWS, _GLYPH_COLS = 7, 5
_INKS: Final = {**{chr(NUMBERS[n]): f"n{n}" for n in range(1, 13)}, "F": "flag", "*": "mine"}
_FACES: Final = {".": "face", "F": "face", "*": "hit"}
_OFF_THE_GRID: Final = 1e-6
"""Offset of the sampled points, so that none falls on the edge of a cell."""


def check_render_mode(mode: str | None) -> None:
    """Reject an unknown render mode.

    Raises:
        BadSetting: If the mode is neither known nor None.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise BadSetting(f"render_mode must be {' or '.join(RENDER_MODES)}, got {shown(mode)}")


def picture(position: Position, mode: str) -> Any:
    """Return a position as text (``ansi``) or as rows of RGB pixels (``rgb_array``)."""
    if mode == "ansi":
        return "\n".join(position.rows) + "\n"
    plan = _plan(position.topology)
    cells = np.frombuffer(position.cells, dtype=np.uint8)
    colours = np.concatenate([_faces()[cells], _surface()])
    pixels: _Pixels = colours.take(plan.owners, axis=0)
    pixels[plan.lines] = _rgb("line")
    for char, glyph in _GLYPHS.items():
        at = np.flatnonzero(cells == ord(char))
        if at.size:
            rows, cols = _ink(glyph)
            pixels[plan.tops[at, None] + rows, plan.lefts[at, None] + cols] = _rgb(_INKS[char])
    return pixels


class _Plan(NamedTuple):
    """The positions of a shape's cells in its picture.

    Attributes:
        owners: Index of the cell to which each pixel belongs; the number of cells for pixels
            outside.
        lines: Mask of pixels between cells.
        tops: First row of each cell's glyph.
        lefts: First column of each cell's glyph.
    """

    owners: _Indices
    lines: npt.NDArray[np.bool_]
    tops: _Indices
    lefts: _Indices


@lru_cache(maxsize=8)
def _plan(shape: Topology) -> _Plan:
    width, height = (ceil(side * CELL_PX) for side in shape.extent)
    # Add one pixel at each end, so that the last cells have a neighbour.
    owners = np.full((height + 1, width + 1), shape.size, dtype=np.intp)
    tops, lefts = np.zeros((2, shape.size), dtype=np.intp)
    for tile, cells in _kinds(shape):
        places = np.array([shape.place(*shape.cell(index)) for index in cells])
        middles = (places + tile.middle) * CELL_PX
        lefts[cells] = middles[:, 0] - _GLYPH_COLS / 2
        tops[cells] = middles[:, 1] - _GLYPH_ROWS / 2
        corners = np.array(tile.outline)
        # The pixels around each cell of this kind; every cell has the same number of them.
        first = np.floor((places + corners.min(axis=0)) * CELL_PX).astype(np.intp)
        across, down = np.ceil(np.ptp(corners, axis=0) * CELL_PX).astype(np.intp) + 1
        xs = first[:, 0, None, None] + np.arange(across)
        ys = first[:, 1, None, None] + np.arange(down)[:, None]
        x = (xs + 0.5 + _OFF_THE_GRID) / CELL_PX - places[:, 0, None, None]
        y = (ys + 0.5 + _OFF_THE_GRID) / CELL_PX - places[:, 1, None, None]
        cell, row, col = np.nonzero(_inside(tile, x, y))
        owners[ys[cell, row, 0], xs[cell, 0, col]] = cells[cell]
    # The line between two cells belongs to the left or upper one.
    lines = (owners[:-1, :-1] != owners[:-1, 1:]) | (owners[:-1, :-1] != owners[1:, :-1])
    return _Plan(owners[:-1, :-1].copy(), lines, tops, lefts)


def _kinds(shape: Topology) -> Iterator[tuple[Tile, _Indices]]:
    """Yield each kind of cell with the indices of its cells."""
    kinds: dict[Tile, list[int]] = {}
    for index, (row, col) in enumerate(shape.cells()):
        kinds.setdefault(shape.tile(row, col), []).append(index)
    for tile, cells in kinds.items():
        yield tile, np.array(cells, dtype=np.intp)


def _inside(
    tile: Tile, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    """Return a mask of the points inside an outline, with an odd number of sides to their left."""
    inside = np.zeros(np.broadcast_shapes(x.shape, y.shape), dtype=np.bool_)
    for at, (to_x, to_y) in enumerate(tile.outline):
        from_x, from_y = tile.outline[at - 1]
        if from_y != to_y:
            side = from_x + (y - from_y) * (to_x - from_x) / (to_y - from_y)
            inside ^= ((from_y > y) != (to_y > y)) & (side < x)
    return inside


@cache
def _faces() -> _Pixels:
    """Return the colours of a cell for each character."""
    faces = np.empty((128, 3), dtype=np.uint8)
    faces[:] = _rgb("open")
    for char, name in _FACES.items():
        faces[ord(char)] = _rgb(name)
    return faces


@cache
def _surface() -> _Pixels:
    return np.array([_rgb("surface")], dtype=np.uint8)


@cache
def _ink(glyph: str) -> tuple[_Indices, _Indices]:
    """Return the rows and columns of the inked pixels."""
    rows, cols = np.nonzero([[dot == "#" for dot in row] for row in glyph.split()])
    return rows, cols


@cache
def _rgb(name: str) -> list[int]:
    colour = THEMES["light"][name]
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
