"""The placement of mines; during a game, only the dealer has it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self, Unpack

import numpy as np

from sapper import _grid, drawing
from sapper._util.arguments import expect
from sapper._util.shortening import shown
from sapper.errors import BadBoard, WrongType
from sapper.position import as_json, headers
from sapper.topology import Cell, Topology

__all__ = ["MINE", "Board", "check_board"]

MINE = "*"
_set = object.__setattr__


@dataclass(frozen=True, slots=True)
class Board:
    r"""A complete arrangement of mines.

    Attributes:
        topology: The shape of the board.
        mined: One byte per cell in row order, 1 for a mine, otherwise 0.

    >>> print(Board.parse("*1.\n11.".replace(".", "0")))
    mines: 1
    *10
    110

    Raises:
        BadBoard: If the number of cells or a value is wrong.
    """

    topology: Topology
    mined: bytes

    def __post_init__(self) -> None:
        shape = self.topology
        expect(shape, Topology, "a Topology")
        if not isinstance(self.mined, bytes):
            raise WrongType(f"mined must be bytes, got {shown(self.mined)}")
        if len(self.mined) != shape.size:
            raise BadBoard(
                f"a board of {shape.width}x{shape.height} has {shape.size} cells, "
                f"got {len(self.mined)}"
            )
        if strange := self.mined.translate(None, b"\0\1"):
            raise BadBoard(f"a cell must be 1 for a mine or 0 for none, got {strange[0]}")

    @classmethod
    def trusted(cls, topology: Topology, mined: bytes) -> Self:
        """Create a board without validation, for inner loops."""
        made = cls.__new__(cls)
        _set(made, "topology", topology)
        _set(made, "mined", mined)
        return made

    @classmethod
    def from_mines(cls, topology: Topology, mines: Iterable[tuple[int, int]]) -> Self:
        """Return a board with mines on the given cells.

        Raises:
            BadSetting: If a cell is not on the board.
        """
        expect(topology, Topology, "a Topology")
        mined = bytearray(topology.size)
        for index in topology.indices(mines):
            mined[index] = 1
        return cls(topology, bytes(mined))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text form: ``*`` for every mine, and the correct digit for every other cell.

        Raises:
            BadBoard: If the text is invalid, or a digit or the total does not match the mines.
        """
        return cls._checked(_grid.read_text(text, MINE, _grid.Known(), BadBoard))

    @classmethod
    def from_json(cls, obj: Any) -> Self:
        """Read the JSON form: ``{"width", "height", "mines", "topology", "rows"}``.

        Other keys, such as the start of a generated board, are ignored: the rows say everything.

        Raises:
            BadBoard: As for `parse`.
        """
        grid = _grid.read_json(obj, MINE, _grid.Known(), BadBoard, other_keys=True)
        return cls._checked(grid)

    @classmethod
    def _checked(cls, grid: _grid.Grid) -> Self:
        mined = bytes(char == ord(MINE) for char in grid.cells)
        board = cls(grid.topology, mined)
        if grid.mines is not None and grid.mines != board.mines:
            raise BadBoard(
                f"the header has mines: {grid.mines}, but the rows have {board.mines} mines"
            )
        for index, (said, true) in enumerate(zip(grid.cells, board.cells, strict=True)):
            if said != true:
                numbers = said - ord("0"), true - ord("0")
                raise BadBoard(
                    f"cell {grid.topology.cell(index)} shows {numbers[0]}, but has {numbers[1]} "
                    "mines around it"
                )
        return board

    @property
    def mines(self) -> int:
        """The mine total."""
        return self.mined.count(1)

    @property
    def numbers(self) -> bytes:
        """The number of mines next to each cell in row order, one byte per cell, mines included."""
        return self.topology.graph.numbers(self.mined)

    @property
    def bbbv(self) -> int:
        """The 3BV: the fewest left clicks, without chords, that open the board.

        `sapper.metrics` has the other metrics, and `sapper.metrics.measure` computes all of them.
        """
        return self.topology.graph.metrics(self.mined).bbbv

    def __getitem__(self, cell: tuple[int, int]) -> str:
        """The character of one cell in the text form: ``*`` for a mine, otherwise its number."""
        index = self.topology.index(cell)
        return MINE if self.mined[index] else _grid.DIGITS[self.numbers[index]]

    def is_mine(self, cell: tuple[int, int]) -> bool:
        """Return whether the cell is a mine."""
        return self.mined[self.topology.index(cell)] == 1

    def mine_cells(self) -> list[Cell]:
        """Return every mine in row order."""
        return [self.topology.cell(i) for i, mine in enumerate(self.mined) if mine]

    @property
    def cells(self) -> bytes:
        """One byte per cell in row order, as in a `Position` with every cell open."""
        # Avoid a loop over cells, so that games with a million cells are saved quickly.
        digits = np.frombuffer(self.numbers, np.uint8) + np.uint8(ord("0"))
        mined = np.frombuffer(self.mined, np.bool_)
        return np.where(mined, np.uint8(ord(MINE)), digits).tobytes()

    @property
    def rows(self) -> list[str]:
        """One string per row, as in the text form."""
        text, width = _grid.text_of(self.cells), self.topology.width
        return [text[at : at + width] for at in range(0, len(text), width)]

    def __str__(self) -> str:
        """Return the text form, which `parse` reads."""
        return "\n".join([*headers(self.topology, self.mines), *self.rows])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, which `from_json` reads."""
        return as_json(self.topology, self.mines, self.rows)

    def to_svg(self, **options: Unpack[drawing.Options]) -> str:
        """Return a picture of the fully opened board.

        Args:
            options: See `sapper.drawing.Options`.

        Raises:
            BadSetting: If an option is not allowed, or the board has more than 40,000 cells.
        """
        return drawing.board_svg(self, **options)

    def _repr_svg_(self) -> str | None:
        return self.to_svg() if self.topology.size <= drawing.MOST_SHOWN else None


def check_board(board: object) -> None:
    """Reject values that are not a `Board`.

    Raises:
        WrongType: A `SapperError` and a `TypeError`.
    """
    if not isinstance(board, Board):
        raise WrongType(f"expected a Board, got {shown(board)}")
