"""Group cells that look alike, without knowing their meaning."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sapper.vision.geometry import Geometry, Image
from sapper.vision.theme import INSET

__all__ = ["Gallery", "Looks"]

Looks = npt.NDArray[np.int64]
"""The number of each cell's look, of shape (rows * columns,)."""

_MAX_DIFFERENCE = 6.0
"""Cells whose inner parts differ by less than this root mean square, in levels from 0 to 255, have
the same look if their edges are also alike."""
_EDGED, _EDGE = 20.0, 0.03
"""The same limit for whole cells, whose edges change slightly with their neighbours; and the share
of a cell to ignore at each side. On some pages, only its edge shows that a cell is unopened."""


class Gallery:
    """All looks seen so far, numbered, each with a picture of the first cell that had it.

    A meaning may have several looks, such as a number drawn in two ways. A look must not have two
    meanings, so only nearly identical cells share a look.

    Args:
        pitch: Size of the cells in whole pixels.
    """

    def __init__(self, pitch: int) -> None:
        self.pictures: list[Image] = []
        self._inset, self._edge = (max(1, round(pitch * part)) for part in (INSET, _EDGE))
        self._inner: list[npt.NDArray[np.float32]] = []
        self._whole: list[npt.NDArray[np.float32]] = []
        self._seen: dict[bytes, int] = {}

    def look_numbers(self, image: Image, at: Geometry) -> Looks:
        """Return the number of each cell's look in row order; new looks get new numbers."""
        cells = at.cut(image).reshape(-1, at.size, at.size, 3)
        return np.array([self._number(cell) for cell in cells], dtype=np.int64)

    def _number(self, cell: Image) -> int:
        whole = cell[self._edge : -self._edge, self._edge : -self._edge]
        key = whole.tobytes()
        if key not in self._seen:
            self._seen[key] = self._nearest(whole.astype(np.float32), cell)
        return self._seen[key]

    def _nearest(self, whole: npt.NDArray[np.float32], cell: Image) -> int:
        inner = cell[self._inset : -self._inset, self._inset : -self._inset].astype(np.float32)
        apart = [
            _apart(inner, picture) if _apart(whole, edged) < _EDGED else np.inf
            for picture, edged in zip(self._inner, self._whole, strict=True)
        ]
        if apart and min(apart) < _MAX_DIFFERENCE:
            return int(np.argmin(apart))
        self._inner.append(inner)
        self._whole.append(whole)
        self.pictures.append(np.ascontiguousarray(cell))
        return len(self._inner) - 1


def _apart(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> float:
    return float(np.sqrt(np.square(one - other).mean()))
