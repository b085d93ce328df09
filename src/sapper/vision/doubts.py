"""Check that a reading covers the whole board.

A cut-off, half-covered or blurred board looks like a smaller one. Its surroundings reveal it: more
cells or parts of cells next to it, or another board elsewhere in the picture.
"""

from __future__ import annotations

import numpy as np

from sapper.vision.errors import NoBoard, Unreadable
from sapper.vision.geometry import Geometry, Image, find_geometry
from sapper.vision.matching import Matcher

__all__ = ["UNSURE", "check_sides", "other_boards", "uncertain_sides"]

UNSURE = 0.75
"""Cells with a lower confidence are reported as unsure."""

_SURE = 0.5
_MIN_SHARE = 0.6
"""Minimum share of readable places for a line to count as cells."""
_FLAT = 6.0
"""Maximum spread of a flat place, in levels from 0 to 255."""
_MAX_DIFFERENCE = 24.0
"""Maximum difference between parts of similar cells, in levels from 0 to 255."""
_SIDES = {"above": (0, -1), "below": (0, 1), "left of": (-1, 0), "right of": (1, 0)}


def check_sides(image: Image, at: Geometry, matcher: Matcher) -> None:
    """Check that there are no more cells at the sides of a board.

    Raises:
        Unreadable: If there are more cells.
    """
    for name, (dx, dy) in _SIDES.items():
        line = _beyond(at, dx, dy)
        if not line.fits(image):
            continue
        looks, confidence = matcher.match(image, line)
        # A frame is flat or has only lines along the side, while the outlines of cells also run
        # across it.
        places = line.cut(image).reshape(-1, line.size, line.size, 3)
        drawn = places.std(axis=2 if dy else 1).max(axis=(1, 2)) > _FLAT
        number = np.frombuffer(looks, dtype=np.uint8) != ord("0")
        if (drawn & number & (confidence.ravel() >= _SURE)).mean() >= _MIN_SHARE:
            raise Unreadable(
                f"found a board of {at.rows} rows and {at.columns} columns, but more cells follow "
                f"{name} it"
            )


def uncertain_sides(image: Image, at: Geometry) -> list[str]:
    """Return the sides where the picture ends or further cells are partly covered."""
    return [name for name, (dx, dy) in _SIDES.items() if _cut_off(image, at, dx, dy)]


def other_boards(image: Image, at: Geometry) -> list[Geometry]:
    """Return the locations of other boards in the picture."""
    rest = image.copy()
    margin = at.size // 2
    top, left = max(0, int(at.y) - margin), max(0, int(at.x) - margin)
    bottom, right = int(at.y + at.height), int(at.x + at.width)
    rest[top : bottom + margin, left : right + margin] = 0
    if max(top, left, image.shape[0] - bottom, image.shape[1] - right) < 4 * at.size:
        return []
    try:
        other = find_geometry(rest)
    except NoBoard:
        return []
    # With a different cell size, almost anything can look like a board.
    least = 4 if abs(other.pitch - at.pitch) <= 1 else 8
    return [other] if min(other.rows, other.columns) >= least else []


def _beyond(at: Geometry, dx: int, dy: int) -> Geometry:
    """Return the line of cell-sized places next to one side of the board."""
    return Geometry(
        at.x + (at.columns * (dx > 0) - (dx < 0)) * at.pitch,
        at.y + (at.rows * (dy > 0) - (dy < 0)) * at.row_pitch,
        at.pitch,
        1 if dy else at.rows,
        1 if dx else at.columns,
        at.down,
    )


def _cut_off(image: Image, at: Geometry, dx: int, dy: int) -> bool:
    """Return whether the strip next to a side is missing or looks like edges of more cells."""
    cells = at.cut(image).astype(np.float32)
    # Everything is rotated as if it were on the left side: `lines` are the lines of cells along the
    # axis that leads out of the board.
    if dy:
        turned = np.swapaxes(image, 0, 1)
        lines, start, size = cells.transpose(1, 0, 3, 2, 4), at.y, image.shape[0]
        count, pitch = at.rows, at.row_pitch
        across = [at.corner(0, i)[0] for i in range(at.columns)]
    else:
        turned, lines, start, size = image, cells, at.x, image.shape[1]
        count, pitch = at.columns, at.pitch
        across = [at.corner(i, 0)[1] for i in range(at.rows)]
    outward = dx + dy > 0
    edge = round(start + count * pitch) if outward else round(start)
    room = size - edge if outward else edge
    if room < 3:
        return True
    depth = min(max(3, at.size // 4), room)
    beyond = slice(edge, edge + depth) if outward else slice(edge - depth, edge)
    strips = np.stack([turned[a : a + at.size, beyond] for a in across]).astype(np.float32)
    # The same part of every cell in the line, to compare the strip with.
    parts = lines[..., :depth, :] if outward else lines[..., at.size - depth :, :]
    apart = np.abs(parts - strips[:, None]).mean(axis=(2, 3, 4)).min(axis=1)
    # Lines of a frame run along the side; lines between cells run across it.
    drawn = strips.std(axis=1).max(axis=(1, 2)) > _FLAT
    return bool(((apart < _MAX_DIFFERENCE) & drawn).mean() >= _MIN_SHARE)
