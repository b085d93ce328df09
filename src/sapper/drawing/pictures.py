"""The pictures of positions and boards, with their titles and descriptions."""

from __future__ import annotations

from typing import Final, Protocol, TypedDict, Unpack

from sapper.drawing.marks import Chances, Marks, OverlayMarks
from sapper.drawing.svg import draw
from sapper.topology import Topology

__all__ = ["MOST_SHOWN", "Options", "board_svg", "position_svg"]

MOST_SHOWN: Final = 10_000
"""Largest board that notebooks show as a picture, in cells; larger ones are shown as text."""


class Options(TypedDict, total=False):
    """Options for drawing a picture.

    Attributes:
        cell_px: Side of a cell, from 8 to 128 pixels (default: 32).
        marks: Cells by the name of their mark: ``safe``, ``mine``, ``best``, ``chosen``,
            ``ring``, ``conflict`` or ``dim``.
        chances: Chances of a mine from 0 to 1, by cell or as an array of shape (height, width) with
            nan for none; shown as text and tint on unopened cells.
        overlay: The marks of an overlay, as `sapper.overlays.marks_of` returns them; drawn on
            unopened cells in place of their chances.
        coordinates: The number of the first row and column, 0 or 1 (default: None, not drawn).
        theme: ``light`` (default), ``dark``, or another name of `THEMES`.
        title: The accessible name (default: a description of the kind of picture).
        description: The content in words (default: size, mines, opened cells and flags).
    """

    cell_px: int
    marks: Marks | None
    chances: Chances | None
    overlay: OverlayMarks | None
    coordinates: int | None
    theme: str
    title: str
    description: str


class _Position(Protocol):
    """The attributes of `sapper.Position` that a picture needs."""

    @property
    def topology(self) -> Topology: ...
    @property
    def cells(self) -> bytes: ...
    @property
    def mines(self) -> int | None: ...
    @property
    def density(self) -> float | None: ...


class _Board(Protocol):
    """The attributes of `sapper.Board` that a picture needs."""

    @property
    def topology(self) -> Topology: ...
    @property
    def cells(self) -> bytes: ...
    @property
    def mines(self) -> int: ...


def position_svg(position: _Position, **options: Unpack[Options]) -> str:
    """Return the picture of a position."""
    cells = position.cells
    covered = cells.count(b".") + cells.count(b"F")
    flags = cells.count(b"F")
    details = [
        _size(position.topology, position.mines, position.density),
        f"{len(cells) - covered} cells opened, {covered} unopened"
        + (f", {flags} of them flagged" if flags else ""),
    ]
    options.setdefault("title", "Minesweeper position")
    options.setdefault("description", f"{'; '.join(details)}.")
    return draw(position.topology, cells, **options)


def board_svg(board: _Board, **options: Unpack[Options]) -> str:
    """Return the picture of an opened board: numbers, and mines without a red background."""
    options.setdefault("title", "Minesweeper board")
    options.setdefault("description", f"{_size(board.topology, board.mines)}.")
    return draw(board.topology, board.cells, exploded=False, **options)


def _size(shape: Topology, mines: int | None, density: float | None = None) -> str:
    unknown = "unknown mine total" if density is None else f"density {density:g}"
    total = unknown if mines is None else f"{mines} mine{'' if mines == 1 else 's'}"
    return f"{shape.width}x{shape.height} cells, {total}"
