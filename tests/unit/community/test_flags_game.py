from __future__ import annotations

import random
from itertools import combinations, pairwise

import numpy as np
import pytest

from sapper import Board, Level, Position
from sapper.community import FLAGS_LEVEL, FlagsGame, advise_flags, best_move, review_flags
from sapper.community.flags_game import bombed
from sapper.errors import BadSetting, IllegalAction
from sapper.generation import generate
from sapper.solver.bots.base import around


def dealt(level: Level, seed: int) -> Board:
    """Return any board of a level."""
    return next(iter(generate(level, first_click="any", seed=seed))).board


def one_row(text: str) -> FlagsGame:
    """Return a game on a board of one row; a star is a mine."""
    shape = Level(len(text), 1, text.count("*")).shape()
    board = Board(shape, bytes(char == "*" for char in text))
    return FlagsGame(board, Level(len(text), 1, text.count("*")), 0)


def test_the_standard_board_has_51_mines() -> None:
    """Finding more than half of the mines, 26, wins the game."""
    assert str(FLAGS_LEVEL) == "16x16:51"


def test_finding_a_mine_continues_the_turn_and_a_miss_ends_it() -> None:
    """A side with more than half of the mines wins immediately."""
    game = one_row("*.*.*.")
    assert game.open(0) == {0: "*"}
    assert (game.turn, game.scores) == (0, [1, 0])
    game.open(1)
    assert (game.turn, game.scores) == (1, [1, 0])
    game.open(2)
    game.open(4)
    assert (game.winner, game.scores) == (1, [1, 2])
    with pytest.raises(IllegalAction, match="over"):
        game.open(5)


def test_a_zero_opens_its_neighbours() -> None:
    """Zeros open their neighbours, as in every Minesweeper."""
    game = one_row("....*")
    assert game.open(0) == {0: "0", 1: "0", 2: "0", 3: "1"}


def test_the_bomb_is_for_the_side_behind_and_once() -> None:
    """A bomb finds all mines in 5x5 cells; if there are any, the turn continues."""
    game = one_row("*.*.*..*....*")
    with pytest.raises(IllegalAction, match="behind"):
        game.bomb(4)
    game.open(0)
    game.open(1)
    assert game.can_bomb
    assert list(game.bomb(4).values()).count("*") == 2
    assert (game.turn, game.scores, game.bombs) == (1, [1, 2], [True, False])
    with pytest.raises(IllegalAction, match="one use"):
        game.bomb(7)
    game.open(8)
    assert (game.turn, game.can_bomb) == (0, True)


def test_a_bomb_that_finds_nothing_ends_the_turn() -> None:
    """A bomb that finds no mine is still used up."""
    game = one_row("*.........*.*")
    game.open(0)
    game.open(1)
    game.bomb(5)
    assert (game.turn, game.bombs) == (0, [True, False])


def test_a_bomb_must_open_something() -> None:
    """If a bomb would open nothing, the side keeps it."""
    game = one_row("*.........*.*")
    game.open(0)
    game.open(5)
    with pytest.raises(IllegalAction, match="open already"):
        game.bomb(4)
    assert game.can_bomb


def test_a_bomb_at_a_corner_opens_nine_cells() -> None:
    """A bomb opens 5x5 cells, as far as they are on the board."""
    shape = Level(16, 16, 51).shape()
    assert len(bombed(shape, 0)) == 9
    assert len(bombed(shape, 8 * 16 + 8)) == 25


def test_open_cells_and_levels_without_a_majority_are_rejected() -> None:
    """With an even mine total, a game could end in a draw."""
    game = one_row("*.*.*.")
    game.open(0)
    with pytest.raises(IllegalAction, match="open already"):
        game.open(0)
    with pytest.raises(BadSetting, match="odd"):
        FlagsGame(dealt(Level(9, 9, 10), 1), Level(9, 9, 10), 0)


def boards_that_fit(position: Position) -> list[frozenset[int]]:
    """Return every arrangement of the mines that fits a position, by brute force."""
    assert position.mines is not None
    cells, near = position.cells, around(position.topology)
    found = [i for i, char in enumerate(cells) if char == ord("*")]
    closed = [i for i, char in enumerate(cells) if char == ord(".")]
    fits = []
    for rest in combinations(closed, position.mines - len(found)):
        mines = frozenset((*found, *rest))
        if all(
            len(mines.intersection(near[i])) == char - ord("0")
            for i, char in enumerate(cells)
            if char in b"012345678"
        ):
            fits.append(mines)
    return fits


@pytest.mark.parametrize("seed", range(12))
def test_the_review_agrees_with_trying_all_boards(seed: int) -> None:
    """Chances, best cells, bombs and proved mines match in random games on 4x4 with 5 mines."""
    level, rng = Level(4, 4, 5), random.Random(seed)
    board = dealt(level, seed)
    game, positions = FlagsGame(board, level, 0), list[Position]()
    while game.winner is None:
        positions.append(game.position)
        closed = [i for i, char in enumerate(game.position.cells) if char == ord(".")]
        bomb = game.can_bomb and rng.random() < 0.5
        (game.bomb if bomb else game.open)(rng.choice(closed))
    positions.append(game.position)
    decisions = review_flags(board, level, game.moves)
    assert len(decisions) == len(game.moves)
    for one, (before, after) in zip(decisions, pairwise(positions), strict=True):
        fits = boards_that_fit(before)
        closed = [i for i, char in enumerate(before.cells) if char == ord(".")]
        chance = {i: sum(i in mines for mines in fits) / len(fits) for i in closed}
        index = before.topology.index(one.move.cell)
        if one.move.bomb:
            sums = [sum(chance.get(c, 0) for c in bombed(before.topology, i)) for i in range(16)]
            assert one.expected == pytest.approx(sums[index])
            assert one.best_expected == pytest.approx(max(sums))
        else:
            assert one.expected == pytest.approx(chance[index])
            assert one.best_expected == pytest.approx(max(chance.values()))
            assert chance[before.topology.index(one.best)] == pytest.approx(one.best_expected)
        assert one.lost == pytest.approx(one.best_expected - one.expected)
        left = boards_that_fit(after)
        proved = [
            i
            for i, char in enumerate(after.cells)
            if char == ord(".") and all(i in mines for mines in left)
        ]
        is_last = after is positions[-1]
        assert one.gift == (0 if one.move.found or is_last else len(proved))


def test_exact_play_finds_every_proved_mine_before_it_bombs() -> None:
    """Whole games end with a winner and never open a cell twice."""
    bombs = 0
    for seed in range(6):
        board = dealt(FLAGS_LEVEL, seed)
        game = FlagsGame(board, FLAGS_LEVEL, seed % 2)
        while game.winner is None:
            advice = advise_flags(game.position)
            cell, bomb = best_move(game)
            if advice.proved:
                assert board.mined[cell]
                assert not bomb
            bombs += bomb
            (game.bomb if bomb else game.open)(cell)
        assert max(game.scores) >= 26
    assert bombs > 0


def test_a_saved_game_is_replayed() -> None:
    """The replay includes bombs and turns that were passed."""
    board = dealt(FLAGS_LEVEL, 3)
    game = FlagsGame(board, FLAGS_LEVEL, 1)
    for _ in range(30):
        cell, bomb = best_move(game)
        (game.bomb if bomb else game.open)(cell, 5)
    game.skip()
    again = FlagsGame.from_json(board, FLAGS_LEVEL, game.to_json())
    assert again.to_json() == game.to_json()
    assert (again.scores, again.bombs, again.turn) == (game.scores, game.bombs, game.turn)
    assert np.array_equal(again.position.numbers, game.position.numbers)
