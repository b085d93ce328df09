"""Read a position from a picture in one call."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from sapper._util.shortening import joined
from sapper.position import EXPLODED, FLAGGED, UNOPENED, Position
from sapper.topology import Cell, topology
from sapper.vision.doubts import UNSURE, check_sides, other_boards, uncertain_sides
from sapper.vision.errors import Cause, Contradictory, Unreadable
from sapper.vision.geometry import Geometry, Image, find_geometry
from sapper.vision.looks import ENDING, to_cells
from sapper.vision.matching import Matcher
from sapper.vision.theme import Theme, load_theme, themes
from sapper.vision.total_display import read_total

__all__ = ["SURE", "Reading", "read"]

SURE = 0.5
"""Minimum confidence of a cell that counts as read."""


@dataclass(frozen=True, eq=False)
class Reading:
    """The cells read from a picture of a board.

    Attributes:
        looks: One character of `sapper.vision.LOOKS` per cell, in row order.
        confidence: The confidence of each cell, from 0 to 1, of shape (rows, columns).
        geometry: The location of the cells in the picture.
        theme: Name of the theme that read the board.
        mines: The mine total, from the picture or the caller; None if unknown.
        cut_off: The sides where cells may be missing, because the picture ends there or something
            covers them. This is determined only if the board had to be located.
        others: Locations of other boards in the picture, which were not read.
    """

    looks: bytes
    confidence: npt.NDArray[np.float64] = field(repr=False)
    geometry: Geometry
    theme: str
    mines: int | None = None
    cut_off: tuple[str, ...] = ()
    others: tuple[Geometry, ...] = ()

    @property
    def lowest_confidence(self) -> float:
        """The lowest confidence of any cell."""
        return float(self.confidence.min())

    @property
    def unsure(self) -> int:
        """Number of cells read with a confidence below 0.75."""
        return int((self.confidence < UNSURE).sum())

    @property
    def doubts(self) -> list[str]:
        """Reasons to check the picture before trusting the position; empty if there are none."""
        reasons = []
        if self.unsure:
            reasons.append(
                f"{self.unsure} of {len(self.looks)} cells are unsure "
                f"(lowest confidence {self.lowest_confidence:.2f})"
            )
        if self.cut_off:
            reasons.append(f"cells may be missing {', '.join(self.cut_off)} the board")
        for at in self.others:
            reasons.append(
                f"the picture shows another board, of {at.rows} rows and {at.columns} columns "
                f"at x={at.x:.0f}, y={at.y:.0f}, which was not read"
            )
        return reasons

    @cached_property
    def unreadable(self) -> tuple[Cell, ...]:
        """Cells that were not read with certainty, least certain first."""
        flat = self.confidence.ravel()
        order = np.argsort(flat, kind="stable")
        doubtful = order[: int((flat < SURE).sum())]
        return tuple(Cell(*divmod(int(i), self.geometry.columns)) for i in doubtful)

    @property
    def position(self) -> Position:
        """The position as a player sees it.

        Raises:
            Unreadable: If a cell was not read with certainty, or a number exceeds the count of
                unopened cells and mines around it; nothing is guessed.
        """
        if self.unreadable:
            raise Unreadable(
                f"{len(self.unreadable)} of {len(self.looks)} cells do not match "
                f"theme {self.theme!r}: {joined(self.unreadable)}",
                self.unreadable,
            )
        shape = topology("rectangle", self.geometry.columns, self.geometry.rows)
        position = Position(shape, to_cells(self.looks), self.mines)
        if wrong := _impossible(position):
            raise Contradictory(
                f"{len(wrong)} numbers cannot be right with theme {self.theme!r}: {joined(wrong)}",
                wrong,
            )
        return position

    @property
    def shows_mines(self) -> bool:
        """Whether a mine or a wrong flag is visible, which happens only in a lost game."""
        flat = self.confidence.ravel()
        ending = ENDING.encode()
        return any(look in ending and flat[i] >= SURE for i, look in enumerate(self.looks))


def read(
    image: Image,
    theme: Theme | str | None = None,
    geometry: Geometry | None = None,
    mines: int | None = None,
) -> Reading:
    """Read the board in a picture.

    Args:
        image: RGB of shape (height, width, 3), 8 bits each.
        theme: The program's theme: a `Theme` or its name; None detects it.
        geometry: Location of the board from an earlier reading; None searches for it.
        mines: The mine total, if known. Otherwise it is read from a picture of an entire window, if
            the theme describes the program's display.

    Raises:
        NoBoard: If there is no board in the picture.
        Unreadable: If no theme fits, or there are more cells next to the located board.
    """
    board = find_geometry(image) if geometry is None else geometry
    if isinstance(theme, str):
        theme = _loaded(theme)
    if theme is None:
        matcher, place = _best(image, board)
    else:
        matcher = _matcher(theme, board.size)
        place = _fit(image, board, matcher) if geometry is None else board
    if geometry is None:
        board = place
    looks, confidence = matcher.match(image, board)
    cut_off, others = list[str](), list[Geometry]()
    if geometry is None:
        check_sides(image, board, matcher)
        cut_off, others = uncertain_sides(image, board), other_boards(image, board)
    how = matcher.theme.total
    if mines is None and geometry is None and how is not None:
        mines = read_total(image, board, how, looks)
    name = matcher.theme.name
    return Reading(looks, confidence, board, name, mines, tuple(cut_off), tuple(others))


def _impossible(position: Position) -> tuple[Cell, ...]:
    """Return the numbers that contradict the cells around them."""
    cells, shape = position.cells, position.topology
    wrong = []
    for at, char in enumerate(cells):
        if char in b"012345678":
            around = [cells[near] for near in shape.graph.neighbours(at)]
            mines = around.count(ord(EXPLODED))
            covered = around.count(ord(UNOPENED)) + around.count(ord(FLAGGED))
            if not mines <= char - ord("0") <= mines + covered:
                wrong.append(shape.cell(at))
    return tuple(wrong)


_loaded = lru_cache(maxsize=32)(load_theme)


@lru_cache(maxsize=32)
def _matcher(theme: Theme, pitch: int) -> Matcher:
    return Matcher(theme, pitch)


def _best(image: Image, board: Geometry) -> tuple[Matcher, Geometry]:
    """Return the theme that reads the most cells, and the board's location for it."""
    matchers = [_matcher(_loaded(name), board.size) for name in themes()]
    for far in (False, True):
        fits = [_fit_near(image, board, matcher, far=far) for matcher in matchers]
        best = max(range(len(fits)), key=lambda index: fits[index][:2])
        if fits[best][0] >= SURE:
            place = _fit(image, board, matchers[best]) if far else fits[best][2]
            return matchers[best], place
    size = f"{board.columns}x{board.rows}"
    raise Unreadable(
        f"found a board of {size} cells, but no theme matches it", cause=Cause.NO_THEME
    )


