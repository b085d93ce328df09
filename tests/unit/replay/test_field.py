"""The field on which a replay is played."""

from __future__ import annotations

from sapper.board import Board
from sapper.replay.field import Field
from sapper.topology import topology


def test_a_number_above_eight_is_chorded() -> None:
    """A number on a triangle may be as high as twelve; this one is nine."""
    shape = topology("triangle", 7, 5)
    middle = shape.index((2, 3))
    around = list(shape.graph.neighbours(middle))
    assert len(around) == 12
    mined = bytearray(shape.size)
    for cell in around[:9]:
        mined[cell] = 1
    field = Field(Board(shape, bytes(mined)))
    field.click(middle)
    for cell in around[:9]:
        field.toggle_flag(cell)
    assert field.chord(middle)
    assert not any(map(field.is_unopened, around[9:]))
