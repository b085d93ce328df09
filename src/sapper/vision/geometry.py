"""Find the board in a picture: its corner, pitch, rows and columns.

No prior knowledge is used. A board is an area in which the picture repeats across and down. The
distance between repetitions is the pitch, usually the same in both directions.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sapper.vision.errors import NoBoard
from sapper.vision.waves import Profile, phase, strongest

__all__ = ["Geometry", "Image", "find_geometry"]

Image = npt.NDArray[np.uint8]
"""A picture: RGB of shape (height, width, 3)."""

SMALLEST_PITCH, LARGEST_PITCH = 10, 110
_BLUR = 4
"""Blur radius. Some programs draw grey as a stipple, which would count as repeating every 2 or 4
pixels.
"""
_WEIGHTS = ((2, 3, 1), (3, -1, -2), (-2, 3, -1))
"""Weights of red, green and blue. They are unequal, so that colours of equal brightness differ; two
colours that are equal in one mixture differ in another."""
_STEP = 6 * 6 * _BLUR**2
"""Minimum change of brightness at an outline, in the units of `_slopes`."""
_GAP, _ALIKE, _NEARLY_ALIKE, _MOSTLY, _HARDLY, _HALF = 0.3, 0.5, 0.65, 0.6, 0.2, 0.5
LEAST = 4
"""Minimum number of rows and of columns of a board."""
SLENDER, _CLEARLY = 1.6, 1.5
"""Largest ratio between column and row pitch; and how much more of a picture must repeat at two
different pitches than at one for them to be accepted."""
_SAME = 0.05
"""Maximum difference in pixels between pitches measured on the same cells."""
_EVEN, _DRIFT = 0.25, 0.5
"""Maximum difference in pixels between a whole pitch and the pitch of the waves that fit best;
and, for a fractional pitch, maximum drift between them from the middle of a board to its side."""
_REACH, _PARTS = 0.6, 100
"""The share of a board over which the pitch is refined, and its largest denominator."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """The location of a board's cells in a picture.

    Attributes:
        x: Left edge of the first column, in pixels.
        y: Top edge of the first row.
        pitch: Distance between columns; fractional in programs that stretch the board to the
            available space.
        rows: Number of rows.
        columns: Number of columns.
        down: Distance between rows; None if it equals `pitch`.
    """

    x: float
    y: float
    pitch: float
    rows: int
    columns: int
    down: float | None = None

    @property
    def row_pitch(self) -> float:
        """Distance between rows."""
        return self.pitch if self.down is None else self.down

    @property
    def width(self) -> float:
        """Width of the board."""
        return self.columns * self.pitch

    @property
    def height(self) -> float:
        """Height of the board."""
        return self.rows * self.row_pitch

    @property
    def size(self) -> int:
        """Side length of a cell's square picture, in whole pixels."""
        return int(min(self.pitch, self.row_pitch) + 1e-6)

    def centre(self, row: int, col: int) -> tuple[int, int]:
        """Return the pixel (x, y) at the centre of a cell."""
        return int(self.x + (col + 0.5) * self.pitch), int(self.y + (row + 0.5) * self.row_pitch)

    def corner(self, row: int, col: int) -> tuple[int, int]:
        """Return the upper left pixel (x, y) of a cell's picture."""
        x = self.x + col * self.pitch + _margin(self.pitch, self.size)
        y = self.y + row * self.row_pitch + _margin(self.row_pitch, self.size)
        return int(x + 0.5), int(y + 0.5)

    def has_cells_of(self, other: Geometry) -> bool:
        """Return whether another board has the same size and pitch, wherever it is."""
        apart = max(abs(self.pitch - other.pitch), abs(self.row_pitch - other.row_pitch))
        same = (self.rows, self.columns) == (other.rows, other.columns)
        return same and apart < _SAME

    def covers(self, x: float, y: float) -> bool:
        """Return whether a point is on a cell."""
        return 0 <= x - self.x < self.width and 0 <= y - self.y < self.height

    def moved(self, dx: float, dy: float) -> Geometry:
        """Return the geometry shifted right and down by this many pixels."""
        return replace(self, x=self.x + dx, y=self.y + dy)

    def fits(self, image: Image) -> bool:
        """Return whether the whole board is inside the picture."""
        height, width = image.shape[:2]
        inside = self.x >= 0 and self.y >= 0
        right, below = self.x + self.width, self.y + self.height
        return inside and round(right) <= width and round(below) <= height

    def cut(self, image: Image) -> Image:
        """Return the cells' pictures, of shape (rows, columns, size, size, 3)."""
        ys = _pixels(self.y, self.rows, self.row_pitch, self.size)
        xs = _pixels(self.x, self.columns, self.pitch, self.size)
        if self.pitch == self.size == self.row_pitch:
            board = image[ys[0, 0] : ys[-1, -1] + 1, xs[0, 0] : xs[-1, -1] + 1]
        else:
            board = image[ys.ravel()].take(xs.ravel(), axis=1)
        return board.reshape(self.rows, self.size, self.columns, self.size, 3).swapaxes(1, 2)


