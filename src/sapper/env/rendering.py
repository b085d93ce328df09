"""Positions as text, and as small pictures made of pixels."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from sapper.drawing import THEMES
from sapper.errors import BadSetting
from sapper.position import NUMBERS, Position

__all__ = ["CELL_PX", "RENDER_MODES", "check_render_mode", "picture"]

RENDER_MODES: Final = ("ansi", "rgb_array")
CELL_PX: Final = 16
"""Pixels of a cell's side."""

_Pixels = npt.NDArray[np.uint8]
# Five columns by seven rows, a row per item, read from the left. As in `Position.cells`, the
# characters after 9 stand for 10, 11 and 12.
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
_INKS: Final = {**{chr(NUMBERS[n]): f"n{n}" for n in range(1, 13)}, "F": "flag", "*": "mine"}
_FACES: Final = {".": "face", "F": "face", "*": "hit"}


def check_render_mode(mode: str | None) -> None:
    """Refuse an unknown render mode.

    Raises:
        BadSetting: If it is neither known nor None.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise BadSetting(f"render_mode must be {' or '.join(RENDER_MODES)}, got {mode!r:.40}")


def picture(position: Position, mode: str) -> Any:
    """Return a position as text (``ansi``), or as rows of RGB pixels (``rgb_array``)."""
    if mode == "ansi":
        return "\n".join(position.rows) + "\n"
    tiles = _tiles()[np.frombuffer(position.cells, dtype=np.uint8)]
    height, width = position.height, position.width
    rows = tiles.reshape(height, width, CELL_PX, CELL_PX, 3).transpose(0, 2, 1, 3, 4)
    return np.ascontiguousarray(rows).reshape(height * CELL_PX, width * CELL_PX, 3)


@cache
def _tiles() -> _Pixels:
    """A picture of a cell for every character."""
    tiles = np.zeros((128, CELL_PX, CELL_PX, 3), dtype=np.uint8)
    for char in NUMBERS.decode() + ".F*":
        tiles[ord(char)] = _tile(char)
    return tiles


def _tile(char: str) -> _Pixels:
    tile = np.empty((CELL_PX, CELL_PX, 3), dtype=np.uint8)
    tile[:] = _rgb("line")
    tile[:-1, :-1] = _rgb(_FACES.get(char, "open"))
    if char in _GLYPHS:
        ink = np.array([[dot == "#" for dot in row] for row in _GLYPHS[char].split()])
        glyph = tile[4:11, 5:10]
        glyph[ink] = _rgb(_INKS[char])
    return tile


def _rgb(name: str) -> list[int]:
    colour = THEMES["light"][name]
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
