"""Triangular boards, whose numbers go up to twelve."""

from __future__ import annotations

import pytest

import sapper
from sapper.board import Board
from sapper.errors import BadPosition
from sapper.position import Position
from sapper.topology import Triangle


def ring(mines: int) -> Board:
    """Return a board whose middle cell has this number of mines around it, up to twelve."""
    shape = Triangle(7, 5)
    return Board.from_mines(shape, shape.neighbours((2, 3))[:mines])


@pytest.mark.parametrize(("mines", "char"), [(8, "8"), (9, "9"), (10, "a"), (11, "b"), (12, "c")])
def test_numbers_above_nine_are_letters_in_text_and_numbers_in_memory(
    mines: int, char: str
) -> None:
    """Boards and positions round-trip as text and JSON."""
    board = ring(mines)
    assert board[2, 3] == char
    assert Board.parse(str(board)) == board
    assert Board.from_json(board.to_json()) == board
    position = Position(board.topology, board.cells, mines)
    assert position[2, 3] == char
    assert position.number((2, 3)) == mines
    assert position.cells[17] - ord("0") == mines
    assert Position.parse(str(position)) == position
    assert Position.from_json(position.to_json()) == position
    assert f"row 3, column 4, {mines}" in position.to_svg()


def test_letters_are_rejected_on_other_boards() -> None:
    """Cells of other shapes have fewer neighbours; the message lists the valid characters."""
    for text in ("topology: hexagon\n7", "9", "topology: torus\na"):
        with pytest.raises(BadPosition, match=r"is not a cell; use . for unopened, 0 to [68],"):
            Position.parse(text)


def test_a_twelve_proves_that_all_cells_around_it_are_mines() -> None:
    """Both engines agree, and the hint spells out the number."""
    position = Position.parse(
        f"topology: triangle\n{'.' * 7}\n{'.' * 7}\n...c...\n{'.' * 7}\n......."
    )
    analysis = sapper.analyze(position)
    assert analysis.mined == set(Triangle(7, 5).neighbours((2, 3)))
    with pytest.raises(sapper.InconsistentPosition, match="the 12 is impossible"):
        sapper.analyze(Position.parse("topology: triangle\n...\nc..\n..."))


def test_observations_have_codes_for_numbers_above_eight() -> None:
    """Large numbers have codes after the usual ones, which stay the same."""
    spaces = pytest.importorskip("sapper.env.spaces")
    board = ring(12)
    position = Position(board.topology, board.cells, 12)
    level = sapper.Level(7, 5, 12, topology="triangle")
    seen = spaces.observed(position)
    assert (seen[2, 3], seen.max()) == (15, 15)
    assert spaces.observations(level).contains(seen)
    assert spaces.position_of(seen, level) == position
    assert not spaces.observations(sapper.Level(7, 5, 12)).contains(seen)


@pytest.mark.parametrize("rules", ["classic", "fair"])
def test_environments_observe_numbers_above_eight(rules: str) -> None:
    """Large numbers are observed in native steps, and in Python steps under other rules."""
    gymnasium = pytest.importorskip("gymnasium")
    given = {"level": "6x5:28/triangle", "first_click": "safe", "rules": rules}
    env = gymnasium.make("sapper/Minesweeper-v0", **given)
    env.reset(seed=3)
    # One other cell is safe, and it may or may not be a neighbour.
    seen = env.step(14)[0]
    assert seen[2, 2] in (14, 15)
    assert env.observation_space.contains(seen)