def _margin(pitch: float, size: int) -> int:
    """Return the number of pixels before the square picture of a cell that is not square."""
    return int((pitch - size) / 2)


def _pixels(start: float, count: int, pitch: float, size: int) -> npt.NDArray[np.int64]:
    """Return the pixels of each row or column of cells, of shape (count, size)."""
    first = start + _margin(pitch, size)
    starts = np.floor(first + pitch * np.arange(count) + 0.5).astype(np.int64)
    pixels: npt.NDArray[np.int64] = starts[:, None] + np.arange(size)
    return pixels


def find_geometry(image: Image) -> Geometry:
    """Find the board in a picture.

    Takes about a third of a second for a window of 600x450 pixels. Boards do not move, so pass the
    geometry of the first reading to later ones.

    Raises:
        NoBoard: If nothing in the picture looks like a board of at least 4x4 cells.
    """
    try:
        return _find(image, _WEIGHTS[0])
    except NoBoard as problem:
        for weights in _WEIGHTS[1:]:
            with suppress(NoBoard):
                return _find(image, weights)
        raise problem from None


def _find(image: Image, weights: tuple[int, int, int]) -> Geometry:
    """Find the board from the outlines in one mixture of colours."""
    dx, dy = _slopes(image, weights)
    outline = np.abs(dx) + np.abs(dy) > _STEP
    pitches, uneven = _pitches(dx, dy, outline)
    if not uneven:
        measured = _measured(dx, dy, outline, pitches, uneven)
        if (whole := _rounded(measured)) != pitches:
            # If the column and row pitches differ by one or two pixels, both columns and rows
            # repeat at a distance in between.
            measured = _measured(dx, dy, outline, whole, uneven)
        pitches = _rounded(measured)
        uneven = not _is_confirmed(dx, dy, measured)
    if uneven:
        measured = _measured(dx, dy, outline, pitches, uneven)
        if (whole := _rounded(measured)) != pitches:
            measured = _measured(dx, dy, outline, whole, uneven)
        return _built(image, dx, dy, measured, uneven)
    board = _built(image, dx, dy, measured, uneven)
    if pitches != measured[1]:
        # With a fractional pitch, cells at the sides may be up to a pixel off.
        with suppress(NoBoard):
            nearly = _measured(dx, dy, outline, pitches, True)
            larger = _built(image, dx, dy, nearly, True)
            if larger.rows * larger.columns > board.rows * board.columns:
                return larger
    return board


def _rounded(measured: _Measured) -> tuple[int, int]:
    down, across = measured[1]
    return round(down), round(across)


