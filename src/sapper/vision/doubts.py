"""Whether a reading can be the whole board: what beside it in the picture speaks against that.

A board that is cut off, half covered or blurred looks like a smaller one. What was left out shows:
more cells follow, or a part of one does, or another board stands elsewhere in the picture.
"""

from __future__ import annotations

import numpy as np

from sapper.vision.errors import NoBoard, Unreadable
from sapper.vision.geometry import Geometry, Image, find_geometry
from sapper.vision.matching import Matcher

__all__ = ["UNSURE", "check_sides", "other_boards", "uncertain_sides"]

UNSURE = 0.75
"""The confidence below which a cell that was read is reported as unsure."""

_SURE = 0.5
_MOST = 0.6
"""The share of a line's cells from which the line counts as cells."""
_FLAT = 6.0
"""The spread, in levels of 0 to 255, up to which a place counts as flat."""
_CLOSE = 24.0
"""Levels of 0 to 255 by which parts of alike cells differ at most."""
_SIDES = {"above": (0, -1), "below": (0, 1), "left of": (-1, 0), "right of": (1, 0)}


def check_sides(image: Image, at: Geometry, matcher: Matcher) -> None:
    """Refuse a board beside which more cells follow.

    Raises:
        Unreadable: If they do.
    """
    for name, (dx, dy) in _SIDES.items():
        line = _beyond(at, dx, dy)
        if not line.fits(image):
            continue
        looks, confidence = matcher.match(image, line)
        # A frame is flat, or its lines run along the side; outlines of cells run across as well.
        places = line.cut(image).reshape(-1, line.size, line.size, 3)
        drawn = places.std(axis=2 if dy else 1).max(axis=(1, 2)) > _FLAT
        number = np.frombuffer(looks, dtype=np.uint8) != ord("0")
        if (drawn & number & (confidence.ravel() >= _SURE)).mean() >= _MOST:
            raise Unreadable(
                f"found a board of {at.rows} rows and {at.columns} columns, but more cells follow "
                f"{name} it"
            )


def uncertain_sides(image: Image, at: Geometry) -> list[str]:
    """Return the sides at which the picture ends, or something covers part of the next cells."""
    return [name for name, (dx, dy) in _SIDES.items() if _cut_off(image, at, dx, dy)]


def other_boards(image: Image, at: Geometry) -> list[Geometry]:
    """Return other places of boards in the picture."""
    rest = image.copy()
    margin = at.size // 2
    top, left = max(0, int(at.y) - margin), max(0, int(at.x) - margin)
    bottom, right = int(at.y + at.height), int(at.x + at.width)
    rest[top : bottom + margin, left : right + margin] = 0
    if max(top, left, image.shape[0] - bottom, image.shape[1] - right) < 4 * at.size:
        return []
    try:
        found = find_geometry(rest)
    except NoBoard:
        return []
    # Where the pitch is another one, little is needed to look like a board.
    least = 4 if abs(found.pitch - at.pitch) <= 1 else 8
    return [found] if min(found.rows, found.columns) >= least else []


def _beyond(at: Geometry, dx: int, dy: int) -> Geometry:
    """Return the line of places next to one side of the board."""
    return Geometry(
        at.x + (at.columns * (dx > 0) - (dx < 0)) * at.pitch,
        at.y + (at.rows * (dy > 0) - (dy < 0)) * at.row_pitch,
        at.pitch,
        1 if dy else at.rows,
        1 if dx else at.columns,
        at.down,
    )


def _cut_off(image: Image, at: Geometry, dx: int, dy: int) -> bool:
    """Return whether the strip next to a side looks like the edges of more cells, or is missing."""
    cells = at.cut(image).astype(np.float32)
    # Seen from the left: `lines` are lines of cells along the axis that leads out of the board.
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
    # The same part of every cell in the line.
    parts = lines[..., :depth, :] if outward else lines[..., at.size - depth :, :]
    apart = np.abs(parts - strips[:, None]).mean(axis=(2, 3, 4)).min(axis=1)
    # The lines of a frame run along the side; those between cells run across it.
    drawn = strips.std(axis=1).max(axis=(1, 2)) > _FLAT
    return bool(((apart < _CLOSE) & drawn).mean() >= _MOST)
