"""Perfect play: known answers, a slow reference, and limits."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given

import sapper
from sapper import _core
from sapper.errors import BadSetting, Cancelled, InconsistentPosition, LimitReached
from sapper.position import Position
from sapper.solver import Limit
from sapper.solver.search import Optimal, optimal
from sapper.topology import Cell, topology
from support.known import known
from support.oracle import arrangements
from support.strategies import positions

MINE = -1


def reference(position: Position) -> tuple[int, int, set[int]]:
    """Count wins, solutions and best cells with plain expectimax over sets of solutions."""
    shape = position.topology
    around = [[shape.index(n) for n in shape.neighbours(c)] for c in shape.cells()]
    boards = arrangements(position)
    contents = {
        cell: [MINE if b[cell] else sum(b[n] for n in around[cell]) for b in boards]
        for cell, char in enumerate(position.cells)
        if char in b".F"
    }

    @cache
    def wins(left: frozenset[int]) -> int:
        return max(
            (value(left, cell) for cell in contents if is_informative(left, cell)), default=1
        )

    def is_informative(left: frozenset[int], cell: int) -> bool:
        return len({contents[cell][board] for board in left}) > 1

    def value(left: frozenset[int], cell: int) -> int:
        parts: dict[int, set[int]] = {}
        for board in left:
            parts.setdefault(contents[cell][board], set()).add(board)
        parts.pop(MINE, None)
        return sum(wins(frozenset(part)) for part in parts.values())

    every = frozenset(range(len(boards)))
    most = wins(every)
    return most, len(boards), {cell for cell in contents if value(every, cell) == most}


# Source: see tests/data/README.md.
@pytest.mark.parametrize("board", known("optimal_small_boards"))
def test_full_boards_match_known_wins(board: dict[str, Any]) -> None:
    """The wins of untouched boards are known for perfect play and for every first cell."""
    shape = topology("rectangle", board["width"], board["height"])
    position = Position.unopened(shape, board["mines"])
    result = optimal(position)
    assert (result.wins, result.solutions) == (board["wins"], board["boards"])
    classes = board["first_cell_wins"]
    best = {Cell(row, col) for row, col, wins in classes if wins == board["wins"]}
    assert best == result.best & {Cell(row, col) for row, col, _ in classes}
    known = shape.graph, position.cells, board["mines"], None, True
    solved = _core.EndGame().solve(*known, board["boards"], 10**9, None, False, True)
    assert solved is not None
    chances = dict(solved.win_chances)
    assert all(
        chances[shape.index((row, col))] == wins / board["boards"] for row, col, wins in classes
    )


@given(positions(lies=0))
def test_wins_and_best_cells_match_the_reference(position: Position) -> None:
    """The boards are small rectangles and tori in play, with flags and opened mines."""
    assume(position.mines is not None)
    assume(len(arrangements(position)) <= 200)
    wins, solutions, best = reference(position)
    result = optimal(position)
    assert (result.wins, result.solutions) == (wins, solutions)
    assert set(result.best_indices) == best


def test_finished_board_has_no_best_cell() -> None:
    """A board on which only mines are left is won."""
    result = optimal(Position.parse("1.\n11", mines=1))
    assert (result.wins, result.solutions, result.best) == (1, 1, frozenset())


def test_coin_toss_wins_half_the_time() -> None:
    """Whichever cell is opened first, one of two boards is won."""
    result = sapper.optimal(Position.parse("..\n11", mines=1))
    assert (result.wins, result.solutions) == (1, 2)
    assert result.best == {Cell(0, 0), Cell(0, 1)}
    assert result.win_chance == 0.5


def test_set_flag_cancels_search() -> None:
    """A cancel flag works as in every native call."""
    cancel = _core.Cancel()
    cancel.set()
    position = Position.unopened(topology("rectangle", 5, 4), 4)
    with pytest.raises(Cancelled):
        _core.EndGame().solve(
            position.topology.graph, position.cells, 4, None, True, 5000, 10**9, cancel=cancel
        )


def four_by_four() -> Position:
    """560 solutions."""
    return Position.unopened(topology("rectangle", 4, 4), 3)


@pytest.mark.parametrize(
    "search",
    [
        lambda: optimal(four_by_four(), solutions=500),
        lambda: optimal(four_by_four(), limit=Limit(states=20)),
        lambda: optimal(
            Position.unopened(topology("rectangle", 5, 4), 4), limit=Limit(seconds=0.0)
        ),
    ],
    ids=["solutions", "states", "seconds"],
)
def test_exceeded_limit_is_reported(search: Callable[[], Optimal]) -> None:
    """Solutions, states and seconds are limited."""
    with pytest.raises(LimitReached, match="past the limit"):
        search()


def test_mine_total_is_required() -> None:
    """Without a total, the end of the game would reveal information."""
    with pytest.raises(BadSetting, match="mine total"):
        optimal(Position.parse("..\n11"))


def test_impossible_position_reports_its_cells() -> None:
    """Cells are given as row and column."""
    with pytest.raises(InconsistentPosition) as caught:
        optimal(Position.parse("..\n13", mines=1))
    assert caught.value.cells == (Cell(1, 1),)
    with pytest.raises(InconsistentPosition, match="the numbers allow exactly 1"):
        optimal(Position.parse("..\n11", mines=2))


def test_perfect_play_can_be_cancelled() -> None:
    """[#11] The cancel flag used to be ignored."""
    flag = sapper.Cancel()
    flag.set()
    with pytest.raises(sapper.Cancelled):
        optimal(Position.parse("...\n...\n...", mines=4), limit=Limit(cancel=flag))