def _built(image: Image, dx: _Slopes, dy: _Slopes, measured: _Measured, uneven: bool) -> Geometry:
    """Return the board with this extent and pitch, moved to its place and with all its cells."""
    board = _placed(image, *measured)
    board = _snapped(dx, dy, board) if uneven else _settled(image, board)
    board = _with_right_sides(image, board, uneven)
    # A line next to the board that happens to repeat shifts the board's centre by up to half a
    # cell.
    wider = _settled(image, board, board.size // 2)
    if uneven:
        wider = _snapped(dx, dy, wider)
    better = _oddness(image, wider) < _HALF * _oddness(image, board)
    return _with_right_sides(image, wider, uneven) if better else board


def _measured(
    dx: _Slopes, dy: _Slopes, outline: _Mask, pitches: tuple[int, int], uneven: bool
) -> _Measured:
    """Return the extent of the board, and its pitch down and across with subpixel precision."""
    down, across = pitches
    repeats = _repeats(dx, dy, outline, pitches, uneven)
    top, bottom = 0, repeats.shape[0]
    for _ in range(3):
        left, right = _extent(repeats[top:bottom].sum(axis=0), across)
        top, bottom = _extent(repeats[:, left:right].sum(axis=1), down)
    if uneven:
        extent = left, right, top, bottom
        return extent, _by_waves(dx, dy, extent, pitches)
    # Measure only inside the board, because other outlines in a large picture would be misleading.
    inside = slice(max(0, top - down), bottom + down), slice(max(0, left - across), right + across)
    dx, dy = dx[inside], dy[inside]
    rows, columns = (_finer(dx, dy, pitches[axis], axis) for axis in (0, 1))
    low, high = max(rows[0], columns[0]), min(rows[1], columns[1])
    if low <= high:
        # The cells are square within the measured precision.
        rows = columns = low, high
    return (left, right, top, bottom), (_simplest(*rows), _simplest(*columns))


def _is_confirmed(dx: _Slopes, dy: _Slopes, measured: _Measured) -> bool:
    """Return whether the outlines of a board confirm its measured pitch."""
    extent, (down, across) = measured
    left, right, top, bottom = extent
    waves = _by_waves(dx, dy, extent, _rounded(measured))
    sides = ((bottom - top, down, waves[0]), (right - left, across, waves[1]))
    confirmed = [
        abs(pitch - wave) < (_DRIFT * pitch / (side / 2) if pitch % 1 else _EVEN)
        for side, pitch, wave in sides
    ]
    # On a board that is mostly open, most outlines in one direction may be those of numbers.
    return all(confirmed) if down % 1 or across % 1 else any(confirmed)


def _placed(image: Image, extent: _Extent, pitches: tuple[float, float]) -> Geometry:
    """Return the board that fills an extent with cells of these sizes.

    Raises:
        NoBoard: If there are too few cells, or they extend beyond the picture.
    """
    left, right, top, bottom = extent
    down, across = pitches
    columns, rows = int((right - left) / across + _GAP), int((bottom - top) / down + _GAP)
    if columns < LEAST or rows < LEAST:
        raise NoBoard(f"no board found in the picture of {_size(image)} pixels")
    # The centre is correct even if a frame or the gaps between cells were counted.
    x = round((left + right + _BLUR - 1 - columns * across) / 2)
    y = round((top + bottom + _BLUR - 1 - rows * down) / 2)
    board = Geometry(x, y, float(across), rows, columns, None if down == across else float(down))
    if not board.fits(image):
        raise NoBoard(f"the picture of {_size(image)} pixels shows only part of a board")
    return board


def _slopes(
    image: Image, weights: tuple[int, int, int] = _WEIGHTS[0]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return the horizontal and vertical brightness differences of the blurred picture."""
    grey = image.astype(np.int32) @ np.array(weights, dtype=np.int32)
    sums = np.pad(grey, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    k = _BLUR
    blurred = sums[k:, k:] - sums[:-k, k:] - sums[k:, :-k] + sums[:-k, :-k]
    dx = blurred[:-1, 1:] - blurred[:-1, :-1]
    dy = blurred[1:, :-1] - blurred[:-1, :-1]
    return dx.astype(np.int32), dy.astype(np.int32)


_Slopes = npt.NDArray[np.int32]
_Mask = npt.NDArray[np.bool_]
_Extent = tuple[int, int, int, int]
_Measured = tuple[_Extent, tuple[float, float]]
"""The extent of a board, and its pitch down and across."""


def _same(dx: _Slopes, dy: _Slopes, outline: _Mask, shift: int, axis: int, uneven: bool) -> _Mask:
    """Return a mask of outline pixels that look like the pixel `shift` further along the axis."""
    size = outline.shape[axis]
    near: list[slice] = [slice(None), slice(None)]
    far = near.copy()
    near[axis], far[axis] = slice(0, size - shift), slice(shift, size)
    a, b = tuple(near), tuple(far)
    same = outline[a].copy()
    for slopes in (dx, dy):
        low, high = _nearly(slopes, axis) if uneven else (slopes, slopes)
        same &= (slopes[a] >= low[b] - _STEP // 2) & (slopes[a] <= high[b] + _STEP // 2)
    return same


def _nearly(slopes: _Slopes, axis: int) -> tuple[_Slopes, _Slopes]:
    """Return the smallest and largest slope within a pixel along the axis.

    The outlines of cells with a fractional pitch may be up to a pixel off.
    """
    slopes = np.moveaxis(slopes, axis, 0)
    low, high = slopes.copy(), slopes.copy()
    for to, by in ((np.s_[1:], np.s_[:-1]), (np.s_[:-1], np.s_[1:])):
        np.minimum(low[to], slopes[by], out=low[to])
        np.maximum(high[to], slopes[by], out=high[to])
    return np.moveaxis(low, 0, axis), np.moveaxis(high, 0, axis)


def _crossing(dx: _Slopes, dy: _Slopes, axis: int) -> _Outlines:
    """Return the outlines that cross an axis; outlines along it would match everywhere."""
    return _Outlines(dx, dy, np.abs((dy, dx)[axis]) > _STEP, axis)


class _Outlines:
    """Counts the outline pixels that look like others further along an axis.

    Few pixels are on outlines, so this is faster than `_same` on the whole picture.
    """

    def __init__(self, dx: _Slopes, dy: _Slopes, outline: _Mask, axis: int) -> None:
        # With the axis moved to the front, positions too close to the edge come last.
        self._turned = [np.ascontiguousarray(np.moveaxis(part, axis, 0)) for part in (dx, dy)]
        self._dx, self._dy = (part.ravel() for part in self._turned)
        mask = np.ascontiguousarray(np.moveaxis(outline, axis, 0))
        self._length = outline.shape[axis]
        self._line = outline.shape[1 - axis]
        self._at = np.flatnonzero(mask)
        self._here = self._dx[self._at], self._dy[self._at]

    def repeated(self, shift: int) -> int:
        """Count the pixels that look like the pixel `shift` further on."""
        count = int(np.searchsorted(self._at, (self._length - shift) * self._line))
        far = self._at[:count] + shift * self._line
        dx, dy = (here[:count] for here in self._here)
        close = np.abs(dx - self._dx[far]) <= _STEP // 2
        close &= np.abs(dy - self._dy[far]) <= _STEP // 2
        return int(np.count_nonzero(close))

    def nearly_repeated(self, shift: int) -> int:
        """Count the pixels that look like the pixel `shift` further on or one beside it."""
        count = int(np.searchsorted(self._at, (self._length - shift) * self._line))
        far = self._at[:count] + shift * self._line
        close = np.ones(count, dtype=np.bool_)
        for here, (low, high) in zip(self._here, self._bounds, strict=True):
            close &= here[:count] >= low[far] - _STEP // 2
            close &= here[:count] <= high[far] + _STEP // 2
        return int(np.count_nonzero(close))

    @cached_property
    def _bounds(self) -> list[tuple[_Slopes, _Slopes]]:
        bounds = (_nearly(slopes, 0) for slopes in self._turned)
        return [(low.ravel(), high.ravel()) for low, high in bounds]


def _pitches(dx: _Slopes, dy: _Slopes, outline: _Mask) -> tuple[tuple[int, int], bool]:
    """Return the pitch down and across at which most of the picture repeats.

    Both are equal, unless a far larger part repeats at different pitches. The second value is
    whether the pitch is fractional, so that only a multiple of it repeats exactly.
    """
    largest = min(LARGEST_PITCH, min(outline.shape) // LEAST)
    if largest < SMALLEST_PITCH:
        raise NoBoard("the picture is too small to show a board")
    shifts = range(SMALLEST_PITCH, largest + 1)
    lines = [_Outlines(dx, dy, outline, axis) for axis in (0, 1)]
    down, across = ({shift: line.repeated(shift) for shift in shifts} for line in lines)

    def both(pair: tuple[int, int]) -> int:
        return min(down.get(pair[0], 0), across.get(pair[1], 0))

    best = max(((shift, shift) for shift in shifts), key=both)
    pairs = ((d, a) for d in shifts for a in shifts if d < SLENDER * a and a < SLENDER * d)
    apart = max(pairs, key=lambda pair: down[pair[0]] * across[pair[1]])
    if both(apart) > _CLEARLY * both(best):
        best = apart
    # Twice the pitch gives fewer pairs and so fewer matches, unless the mines happen to line up.
    parts = [(best[0] // n, best[1] // n) for n in (4, 3, 2) if not (best[0] % n or best[1] % n)]
    best = next((part for part in parts if both(part) > _MOSTLY * both(best)), best)
    for n in (4, 3, 2):
        part = best[0] // n, best[1] // n
        if min(part) < SMALLEST_PITCH or not (best[0] % n and best[1] % n):
            continue
        if min(line.nearly_repeated(at) for line, at in zip(lines, part, strict=True)) > both(best):
            return part, True
    return _parted(dx, dy, best), False


def _parted(dx: _Slopes, dy: _Slopes, pitches: tuple[int, int]) -> tuple[int, int]:
    """Return the pitch down and across, given that the distances are different multiples of it."""
    parts = list[list[int]]()
    for axis, pitch in enumerate(pitches):
        lines = _crossing(dx, dy, axis)
        enough = _MOSTLY * lines.repeated(pitch)
        shifts = [pitch // n for n in (4, 3, 2, 1) if not pitch % n]
        parts.append([s for s in shifts if s >= SMALLEST_PITCH and lines.repeated(s) > enough])
    pairs = ((d, a) for d in parts[0] for a in parts[1] if max(d, a) < SLENDER * min(d, a))
    return next(pairs, pitches)


def _finer(dx: _Slopes, dy: _Slopes, pitch: int, axis: int) -> tuple[float, float]:
    """Return the lowest and highest pitch consistent with the distances of many cells.

    Cells start at whole pixels, so the most frequent distance between two cells is within half a
    pixel of the true one.
    """
    lines = _crossing(dx, dy, axis)
    low, high = pitch - 1.0, pitch + 1.0
    for cells in range(2, max(3, int(dx.shape[axis] / pitch * _REACH))):
        near = round(cells * (low + high) / 2)
        shifts = sorted(range(near - 1, near + 2), key=lambda shift: abs(shift - near))
        best = max(shifts, key=lines.repeated)
        if (best + 0.5) / cells <= low or (best - 0.5) / cells >= high:
            break
        low, high = max(low, (best - 0.5) / cells), min(high, (best + 0.5) / cells)
    return low, high


def _outlines_across(dx: _Slopes, dy: _Slopes, axis: int) -> Profile:
    """Return the strength of the outlines that cross an axis, for each pixel along that axis."""
    slopes = np.abs((dy, dx)[axis])
    profile: Profile = np.where(slopes > _STEP, slopes, 0).sum(axis=1 - axis, dtype=np.float64)
    return profile


def _by_waves(
    dx: _Slopes, dy: _Slopes, extent: _Extent, pitches: tuple[int, int]
) -> tuple[float, float]:
    """Return the pitch down and across, which may be fractional."""
    # Leave out the outer outlines, which may be those of a frame.
    left, right, top, bottom = extent
    y, x = pitches[0] // 2, pitches[1] // 2
    board = np.s_[top + y : bottom - y, left + x : right - x]
    return strongest([_outlines_across(dx[board], dy[board], axis) for axis in (0, 1)], pitches)


def _snapped(dx: _Slopes, dy: _Slopes, board: Geometry) -> Geometry:
    """Shift the board by less than half a cell, so that most outlines are between its cells."""
    top, left = max(0, int(board.y)), max(0, int(board.x))
    near = np.s_[top : int(board.y + board.height), left : int(board.x + board.width)]
    down, across = (_outlines_across(dx[near], dy[near], axis) for axis in (0, 1))
    middle = (_BLUR + 1) / 2
    return board.moved(
        phase(across, left - board.x + middle, board.pitch),
        phase(down, top - board.y + middle, board.row_pitch),
    )


def _simplest(low: float, high: float) -> float:
    """Return the fraction with the smallest denominator between two pitches.

    Most boards span a whole number of pixels, so the denominator divides the number of rows or
    columns.
    """
    middle = (low + high) / 2
    near = (round(middle * parts) / parts for parts in range(1, _PARTS))
    return next((pitch for pitch in near if low <= pitch <= high), middle)


def _repeats(
    dx: _Slopes, dy: _Slopes, outline: _Mask, pitches: tuple[int, int], uneven: bool
) -> _Mask:
    """Return a mask of pixels that repeat across and down, unlike those of long straight lines."""
    both = np.ones(outline.shape, dtype=np.bool_)
    for axis, pitch in enumerate(pitches):
        same = _same(dx, dy, outline, pitch, axis, uneven)
        room = [(0, 0), (0, 0)]
        room[axis] = (0, pitch)
        before = np.pad(same, room)
        both &= before | np.roll(before, pitch, axis=axis)
    return both


def _extent(profile: npt.NDArray[np.int64], pitch: int) -> tuple[int, int]:
    """Return the heaviest interval of a profile without a gap as wide as a cell."""
    high = np.flatnonzero(profile > max(2.0, 0.08 * float(np.percentile(profile, 95))))
    if not high.size:
        raise NoBoard("no board found: nothing in the picture repeats like cells")
    stretches = np.split(high, np.flatnonzero(np.diff(high) >= pitch) + 1)
    best = max(stretches, key=lambda at: int(profile[at].sum()))
    return int(best[0]), int(best[-1]) + 1


def _settled(image: Image, board: Geometry, reach: int | None = None) -> Geometry:
    """Shift the board by a few pixels to where the outer cells look most like the inner ones."""
    reach = board.size // 4 if reach is None else reach
    best = board
    for across in (True, False):
        # Try small shifts first, so that ties keep the board in place.
        moves = sorted(range(-reach, reach + 1), key=abs)
        places = [best.moved(m if across else 0, 0 if across else m) for m in moves]
        scores = [_strangeness(image, at, across) if at.fits(image) else np.inf for at in places]
        good = [m for m, s in zip(moves, scores, strict=True) if s <= min(scores) + 0.25]
        middle = round((min(good) + max(good)) / 2)
        best = best.moved(middle if across else 0, 0 if across else middle)
    return best


def _oddness(image: Image, at: Geometry) -> float:
    return _strangeness(image, at, True) + _strangeness(image, at, False)


def _strangeness(image: Image, at: Geometry, across: bool) -> float:
    """Return how far cells at two sides differ from the most similar ones in their line."""
    cells = at.cut(image).astype(np.int16)
    lines = cells if across else cells.swapaxes(0, 1)
    return float(np.mean([_apart(lines, side).min(axis=1).mean() for side in (0, -1)]))


def _apart(lines: npt.NDArray[np.int16], side: int) -> npt.NDArray[np.float64]:
    """Return how far the cells at one end differ from their line, in levels from 0 to 255."""
    inner = lines[:, 1:-1]
    difference: npt.NDArray[np.float64] = np.abs(inner - lines[:, side, None]).mean(axis=(2, 3, 4))
    return difference


_SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))


def _with_right_sides(image: Image, board: Geometry, uneven: bool) -> Geometry:
    """Remove outer lines that are not cells, and add lines of cells that were missed.

    A header may repeat at the pitch by chance, and lines of opened cells have faint outlines.
    """
    for dx, dy in _SIDES:
        while min(board.rows, board.columns) > LEAST:
            if _alike(image, board, dx, dy, uneven) >= _HARDLY:
                break
            board = _widened(board, dx, dy, -1)
    for dx, dy in _SIDES:
        while (wider := _widened(board, dx, dy, 1)).fits(image):
            if _alike(image, wider, dx, dy, uneven) < _MOSTLY:
                break
            board = wider
    return board


def _widened(board: Geometry, dx: int, dy: int, lines: int) -> Geometry:
    """Add lines at one side."""
    return Geometry(
        board.x - lines * board.pitch * (dx < 0),
        board.y - lines * board.row_pitch * (dy < 0),
        board.pitch,
        board.rows + lines * abs(dy),
        board.columns + lines * abs(dx),
        board.down,
    )


def _alike(image: Image, board: Geometry, dx: int, dy: int, uneven: bool) -> float:
    """Return the share of cells in the line at one side that have outlines like the other cells."""
    cells = board.cut(image).astype(np.int16)
    lines = cells if dx else cells.swapaxes(0, 1)
    side = 0 if dx + dy < 0 else -1
    across, down = np.abs(np.diff(lines, axis=3)), np.abs(np.diff(lines, axis=2))
    drawn = across.sum(axis=(2, 3, 4)) + down.sum(axis=(2, 3, 4))
    missed = np.zeros((len(lines), lines.shape[1] - 2))
    for slopes, axis in ((across, 3), (down, 2)):
        inner, outer = slopes[:, 1:-1], slopes[:, side, None]
        if not uneven:
            missed += np.abs(inner - outer).sum(axis=(2, 3, 4))
            continue
        for one, other in ((inner, outer), (outer, inner)):
            low, high = _nearly(other, axis)
            missed += (np.maximum(one - high, 0) + np.maximum(low - one, 0)).sum(axis=(2, 3, 4))
    # With a missing or shifted outline, the difference is twice as large.
    share = (missed / np.maximum(drawn[:, 1:-1], 1)).min(axis=1)
    limit = _NEARLY_ALIKE if uneven else _ALIKE
    return float(np.mean((share < limit) & (drawn[:, side] > 0)))


def _size(image: Image) -> str:
    return f"{image.shape[1]}x{image.shape[0]}"
