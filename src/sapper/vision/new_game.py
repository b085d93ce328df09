"""Parse ways to request a new game: keys, clicks and page reloads."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.vision.geometry import Geometry, Image

__all__ = ["NewGameStep", "face_above", "parse_way"]

_FORMS = 'key K, click "TEXT", click X Y, face, corner or reload'
_HEADER, _FACE = 5.0, 0.4
"""Heights in cells of the tallest header above a board and of the smallest button in it."""
_DRAWN = 6.0
"""Minimum spread, in levels from 0 to 255, of a line of pixels that is not blank."""
_KEY = re.compile(r"[A-Za-z0-9_]+(\+[A-Za-z0-9_]+)*")
_POINT = re.compile(r"(-?\d+)[ ,]+(-?\d+)")


@dataclass(frozen=True, slots=True)
class NewGameStep:
    """One step to request a new game.

    Attributes:
        kind: ``key``, ``text``, ``point``, ``face``, ``corner`` or ``reload``.
        text: The keys, such as ``Control_L+n``, or the text to click.
        x: Pixels from the left edge of the window; from the right edge if negative.
        y: Pixels from the top edge of the window; from the bottom edge if negative.
    """

    kind: str
    text: str = ""
    x: int = 0
    y: int = 0


def parse_way(way: str) -> tuple[NewGameStep, ...]:
    """Return the steps of a way to start a game, which are joined by `` then ``.

    >>> parse_way('click "Menu" then key F2')
    (NewGameStep(kind='text', text='Menu', x=0, y=0), NewGameStep(kind='key', text='F2', x=0, y=0))

    Raises:
        BadSetting: If the text has none of these forms.
    """
    return tuple(_step(part.strip()) for part in way.split(" then "))


def _step(way: str) -> NewGameStep:
    if way in ("face", "corner", "reload"):
        return NewGameStep(way)
    kind, _, rest = way.partition(" ")
    rest = rest.strip()
    if kind == "click" and (point := _POINT.fullmatch(rest)):
        return NewGameStep("point", x=int(point[1]), y=int(point[2]))
    if kind == "click" and (text := rest.strip("\"'")):
        return NewGameStep("text", text)
    keys = rest if kind == "key" else way
    if kind != "click" and _KEY.fullmatch(keys):
        return NewGameStep("key", keys)
    raise BadSetting(f"a new game must start by {_FORMS}, got {shown(way)}")


def face_above(image: Image, at: Geometry) -> int:
    """Return the y coordinate of the button above the middle of a board, in pixels of the picture.

    In a low header, this is the middle of the header. If there is more above the board, as on a web
    page, the button is the drawing nearest to the board.
    """
    if at.y <= _HEADER * at.pitch:
        return int(at.y / 2)
    middle = at.x + at.width / 2
    top = round(at.y - _HEADER * at.pitch)
    strip = image[top : int(at.y), max(0, int(middle - at.pitch)) : int(middle + at.pitch)]
    drawn = strip.std(axis=1).max(axis=1) > _DRAWN
    edges = np.flatnonzero(np.diff(np.concatenate(([False], drawn, [False]))))
    for first, last in reversed(edges.reshape(-1, 2).tolist()):
        if last - first >= _FACE * at.pitch:
            return int(top + (first + last) // 2)
    return int(at.y - at.pitch)
