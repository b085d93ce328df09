"""The cells of each topology, and their neighbours."""

import copy
import gc
import pickle
import weakref
from itertools import pairwise
from math import hypot
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper.errors import BadSetting
from sapper.topology import (
    MAX_CELLS,
    TOPOLOGIES,
    Cell,
    Rectangle,
    Topology,
    Torus,
    tiling,
    topology,
)

SHAPES = st.builds(
    topology, st.sampled_from(sorted(TOPOLOGIES)), st.integers(1, 7), st.integers(1, 7)
)


@given(SHAPES)
def test_touching_is_symmetric_and_irreflexive(shape: Topology) -> None:
    """Cells that touch list each other as neighbours, once."""
    around = {cell: list(shape.neighbours(cell)) for cell in shape.cells()}
    for cell, others in around.items():
        assert cell not in others
        assert len(set(others)) == len(others)
        assert all(cell in around[other] for other in others)


@given(SHAPES)
def test_adjacency_and_graph_match_neighbours(shape: Topology) -> None:
    """The vectorised and native forms match the readable one."""
    offsets, indices = shape.adjacency()
    assert len(shape.graph) == shape.size
    for i, cell in enumerate(shape.cells()):
        expected = sorted(map(shape.index, shape.neighbours(cell)))
        assert indices[offsets[i] : offsets[i + 1]].tolist() == expected
        assert shape.graph.neighbours(i) == expected


@given(SHAPES)
def test_index_and_cell_are_inverse(shape: Topology) -> None:
    """Cells are numbered in row order, and each number leads back to its cell."""
    assert [shape.index(cell) for cell in shape.cells()] == list(range(shape.size))
    assert [shape.cell(i) for i in range(shape.size)] == list(shape.cells())


@pytest.mark.parametrize("side", [3, 400])
def test_cells_at_indices_match_on_small_and_large_boards(side: int) -> None:
    """Large boards have no lookup table for cells."""
    shape = Rectangle(side, side)
    found = shape.cells_at([0, 5, shape.size - 1])
    assert found == {Cell(0, 0), shape.cell(5), Cell(side - 1, side - 1)}
    assert shape.cells_at([]) == frozenset()


def test_a_rectangle_has_corners_and_edges() -> None:
    """A corner cell has three neighbours, an edge cell five, an inner cell eight."""
    shape = Rectangle(5, 4)
    assert shape.neighbours((0, 0)) == ((0, 1), (1, 0), (1, 1))
    assert len(shape.neighbours((0, 2))) == 5
    assert len(shape.neighbours((1, 1))) == 8


def test_torus_has_no_edges() -> None:
    """Every cell has eight neighbours, including those across the edges."""
    shape = Torus(5, 4)
    assert all(len(shape.neighbours(cell)) == 8 for cell in shape.cells())
    assert (3, 4) in shape.neighbours((0, 0))


@pytest.mark.parametrize(
    ("width", "height", "degree"), [(1, 1, 0), (2, 1, 1), (2, 2, 3), (3, 1, 2)]
)
def test_a_narrow_torus_counts_each_neighbour_once(width: int, height: int, degree: int) -> None:
    """A neighbour reached in two ways is counted once."""
    shape = Torus(width, height)
    assert {len(shape.neighbours(cell)) for cell in shape.cells()} == {degree}


@pytest.mark.parametrize("name", sorted(TOPOLOGIES))
def test_neighbours_are_cached(name: str) -> None:
    """[#34] Neighbours were computed on every call, which was the main cost of simple bots."""
    shape = topology(name, 6, 4)
    for cell in shape.cells():
        around = shape.neighbours(cell)
        assert isinstance(around, tuple)
        assert shape.neighbours(cell) is around
        # A cached result must not be returned for an invalid cell.
        with pytest.raises(BadSetting, match=r"a cell is \(row, col\)"):
            shape.neighbours((float(cell.row), float(cell.col)))  # type: ignore[arg-type]


def test_neighbour_cache_is_bounded() -> None:
    """Visitors who choose thousands of sizes must not exhaust a server's memory."""
    first = Rectangle(9, 9)
    around = first.neighbours((4, 4))
    others = [Rectangle(side, side) for side in range(1, 40)]
    for shape in others:
        shape.neighbours((0, 0))
    assert sum(shape._known is not None for shape in (first, *others)) == tiling._KEPT
    assert first.neighbours((4, 4)) == around
    large = Rectangle(400, 400)
    assert large.neighbours((0, 0)) == ((0, 1), (1, 0), (1, 1))
    assert large._known is None


def test_unused_board_is_freed() -> None:
    """The cache does not keep boards alive."""
    shape = Torus(8, 8)
    shape.neighbours((0, 0))
    gone = weakref.ref(shape)
    del shape
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (2, 0), (0, 3)])
@pytest.mark.parametrize("name", sorted(TOPOLOGIES))
def test_cell_off_the_board_is_rejected(name: str, cell: tuple[int, int]) -> None:
    """Negative indices do not count from the end, not even on a torus."""
    shape = topology(name, 3, 2)
    with pytest.raises(BadSetting, match=r"no cell \(-?\d, -?\d\)"):
        shape.index(cell)
    with pytest.raises(BadSetting):
        shape.neighbours(cell)


@pytest.mark.parametrize(("width", "height"), [(0, 3), (3, 0), (-1, 3), (2.0, 3), ("3", 3)])
def test_invalid_sizes_are_rejected(width: int, height: int) -> None:
    """A board has at least one row and one column, both integers."""
    with pytest.raises(BadSetting, match="at least one row"):
        Rectangle(width, height)


