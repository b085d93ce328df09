"""Render the SVG pictures of this package as PNG, with NumPy alone.

Supports the elements that `sapper.drawing.svg` writes for boards and positions: rectangles,
polygons, circles and paths, with translations and scales. Text, which only chances and coordinates
need, are left out. Edges are smoothed by the distance from the middle of each pixel to the outline.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor
from typing import Final, NamedTuple
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt

from sapper.errors import BadSetting

__all__ = ["MOST_PIXELS", "png"]

MOST_PIXELS: Final = 4_000_000
"""Maximum size of a picture."""

_SVG: Final = "{http://www.w3.org/2000/svg}"
_TOKEN: Final = re.compile(r"[MLHVQTZmlhvqtz]|-?(?:\d+\.?\d*|\.\d+)")
_ARGUMENTS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "Q": 4, "T": 2, "Z": 0}
_SHAPES: Final = {
    "rect": ("x", "y", "width", "height"),
    "polygon": ("points",),
    "circle": ("cx", "cy", "r"),
    "path": ("d",),
}
"""The elements that are drawn, with the attributes that define their shapes."""
_TRANSFORM: Final = re.compile(r"(translate|scale)\(([^)]*)\)")
_CURVE: Final = np.linspace(0, 1, 9)[1:]
"""Parameters of the points that stand for a quadratic curve."""

_Point = tuple[float, float]
_Points = npt.NDArray[np.float64]
_Mask = npt.NDArray[np.float32]


class _Place(NamedTuple):
    """A translation after a scale."""

    x: float = 0.0
    y: float = 0.0
    scale: tuple[float, float] = (1.0, 1.0)

    def then(self, text: str) -> _Place:
        """Return the position inside an element with a ``transform``."""
        place = self
        for kind, numbers in _TRANSFORM.findall(text):
            values = [float(one) for one in numbers.replace(",", " ").split()]
            first, second = values[0], values[-1] if len(values) > 1 or kind == "scale" else 0.0
            sx, sy = place.scale
            if kind == "translate":
                place = place._replace(x=place.x + first * sx, y=place.y + second * sy)
            else:
                place = place._replace(scale=(sx * first, sy * second))
        return place


def png(svg: str, cell_px: int, width: int, height: int, ground: str) -> bytes:
    """Return a picture as PNG, fitted into a size with cells of whole pixels.

    Args:
        svg: A picture of this package.
        cell_px: The side of its cells.
        width: The width in pixels.
        height: The height in pixels.
        ground: The colour around the picture, as ``#rrggbb``.

    Raises:
        BadSetting: If the size is out of range.
    """
    if width < 1 or height < 1 or width * height > MOST_PIXELS:
        raise BadSetting(f"a picture has 1 to {MOST_PIXELS:,} pixels, got {width}x{height}")
    # The text was written by this program.
    root = ElementTree.fromstring(svg)
    own_w, own_h = float(root.attrib["width"]), float(root.attrib["height"])
    scale = max(1, floor(cell_px * min(width / own_w, height / own_h))) / cell_px
    left, top = (width - own_w * scale) // 2, (height - own_h * scale) // 2
    place = _Place(left, top, (scale, scale))
    canvas = np.empty((height, width, 3), np.float32)
    canvas[:] = _colour(ground)
    _draw(canvas, root, place)
    return _encoded(np.clip(canvas + 0.5, 0, 255).astype(np.uint8))


def _draw(canvas: npt.NDArray[np.float32], element: ElementTree.Element, place: _Place) -> None:
    place = place.then(element.attrib.get("transform", ""))
    for child in element:
        kind = child.tag.removeprefix(_SVG)
        if kind in ("g", "svg"):
            _draw(canvas, child, place)
        elif kind in _SHAPES:
            _draw_shape(canvas, kind, child.attrib, place)


def _draw_shape(
    canvas: npt.NDArray[np.float32], kind: str, given: dict[str, str], place: _Place
) -> None:
    place = place.then(given.get("transform", ""))
    values = tuple(given.get(name, "") for name in _SHAPES[kind])
    # Equal shapes at equal parts of a pixel share their masks, so that most cells only copy pixels.
    x, y = (round(4 * at) for at in (place.x, place.y))
    whole, part = (x // 4, y // 4), (x % 4 / 4, y % 4 / 4)
    scale = round(place.scale[0], 5), round(place.scale[1], 5)
    fill, stroke = given.get("fill", "#000000"), given.get("stroke", "none")
    opacity = float(given.get("fill-opacity", 1))
    if fill != "none":
        _paint(canvas, whole, _mask(kind, values, part, scale, None), fill, opacity)
    if stroke != "none":
        line = float(given.get("stroke-width", 1))
        _paint(canvas, whole, _mask(kind, values, part, scale, line), stroke)


def _paint(
    canvas: npt.NDArray[np.float32],
    at: tuple[int, int],
    found: tuple[int, int, _Mask],
    colour: str,
    opacity: float = 1.0,
) -> None:
    """Blend a colour into the canvas where a mask covers it."""
    left, top, mask = found
    left, top = left + at[0], top + at[1]
    height, width = canvas.shape[:2]
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(width, left + mask.shape[1]), min(height, top + mask.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    share = opacity * mask[y0 - top : y1 - top, x0 - left : x1 - left, None]
    area = canvas[y0:y1, x0:x1]
    area += share * (_colour(colour) - area)


@lru_cache(256)
def _mask(
    kind: str,
    values: tuple[str, ...],
    part: tuple[float, float],
    scale: tuple[float, float],
    line: float | None,
) -> tuple[int, int, _Mask]:
    """Return how far a shape covers each pixel, with the position of the first pixel.

    Args:
        kind: The element.
        values: Its attributes that define the shape.
        part: Its offset within a pixel.
        scale: Its scale.
        line: The width of its outline; None for its inside.
    """
    outlines = [points * scale + part for points in _outlines(kind, values)]
    half = 0.0 if line is None else line * (scale[0] + scale[1]) / 4
    every = np.concatenate(outlines)
    left, top = (floor(low - half - 1) for low in every.min(0))
    right, bottom = (ceil(high + half + 1) for high in every.max(0))
    x, y = np.meshgrid(np.arange(left, right) + 0.5, np.arange(top, bottom) + 0.5)
    distance = np.full(x.shape, np.inf)
    inside = np.zeros(x.shape, np.bool_)
    for points in outlines:
        closed = np.concatenate([points, points[:1]]) if line is None else points
        for start, end in pairwise(closed):
            inside ^= _crosses(x, y, start, end)
            np.minimum(distance, _distance(x, y, start, end), out=distance)
    signed = half - distance if line is not None else np.where(inside, distance, -distance)
    return left, top, np.clip(signed + 0.5, 0, 1).astype(np.float32)


def _distance(x: _Points, y: _Points, start: _Points, end: _Points) -> _Points:
    """Return the distance of each point from a line segment."""
    step_x, step_y = end - start
    length = step_x**2 + step_y**2
    along = ((x - start[0]) * step_x + (y - start[1]) * step_y) / (length or 1.0)
    along = np.clip(along, 0, 1)
    distance: _Points = np.hypot(x - start[0] - along * step_x, y - start[1] - along * step_y)
    return distance


def _crosses(x: _Points, y: _Points, start: _Points, end: _Points) -> npt.NDArray[np.bool_]:
    """Return whether the ray to the right of each point crosses a line segment."""
    if start[1] == end[1]:
        return np.zeros(x.shape, np.bool_)
    at = start[0] + (y - start[1]) * (end[0] - start[0]) / (end[1] - start[1])
    crossed: npt.NDArray[np.bool_] = ((start[1] > y) != (end[1] > y)) & (x < at)
    return crossed


def _outlines(kind: str, values: tuple[str, ...]) -> Iterator[_Points]:
    """Yield the outlines of a shape as points; closed ones repeat their first point."""
    if kind == "path":
        yield from _path(values[0])
        return
    if kind == "polygon":
        numbers = [float(one) for one in values[0].replace(",", " ").split()]
        points = np.array(numbers).reshape(-1, 2)
    elif kind == "circle":
        cx, cy, radius = (float(one or 0) for one in values)
        turns = np.linspace(0, 2 * np.pi, 33)[:-1]
        points = np.stack([cx + radius * np.cos(turns), cy + radius * np.sin(turns)], 1)
    else:
        x, y, width, height = (float(one or 0) for one in values)
        points = np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    yield np.concatenate([points, points[:1]])


def _path(text: str) -> Iterator[_Points]:
    """Yield the parts of a path."""
    points: list[_Point] = []
    control: _Point | None = None
    for command, numbers in _commands(text):
        at = points[-1] if points else (0.0, 0.0)
        if command in "Mm":
            if points:
                yield np.array(points)
            points = [_end(command, at, numbers)]
            control = None
        elif command in "Zz":
            points.append(points[0])
        elif command in "QqTt":
            base = at if command.islower() else (0.0, 0.0)
            end = base[0] + numbers[-2], base[1] + numbers[-1]
            if command in "Qq":
                control = base[0] + numbers[0], base[1] + numbers[1]
            else:
                # A smooth curve mirrors the last control point.
                control = (
                    at if control is None else (2 * at[0] - control[0], 2 * at[1] - control[1])
                )
            points += _curve(at, control, end)
        else:
            points.append(_end(command, at, numbers))
            control = None
    yield np.array(points)


def _commands(text: str) -> Iterator[tuple[str, list[float]]]:
    """Yield the commands of a path with their numbers; a repeated name may be left out."""
    tokens, at, command = _TOKEN.findall(text), 0, ""
    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
        count = _ARGUMENTS[command.upper()]
        yield command, [float(one) for one in tokens[at : at + count]]
        at += count
        command = {"M": "L", "m": "l"}.get(command, command)


def _end(command: str, at: _Point, numbers: list[float]) -> _Point:
    """Return the end of a straight line or a move."""
    x, y = at if command.islower() else (0.0, 0.0)
    if command in "Hh":
        return x + numbers[0], at[1]
    if command in "Vv":
        return at[0], y + numbers[0]
    return x + numbers[0], y + numbers[1]


def _curve(start: _Point, control: _Point, end: _Point) -> list[_Point]:
    """Return points on a quadratic curve, without its start."""
    first, middle, last = (1 - _CURVE) ** 2, 2 * _CURVE * (1 - _CURVE), _CURVE**2
    x, y = (
        first * one + middle * other + last * final
        for one, other, final in zip(start, control, end, strict=True)
    )
    return [(float(one), float(other)) for one, other in zip(x, y, strict=True)]


def _colour(text: str) -> _Mask:
    """Return the red, green and blue of a colour as ``#rrggbb``."""
    return np.array([int(text[at : at + 2], 16) for at in (1, 3, 5)], np.float32)


def _encoded(pixels: npt.NDArray[np.uint8]) -> bytes:
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