def _fit(image: Image, board: Geometry, matcher: Matcher) -> Geometry:
    """Return the location of the board at which a theme fits best."""
    near = _fit_near(image, board, matcher)
    # Open cells along an edge have faint outlines, so the located board may be off by a few pixels.
    if near[0] >= SURE:
        return near[2]
    far = _fit_near(image, board, matcher, far=True)
    if far[0] >= SURE:
        far = _fit_near(image, _trimmed(image, far[2], matcher), matcher)
    return max(near, far, key=lambda fit: fit[:2])[2]


def _trimmed(image: Image, board: Geometry, matcher: Matcher) -> Geometry:
    """Remove outer lines without any readable cell.

    A board located with an offset may have one such line, for example from the header above it.
    """
    _, confidence = matcher.match(image, board)
    read = confidence >= SURE
    rows = np.flatnonzero(read.any(axis=1)).tolist()
    columns = np.flatnonzero(read.any(axis=0)).tolist()
    return Geometry(
        board.x + columns[0] * board.pitch,
        board.y + rows[0] * board.row_pitch,
        board.pitch,
        rows[-1] - rows[0] + 1,
        columns[-1] - columns[0] + 1,
        board.down,
    )


def _fit_near(
    image: Image, board: Geometry, matcher: Matcher, *, far: bool = False
) -> tuple[float, float, Geometry]:
    """Return the share of readable cells, the negative misfit, and the board's location."""
    at, misfit = matcher.aligned(image, board, far=far)
    looks, confidence = matcher.match(image, at)
    # An empty picture would be read as a board of open cells.
    share = 0.0 if set(looks) == {ord("0")} else float((confidence >= SURE).mean())
    return share, -misfit, at