def test_a_size_cannot_be_changed() -> None:
    """[#17] A change affected all positions with that size."""
    shape = topology("rectangle", 9, 9)
    for name in ("width", "height"):
        with pytest.raises(AttributeError, match=f"the {name} of a topology cannot be changed"):
            setattr(shape, name, 3)
    assert shape == Rectangle(9, 9)


def test_float_size_is_rejected_even_if_cached() -> None:
    """A cached 9x9 board is not returned for 9.0x9."""
    topology("rectangle", 9, 9)
    with pytest.raises(BadSetting, match=r"got 9\.0x9"):
        topology("rectangle", 9.0, 9)  # type: ignore[arg-type]


def test_too_large_boards_are_rejected() -> None:
    """The message states the number of cells and the limit."""
    with pytest.raises(BadSetting, match=f"10000000 cells; the maximum is {MAX_CELLS}"):
        topology("rectangle", 10_000, 1000)


def test_unknown_shape_error_lists_known_ones() -> None:
    """The message repeats the name and lists the known ones."""
    with pytest.raises(BadSetting, match=r"'cube'.*rectangle, torus"):
        topology("cube", 3, 3)


def test_shapes_are_equal_by_class_and_size() -> None:
    """Equal shapes have equal hashes; a torus is not a rectangle, and 3x4 is not 4x3."""
    assert Rectangle(3, 4) == topology("rectangle", 3, 4)
    assert hash(Rectangle(3, 4)) == hash(Rectangle(3, 4))
    assert Rectangle(3, 4) != Torus(3, 4)
    assert Rectangle(3, 4) != Rectangle(4, 3)
    assert Rectangle(3, 4) != "3x4"


@pytest.mark.parametrize("name", sorted(TOPOLOGIES))
def test_shapes_can_be_pickled(name: str) -> None:
    """Pickles and copies return the shared shape, including its native form."""
    shape = topology(name, 5, 4)
    assert shape.graph.neighbours(0)
    assert pickle.loads(pickle.dumps(shape)) is shape
    assert copy.deepcopy(shape) is shape
    assert topology(name, 5, 4) is shape


@given(SHAPES, st.randoms(use_true_random=False))
def test_adjacent_cells_match_neighbours(shape: Topology, random: Random) -> None:
    """The vectorised form agrees with the neighbour lists."""
    chosen = [random.random() < 0.3 for _ in range(shape.size)]
    expected = [any(chosen[near] for near in shape.graph.neighbours(i)) for i in range(shape.size)]
    assert shape.beside(np.array(chosen)).tolist() == expected


@given(SHAPES)
def test_cells_are_drawn_side_by_side(shape: Topology) -> None:
    """Outlines stay inside the drawing, contain their centres, and cover the total area."""
    width, height = shape.extent
    for cell in shape.cells():
        tile, (left, top) = shape.tile(*cell), shape.place(*cell)
        x, y = tile.middle
        for (ax, ay), (bx, by) in pairwise([*tile.outline, tile.outline[0]]):
            assert -1e-9 <= left + ax <= width + 1e-9
            assert -1e-9 <= top + ay <= height + 1e-9
            # A circle around the centre touches every side, and the sides run clockwise.
            distance = ((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / hypot(bx - ax, by - ay)
            assert distance == pytest.approx(-tile.radius)


@given(SHAPES)
def test_cells_whose_outlines_share_a_corner_are_neighbours(shape: Topology) -> None:
    """Neighbours share a corner of their outlines, except across a seam."""
    corners = {
        cell: {
            (round(x + shape.place(*cell)[0], 6), round(y + shape.place(*cell)[1], 6))
            for x, y in shape.tile(*cell).outline
        }
        for cell in shape.cells()
    }
    for cell in shape.cells():
        touching = {other for other in corners if other != cell and corners[other] & corners[cell]}
        near = set(shape.neighbours(cell))
        assert touching <= near
        if not any(shape.wraps):
            assert touching == near


def test_a_new_shape_is_one_class_with_one_method() -> None:
    """A shape whose cells touch only at their sides needs no other code."""

    class Sides(Topology):
        name = "sides"

        def neighbours(self, cell: tuple[int, int]) -> list[Cell]:
            row, col = cell
            near = [(row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)]
            return [Cell(r, c) for r, c in near if 0 <= r < self.height and 0 <= c < self.width]

    shape = Sides(3, 3)
    assert shape.graph.neighbours(4) == [1, 3, 5, 7]
    assert np.frombuffer(shape.graph.numbers(bytes([1] * 9)), np.uint8).tolist() == [
        *(2, 3, 2),
        *(3, 4, 3),
        *(2, 3, 2),
    ]


def test_a_cell_is_a_tuple() -> None:
    """Plain tuples are accepted everywhere, and a cell is printed as a tuple."""
    assert Cell(2, 3) == (2, 3)
    assert str(Cell(2, 3)) == "(2, 3)"


@pytest.mark.parametrize(
    ("name", "said"), [("x" * 1000, "'x{77}…';"), (["torus"], r"\['torus'\];")]
)
def test_unknown_shape_error_is_short(name: Any, said: str) -> None:
    """The error is short however long the name is."""
    with pytest.raises(BadSetting, match=f"^unknown topology {said} choose from: rectangle"):
        topology(name, 3, 3)
