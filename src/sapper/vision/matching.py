"""Recognise the look of a cell from its picture, with a confidence."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.vision.geometry import Geometry, Image
from sapper.vision.images import resized
from sapper.vision.looks import LOOKS
from sapper.vision.theme import TOLERANCE, Theme

__all__ = ["Matcher"]

_SCALED = 2.5
"""Factor of additional tolerance for scaled pictures."""
_CLEAR = 0.9
_NEAR = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0)]
_AWAY = 2.0
_CACHE_SIZE = 20_000
_SAMPLE, _LARGE_SAMPLE = 24, 200
_FITS, _OTHER, _TIE = TOLERANCE, 3 * TOLERANCE, 0.05
"""In levels: the typical misfit up to which a place is examined closely, the misfit of a cell with
another look, and a part of `_AWAY` that decides between places that fit equally well."""

Vectors = npt.NDArray[np.float32]


class Matcher:
    """Recognises looks by comparing cells with a theme's pictures.

    Results are cached by the bytes of cells, so reading the same board again is cheap.

    Args:
        theme: The theme with the pictures to compare.
        pitch: Size of the cells in pixels; pictures of another size are scaled.
    """

    def __init__(self, theme: Theme, pitch: int) -> None:
        looks, cells, tolerances = _pictures(theme, pitch)
        self.theme = theme
        self._pitch = pitch
        # Leave at least one pixel, so that cells can also be compared when shifted by one.
        self._inset = max(1, round(pitch * theme.inset))
        self._codes = np.frombuffer(looks.encode(), dtype=np.uint8)
        self._pictures = self._vectors(cells)
        side = self._pitch - 2 * self._inset
        self._coarse = _Halves(self._pictures.reshape(-1, side, side, 3)).at(0, 0, side)
        self._tolerances = tolerances
        self._cache: dict[bytes, tuple[int, float]] = {}

    def match(self, image: Image, at: Geometry) -> tuple[bytes, npt.NDArray[np.float64]]:
        """Return the look and confidence of every cell, of shape (rows, columns)."""
        cells = at.cut(image)
        flat = np.ascontiguousarray(cells).reshape(at.rows * at.columns, -1)
        keys = [row.tobytes() for row in flat]
        unseen = {key: i for i, key in enumerate(keys) if key not in self._cache}
        if unseen:
            if len(self._cache) > _CACHE_SIZE:
                self._cache.clear()
                unseen = {key: i for i, key in enumerate(keys)}
            new = cells.reshape(-1, *cells.shape[2:])[list(unseen.values())]
            self._cache.update(zip(unseen, self._match_cells(new), strict=True))
        matches = [self._cache[key] for key in keys]
        confidence = np.array([sure for _, sure in matches]).reshape(at.rows, at.columns)
        return bytes(code for code, _ in matches), confidence

    def _match_cells(self, cells: Image) -> list[tuple[int, float]]:
        """Return the look of each cell and its confidence.

        A cell that does not fit at its expected place is also compared at a shift of one pixel.
        """
        codes, sure = self._compare(self._vectors(cells))
        doubtful = np.flatnonzero(sure < _CLEAR)
        for dy, dx in _NEAR if doubtful.size else ():
            shifted, better = self._compare(self._vectors(cells[doubtful], dy, dx))
            win = better > sure[doubtful]
            codes[doubtful[win]], sure[doubtful[win]] = shifted[win], better[win]
        return list(zip(codes.tolist(), sure.tolist(), strict=True))

    def aligned(
        self, image: Image, board: Geometry, *, far: bool = False
    ) -> tuple[Geometry, float]:
        """Return the geometry shifted for the best fit, and the remaining misfit.

        The misfit is the difference for a typical cell, in levels from 0 to 255. The shift is a few
        pixels or, with `far`, up to half a cell.
        """
        reach = max(2, board.size // (2 if far else 8))
        moves = [(dy, dx) for dy in range(-reach, reach + 1) for dx in range(-reach, reach + 1)]
        places = [board.moved(dx, dy) for dy, dx in moves]
        cells = self._with_margin(image, board, reach, _SAMPLE)
        scores = [
            float(np.median(self._misfits(cells, dy + reach, dx + reach)))
            if at.fits(image)
            else np.inf
            for (dy, dx), at in zip(moves, places, strict=True)
        ]
        # A fresh board looks almost the same when shifted a little, so only digits are decisive.
        away = [_AWAY * (abs(dy) + abs(dx)) for dy, dx in moves]
        best = int(np.argmin(np.add(scores, away)))
        if scores[best] > _FITS:
            return places[best], float(scores[best])
        # On a mostly open board, the typical cell is empty and fits in many places.
        alike = [i for i, score in enumerate(scores) if score <= scores[best] + _AWAY]
        cells = self._with_margin(image, board, reach, _LARGE_SAMPLE)
        means = []
        for i in alike:
            top, left = (reach + shift for shift in moves[i])
            misfits = np.minimum(self._misfits(cells, top, left), _OTHER)
            means.append(misfits.mean() + _TIE * away[i])
        best = alike[int(np.argmin(means))]
        return places[best], float(scores[best])

    def _with_margin(self, image: Image, board: Geometry, margin: int, sample: int) -> _Halves:
        """Return the inner parts of a sample of cells, each with a margin of this many pixels."""
        step = max(1, board.rows * board.columns // sample)
        padded = np.pad(image, ((margin, margin), (margin, margin), (0, 0)))
        side = self._pitch - 2 * self._inset + 2 * margin
        cells = []
        for index in range(step // 2, board.rows * board.columns, step):
            x, y = board.corner(*divmod(index, board.columns))
            top, left = y + self._inset, x + self._inset
            cells.append(padded[top : top + side, left : left + side])
        return _Halves(np.stack(cells))

    def _misfits(self, cells: _Halves, top: int, left: int) -> npt.NDArray[np.float64]:
        """Return each cell's distance, at a given shift, to the most similar picture."""
        side = self._pitch - 2 * self._inset
        apart = self._distances(cells.at(top, left, side), self._coarse)
        nearest: npt.NDArray[np.float64] = apart.min(axis=1)
        return nearest

    def _compare(self, cells: Vectors) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
        """Return the nearest look of each cell, and its margin over the second nearest."""
        # Distances are in units of the tolerance, so that scaled pictures can be compared with
        # others.
        apart = self._distances(cells, self._pictures) / self._tolerances
        codes = np.frombuffer(LOOKS.encode(), dtype=np.uint8)
        by_look = np.full((len(cells), len(codes)), np.inf)
        # A look may have several pictures; only pictures of other looks can be confused with it.
        for i, code in enumerate(codes):
            mine = self._codes == code
            if mine.any():
                by_look[:, i] = apart[:, mine].min(axis=1)
        order = np.argsort(by_look, axis=1)
        rows = np.arange(len(cells))
        nearest, second = by_look[rows, order[:, 0]], by_look[rows, order[:, 1]]
        sure = np.where(nearest <= 1, 1 - nearest / np.clip(second, 1e-9, 2.0), 0.0)
        return codes[order[:, 0]], np.clip(sure, 0.0, 1.0)

    @staticmethod
    def _distances(cells: Vectors, pictures: Vectors) -> npt.NDArray[np.float64]:
        """Return root mean square differences, of shape (cells, pictures)."""
        squares = np.square(cells).sum(axis=1)[:, None] + np.square(pictures).sum(axis=1)
        apart = np.maximum(squares - 2 * (cells @ pictures.T), 0).astype(np.float64)
        distances: npt.NDArray[np.float64] = np.sqrt(apart / cells.shape[1])
        return distances

    def _vectors(self, cells: Image, dy: int = 0, dx: int = 0) -> Vectors:
        """Return the inner parts of cells, shifted right and down by a few pixels."""
        first, last = self._inset, self._pitch - self._inset
        inner = cells[..., first + dy : last + dy, first + dx : last + dx, :]
        return np.ascontiguousarray(inner).reshape(-1, (last - first) ** 2 * 3).astype(np.float32)


