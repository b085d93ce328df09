"""Random boards fit, are uniform, and are reproducible from their seed."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper.errors import BadSetting, InconsistentPosition
from sapper.position import Position
from sapper.solver import sample
from sapper.topology import Cell
from support.chi_square import chi_square_p
from support.examples import examples
from support.oracle import arrangements
from support.strategies import positions

# With random seeds, a fair sampler would fail one of these once in a million runs. The seeds are
# fixed.
LEAST_P = 1e-6

UNIFORM = {
    "no number": "mines: 4\n......\n......",
    "no total": "...\n.2.\n...",
    "frontier and floating": "mines: 3\n....\n.1..\n....",
    "boxes of several cells": "mines: 5\n..1...\n..1...",
    "components": "mines: 4\n.1...1.\n.1...1.",
    "proved cells": "mines: 3\n.1..\n.1..\n.111\n....",
    "torus": "topology: torus\nmines: 3\n2...\n....\n....",
    "opened mine": "mines: 3\n*2..\n....",
}


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
@pytest.mark.parametrize("name", UNIFORM)
def test_every_arrangement_is_equally_likely(name: str, seed: int) -> None:
    """A chi-square test over all arrangements finds no difference from uniform draws."""
    position = Position.parse(UNIFORM[name])
    boards = arrangements(position)
    drawn = Counter(board.mined for board in sample(position, n=100 * len(boards), seed=seed))
    assert set(drawn) <= set(boards)
    assert chi_square_p([drawn[board] for board in boards]) > LEAST_P


def test_fixed_cells_hold_in_every_board() -> None:
    """Fixed cells keep their content, and the rest is uniform."""
    position = Position.parse("mines: 3\n....\n.1..\n....")
    safe, mined = [(0, 0), (2, 3)], [(0, 3)]
    boards = [
        board for board in arrangements(position) if board[3] and not board[0] and not board[11]
    ]
    drawn = Counter(
        b.mined for b in sample(position, n=200 * len(boards), seed=5, safe=safe, mined=mined)
    )
    assert set(drawn) <= set(boards)
    assert chi_square_p([drawn[board] for board in boards]) > LEAST_P


@examples(300)
@given(positions(), st.integers(0, 2**64 - 1))
def test_samples_fit(position: Position, seed: int) -> None:
    """Every board fits the position; if none does, nothing is drawn."""
    boards = set(arrangements(position))
    if not boards:
        with pytest.raises(InconsistentPosition):
            sample(position, n=1, seed=seed)
        return
    assert {board.mined for board in sample(position, n=5, seed=seed)} <= boards


def test_seed_repeats_the_boards() -> None:
    """The same seed gives the same boards; another seed gives different ones."""
    position = Position.parse("mines: 3\n....\n.1..\n....")
    assert (
        sample(position, n=20, seed=7)
        == sample(position, n=20, seed=7)
        != sample(position, n=20, seed=8)
    )


def test_impossible_position_has_no_samples() -> None:
    """If fixed cells contradict the numbers, there is nothing to draw."""
    with pytest.raises(InconsistentPosition):
        sample(Position.parse("1."), n=1, seed=0, safe=[(0, 1)])


def test_opened_cell_cannot_be_fixed() -> None:
    """Opened cells and negative numbers of boards are refused."""
    with pytest.raises(BadSetting):
        sample(Position.parse("1."), n=1, seed=0, safe=[Cell(0, 0)])
    with pytest.raises(BadSetting):
        sample(Position.parse("1."), n=-1, seed=0)
