"""Random small positions, most of which are possible."""

from __future__ import annotations

from hypothesis import strategies as st

from sapper.position import Position
from sapper.topology import TOPOLOGIES, topology
from support.oracle import MOST_UNOPENED

__all__ = ["positions"]


@st.composite
def positions(draw: st.DrawFn, lies: int = 4) -> Position:
    """A position that is small enough for the oracle, on a board of any shape.

    It comes from a random board, so its numbers are correct. If `lies` is above 0, a number or the
    total is changed in one of `lies` positions. Flags are arbitrary, mines may be open, and the
    game may be over.
    """
    name = draw(st.sampled_from([*TOPOLOGIES]))
    shape = topology(name, draw(st.integers(1, 6)), draw(st.integers(1, 5)))
    size = shape.size
    # Examples take two bytes per cell, so they are cheap to draw and shrink to open cells.
    dense, covered = draw(st.integers(10, 160)), draw(st.integers(0, 255))
    rolls = draw(st.binary(min_size=2 * size, max_size=2 * size))
    mined = bytes(roll > 255 - dense for roll in rolls[:size])
    numbers = shape.graph.numbers(mined)
    cells = bytearray(size)
    opened = []
    for cell, roll in enumerate(rolls[size:]):
        if roll > 255 - covered and cell - len(opened) < MOST_UNOPENED:
            cells[cell] = ord("F" if roll % 4 == 3 else ".")
        else:
            cells[cell] = ord("*") if mined[cell] else ord("0") + numbers[cell]
            opened.append(cell)
    mines = draw(st.sampled_from([sum(mined), None]))
    if lies and draw(st.integers(1, lies)) == 1:
        if draw(st.booleans()) or not opened:
            mines = draw(st.integers(0, size))
        else:
            cells[draw(st.sampled_from(opened))] = ord("0") + draw(
                st.integers(0, shape.most_neighbours)
            )
    return Position(shape, bytes(cells), mines, running=draw(st.booleans()))