class _Halves:
    """Parts of pictures at half their size, which is enough to locate cells.

    Pixels are averaged. Keeping only every second pixel would lose half of all thin lines, and a
    misplaced open cell would look like one in the right place.

    Args:
        pictures: The pictures, of shape (count, height, width, 3).
    """

    def __init__(self, pictures: npt.NDArray[Any]) -> None:
        self._pixels = np.pad(
            pictures.astype(np.float32), ((0, 0), (0, 1), (0, 1), (0, 0)), mode="edge"
        )
        self._tall = self._pixels[:, :-1] + self._pixels[:, 1:]
        self._wide = self._pixels[:, :, :-1] + self._pixels[:, :, 1:]
        self._squares = self._tall[:, :, :-1] + self._tall[:, :, 1:]

    def at(self, top: int, left: int, side: int) -> Vectors:
        """Return a square part of each picture as a vector."""
        bottom, right = top + side, left + side
        sums = self._squares[:, top:bottom:2, left:right:2].copy()
        if side % 2:
            # The last row and column have no neighbour beyond them, so they count twice.
            sums[:, :, -1] = 2 * self._tall[:, top:bottom:2, right - 1]
            sums[:, -1] = 2 * self._wide[:, bottom - 1, left:right:2]
            sums[:, -1, -1] = 4 * self._pixels[:, bottom - 1, right - 1]
        sums /= 4
        return sums.reshape(len(sums), -1)


def _pictures(theme: Theme, pitch: int) -> tuple[str, Image, npt.NDArray[np.float64]]:
    """Return the looks, their pictures at the pitch, and the tolerance of each.

    They come from the sheet with the nearest pitch; missing ones come from the next nearest.
    """
    looks, cells, tolerances = "", [], []
    for sheet in sorted(theme.sheets, key=lambda s: (abs(s.pitch - pitch), -s.pitch)):
        scaled = sheet.pitch != pitch
        present = set(looks)
        for look, cell in zip(sheet.looks, sheet.cells, strict=True):
            if look in present:
                continue
            picture = np.ascontiguousarray(cell)
            looks += look
            cells.append(resized(picture, pitch, pitch) if scaled else picture)
            tolerances.append(theme.tolerance * (_SCALED if scaled else 1.0))
    return looks, np.stack(cells), np.array(tolerances)
