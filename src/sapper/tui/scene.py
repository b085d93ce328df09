"""The contents of the board: the position, marks, chances, and mines after the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

from sapper._grid import text_of
from sapper.board import Board
from sapper.game import Game, Status
from sapper.overlays import Mark
from sapper.position import Position
from sapper.topology import Cell, Topology
from sapper.tui.cell_styles import Face

__all__ = ["Scene"]

_NO_MARK = Mark()


@dataclass(frozen=True)
class Scene:
    """One picture of a game.

    Attributes:
        shape: The shape of the board.
        chars: One character per cell; see `Face`.
        marks: Marks keyed by cell index.
        cover: Marks of an overlay keyed by cell index; None without one.
    """

    shape: Topology
    chars: str
    marks: Mapping[int, str] = field(default_factory=dict)
    cover: Mapping[int, Mark] | None = None

    @classmethod
    def of(
        cls,
        game: Game,
        marks: Mapping[int, str] | None = None,
        cover: Mapping[int, Mark] | None = None,
    ) -> Self:
        """Return the scene of a game, with the marks of an overlay."""
        visible = None if game.over else cover
        lost = game.board if game.status is Status.LOST else None
        return cls.of_position(game.position, marks, visible, lost, game.questions)

    @classmethod
    def of_position(
        cls,
        position: Position,
        marks: Mapping[int, str] | None = None,
        cover: Mapping[int, Mark] | None = None,
        lost: Board | None = None,
        questions: Iterable[Cell] = (),
    ) -> Self:
        """Return the scene of a position; after a loss, it includes the mines of the board."""
        shape = position.topology
        chars = bytearray(position.cells)
        for cell in questions:
            chars[shape.index(cell)] = ord("?")
        if lost is not None:
            _reveal(chars, lost)
        return cls(shape, text_of(chars), marks or {}, cover)

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.shape.width

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.shape.height

    @property
    def cell_width(self) -> int:
        """Characters per cell: more with an overlay, even if it currently shows no text."""
        if self.cover is None:
            return 2
        # If rows are shifted, half a cell must be a whole number of characters wide.
        return 4 if self.indents[1] else 3

    @cached_property
    def indents(self) -> tuple[float, float]:
        """Shift of even and odd rows in cells."""
        return self.shape.indent(0), self.shape.indent(1)

    def left(self, row: int) -> int:
        """Return the offset of a row's first character."""
        return round(self.indents[row % 2] * self.cell_width)

    @property
    def line_width(self) -> int:
        """Width of the longest row in characters."""
        return self.width * self.cell_width + max(self.left(0), self.left(1))

    def face(self, row: int, col: int) -> Face:
        """Return the content of one cell."""
        index = row * self.width + col
        mark = (self.cover or {}).get(index, _NO_MARK)
        return Face(
            self.chars[index],
            self.marks.get(index) or mark.tint,
            mark.text,
            mark.heat,
            self.shape.checkered and (row + col) % 2 == 1,
            self.shape.tile(row, col).mark,
        )


def _reveal(chars: bytearray, board: Board) -> None:
    """Mark the mines of a lost game, the opened mine, and wrong flags."""
    for index, mine in enumerate(board.mined):
        char = chr(chars[index])
        if char == "*":
            chars[index] = ord("X")
        elif mine and char != "F":
            chars[index] = ord("*")
        elif char == "F" and not mine:
            chars[index] = ord("x")
