"""3BV and openings, compared with counts by hand and by brute force."""

from itertools import combinations
from random import Random

import pytest

import sapper
from sapper.board import Board
from sapper.errors import BadPosition, BadSetting
from sapper.game import Game
from sapper.generation import generate
from sapper.metrics import openings, rzini, solved, zini
from sapper.position import Position
from sapper.replay import Playback, Replay, load
from sapper.topology import TOPOLOGIES, topology
from support.replays import FOLDER


@pytest.mark.parametrize(
    ("text", "expected_openings", "expected_bbbv"),
    [
        ("000\n000", 1, 1),
        ("***", 0, 0),
        ("1*1", 0, 2),
        ("*1\n11", 0, 3),
        ("01*10\n01110\n00000", 1, 1),
        ("01*10", 2, 2),
        ("00000\n12321\n1***1\n12321\n00000", 2, 4),
    ],
)
def test_small_boards_match_a_count_by_hand(
    text: str, expected_openings: int, expected_bbbv: int
) -> None:
    """A board needs one click per opening and one per number outside openings."""
    board = Board.parse(text)
    assert openings(board) == expected_openings
    assert board.bbbv == expected_bbbv


def test_the_function_bbbv_is_deprecated() -> None:
    """The warning names the attribute to use."""
    with pytest.warns(DeprecationWarning, match=r"use board\.bbbv"):
        assert sapper.bbbv(Board.parse("1*1")) == 2


def test_openings_join_over_the_edges_of_a_torus() -> None:
    """The same rows have one opening fewer if left and right edges touch."""
    assert openings(Board.parse("topology: torus\n001*100")) == 1
    assert openings(Board.parse("001*100")) == 2


def opened_by(board: Board, cell: int) -> set[int]:
    """Return the cells opened by a click on a safe cell."""
    opened, waiting = {cell}, [cell]
    while waiting:
        at = waiting.pop()
        if board.numbers[at] == 0:
            new = set(board.topology.graph.neighbours(at)) - opened
            opened |= new
            waiting += new
    return opened


@pytest.mark.parametrize("name", sorted(TOPOLOGIES))
def test_the_3bv_is_the_fewest_clicks_that_open_a_board(name: str) -> None:
    """Sets of clicks are tried in order of size, on every topology."""
    shape, random = topology(name, 4, 4), Random(name)
    for mines in (1, 2, 3, 10):
        board = Board.from_mines(shape, random.sample([*shape.cells()], mines))
        clear = {cell for cell in range(shape.size) if not board.mined[cell]}
        opens = [opened_by(board, cell) for cell in clear]
        fewest = next(
            clicks
            for clicks in range(len(clear) + 1)
            if any(set().union(*chosen) == clear for chosen in combinations(opens, clicks))
        )
        assert board.bbbv == fewest


@pytest.mark.parametrize("name", sorted(TOPOLOGIES))
def test_solved_3bv_of_a_game_matches_its_replay(name: str) -> None:
    """Game and replay agree at the end, won or lost, even if flags block openings."""
    random, seen = Random(name), set[int]()
    for seed in range(40):
        game = Game(f"8x8:6/{name}", seed=seed)
        while not game.over:
            game.flag(random.choice(game.position.unopened_cells()))
            for cell in game.position.topology.cells():
                if game.position[cell] == "F" and random.random() < 0.5:
                    game.flag(cell)
            game.open(random.choice(game.position.unopened_cells()))
            if random.random() < 0.1:
                game.undo()
        found = solved(game.board, game.position)
        assert found == Playback(Replay.from_game(game)).solved
        assert game.status == "lost" or found == game.board.bbbv
        seen.add(found)
    assert len(seen) > 3


def test_solved_requires_the_same_shape() -> None:
    """The error names both shapes."""
    with pytest.raises(BadPosition, match=r"Rectangle\(3, 1\), but the position Rectangle\(2, 1\)"):
        solved(Board.parse("1*1"), Position.parse("..", mines=1))


def test_more_runs_find_fewer_clicks() -> None:
    """The result is at least one click per opening, and a seed repeats it [#34]."""
    for seed in range(3):
        [made] = generate("intermediate", seed=seed)
        found = [rzini(made.board, runs, seed=1) for runs in (1, 5, 25)]
        assert found == sorted(found, reverse=True)
        assert openings(made.board) <= found[-1] <= zini(made.board) + 2
        assert rzini(made.board, 25, seed=1) == found[-1]
    with pytest.raises(BadSetting, match="runs must be a whole number of 1 or more, got 0"):
        rzini(made.board, 0)


def test_rzini_can_be_less_than_zini() -> None:
    """On this board, the first of equal chords is not the best; ms-toollib gives 31 and 32."""
    board = load(FOLDER / "custom_30x8.avf").board
    assert (rzini(board, 50, seed=0), zini(board)) == (31, 32)
