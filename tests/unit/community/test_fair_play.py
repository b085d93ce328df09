from __future__ import annotations

import json
import random

import pytest

from sapper import Board, Game
from sapper.community import luck_of, play_figures
from sapper.errors import IllegalAction
from sapper.game.pointer_path import pack
from sapper.solver import Solver

FIFTY = Board.parse("*1\n11")


class Clock:
    """A clock that tests can set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_safety_of_a_game_is_the_product_of_its_guesses() -> None:
    """One of four cells has the mine, so the first guess is safe in three of four cases."""
    game = Game.from_board(FIFTY, undo=False)
    for cell in ((1, 1), (0, 1), (1, 0)):
        game.open(cell)
    figures = play_figures(game)
    assert figures.won
    assert figures.safeties == pytest.approx((3 / 4, 2 / 3, 1 / 2))
    assert figures.safety == pytest.approx(1 / 4)
    assert figures.survived == 3
    json.dumps(figures.to_json())


def test_a_game_has_figures_at_its_end() -> None:
    """A running game has no figures, because they would be a hint."""
    with pytest.raises(IllegalAction, match="finished"):
        play_figures(Game.from_board(FIFTY))


def played(seed: int, *, peeks: bool) -> Game:
    """Return the game of a player who opens proved cells and guesses honestly or by peeking."""
    game, solver, rng = Game("9x9:18", seed=seed), Solver(), random.Random(seed)
    game.open((4, 4))
    mines = Game.from_json(game.to_json())._round.final_board()
    while not game.over:
        found = solver.analyze(game.position)
        cells = list(found.safe)
        if not cells:
            cells = [cell for cell in game.position.unopened_cells() if cell not in found.mined]
            if peeks:
                cells = [cell for cell in cells if not mines.is_mine(cell)]
        game.open(rng.choice(sorted(cells)))
    return game


def test_honest_luck_is_near_zero_and_peeking_is_not() -> None:
    """The luck score is measured in standard deviations."""
    honest = luck_of(play_figures(played(seed, peeks=False)) for seed in range(60))
    assert honest.guesses > 60
    assert honest.score is not None
    assert abs(honest.score) < 3
    peeking = luck_of(play_figures(played(seed, peeks=True)) for seed in range(20))
    assert peeking.wins == 20
    assert peeking.survived == peeking.guesses
    assert peeking.score is not None
    assert peeking.score > 4
    assert peeking.won_safety is not None
    assert peeking.won_safety < 0.3


def test_luck_without_guesses_has_no_score() -> None:
    """Without guesses, there is nothing to compare."""
    assert luck_of([]).score is None
    game = Game.from_board(Board.parse("000"))
    game.open((0, 0))
    assert luck_of([play_figures(game)]).score is None


def test_times_between_clicks() -> None:
    """The figures are the shortest time, the most clicks in a second, and the rhythm."""
    clock = Clock()
    game = Game.from_board(FIFTY, undo=False, time=clock)
    for wait, cell in ((0, (1, 1)), (0.75, (0, 1)), (0.5, (1, 0))):
        clock.now += wait
        game.open(cell)
    figures = play_figures(game)
    assert (figures.clicks, figures.least_s, figures.most_per_s) == (3, 0.5, 2)
    # Mean 0.625 s, standard deviation 0.125 s.
    assert figures.rhythm == pytest.approx(0.2)


def test_straight_paths_and_jumps_are_counted() -> None:
    """Paths that bend are not straight, and short ones do not count."""
    board = Board.parse("\n".join(["1*10000000", "1110000000", "0000000111", "00000001*1"]))
    game = Game.from_board(board, undo=False)
    shape = board.topology
    game.flag((0, 1))
    game.note_pointer(pack([300, 5, 5, 100, 32, 0, 100, 32, 0], shape))
    game.flag((0, 1))
    game.note_pointer(pack([300, 5, 5, 100, 32, 32, 100, 32, -32], shape))
    game.flag((0, 1))
    game.note_pointer(pack([300, 5, 5, 100, 3, 0, 100, 3, 0], shape))
    game.open((3, 0))
    for cell in ((3, 9), (2, 8), (3, 7), (0, 0)):
        if not game.over:
            game.open(cell)
    while not game.over:
        left = [c for c in game.position.unopened_cells() if not board.is_mine(c)]
        game.open(left[0])
    figures = play_figures(game)
    assert (figures.paths, figures.straight) == (2, 1)
    assert figures.jumps == len({a.cell for a in game.log[3:]})
