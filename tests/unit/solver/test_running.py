"""As long as a game without a mine total is running, some unopened cell is clear.

The oracle lists every board, and rules out the one on which the game would be over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest

from sapper import _core
from sapper.coach import outcomes
from sapper.errors import BadPosition, InconsistentPosition, WrongType
from sapper.game import Game
from sapper.position import NUMBERS, Position
from sapper.solver import (
    Analysis,
    analyze,
    both_ways,
    deduce,
    exact,
    hint,
    proof_steps,
    reference,
    sample,
    win_chance,
)
from sapper.solver.bots import make_bot
from sapper.solver.search import optimal
from sapper.topology import Topology, topology
from support.marks import slow
from support.oracle import arrangements, chances, win_chances

Analyze = Callable[[Position], Analysis]

LAST = "density: 0.5\n1.."
"""The middle cell is a mine; with a mine in the last cell as well, the game would be over."""
KNOWN = (None, 0.05, 0.3, 0.5, 0.8)
"""Densities; None for neither a total nor a density."""


@pytest.fixture(params=["native", "reference"])
def analysed(request: pytest.FixtureRequest) -> Analyze:
    """The native analysis and the plain reference."""
    return {"native": exact.analyze, "reference": reference.analyze}[request.param]


def test_the_last_clear_cell_is_certain(analysed: Analyze) -> None:
    """The position of the first report: the game can only go on if the last cell is clear."""
    position = Position.parse(LAST)
    known = analysed(position)
    assert known.safe == {(0, 2)}
    assert known.mined == {(0, 1)}
    assert known.p_mine[0, 1:].tolist() == [1, 0]
    assert known.solutions == 1


def test_every_answer_to_the_last_clear_cell_agrees() -> None:
    """Hint, proof, win chance, perfect play, samples and bots."""
    position = Position.parse(LAST)
    found = hint(position)
    assert (found.cell, found.p_mine, found.proved) == ((0, 2), 0, True)
    assert (
        found.sentence
        == "All other unopened cells are mines. The game is not over, so this one is clear."
    )
    assert found.because == ((0, 0),)
    assert found.proof is not None
    assert found.proof.running
    texts = [step.text for step in proof_steps(position, found.proof)]
    assert texts == [
        "The 1 at (0, 0) needs one mine and has only one cell left, so (0, 1) is a mine.",
        "All other unopened cells are mines and the game is not over, so (0, 2) is clear.",
    ]
    assert win_chance(position).win_chance == 1
    best = optimal(position)
    assert (best.win_chance, best.solutions, best.best) == (1, 1, {(0, 2)})
    assert {board.mined for board in sample(position, n=20, seed=1)} == {b"\0\1\0"}
    assert both_ways(position, (0, 2)) is None
    for name in ("exact", "swift", "champion", "lookahead"):
        choice = make_bot(name).choose(position)
        assert [action.cell for action in choice.actions] == [(0, 2)], name
        assert choice.risk == 0


def test_a_position_of_a_game_that_may_be_over_allows_only_mines(analysed: Analyze) -> None:
    """The caller decides, by the argument, the header or the JSON field."""
    position = Position.parse(LAST, running=False)
    assert position == Position.parse(f"running: no\n{LAST}")
    assert position == Position.from_json({**position.to_json(), "running": False})
    assert analysed(position).p_mine[0, 1:].tolist() == [1, 0.5]
    assert deduce(position, (0, 2)) is None
    # It is either won already or won by opening the last cell.
    assert optimal(position).win_chance == 1
    assert win_chance(position).win_chance == 1
    assert {board.mined for board in sample(position, n=20, seed=1)} == {b"\0\1\0", b"\0\1\1"}


def test_text_and_json_keep_whether_the_game_is_running() -> None:
    """It is written only if it may be over, so that other texts stay as they are."""
    running = Position.parse(LAST)
    over = replace(running, running=False)
    assert running != over
    assert (str(running), str(over)) == (LAST, "density: 0.5\nrunning: no\n1..")
    assert "running" not in running.to_json()
    for position in (running, over):
        assert Position.parse(str(position)) == position
        assert Position.from_json(position.to_json()) == position
        assert position.without_flags() == position
        assert hash(Position.parse(str(position))) == hash(position)
    assert Position.parse(str(over), running=True) == running


@pytest.mark.parametrize("value", ["maybe", "", "True", "1"])
def test_a_header_that_is_neither_yes_nor_no_is_an_error(value: str) -> None:
    """The message says what is allowed."""
    with pytest.raises(BadPosition, match="line 1: running must be yes or no, got"):
        Position.parse(f"running: {value}\n1..")


def test_values_that_are_not_booleans_are_errors() -> None:
    """In JSON and in Python."""
    with pytest.raises(BadPosition, match="'running' must be true or false, got 1"):
        Position.from_json({"rows": ["1.."], "running": 1})
    with pytest.raises(WrongType, match="running must be True or False, got 'no'"):
        Position(topology("rectangle", 1, 1), b".", running="no")  # type: ignore[arg-type]


def test_with_a_mine_total_nothing_changes(analysed: Analyze) -> None:
    """The total says itself whether a clear cell is left, so the position is the same."""
    position = Position.parse("1..", 2, running=False)
    assert position == Position.parse("1..", 2)
    assert "running" not in str(position)
    assert analysed(position).mined == {(0, 1), (0, 2)}


@pytest.mark.parametrize("rows", ["1.", "11\n1.", "3.\n..", "3.3\n...\n3.3"])
def test_a_position_in_which_only_mines_can_be_unopened_is_the_end(
    rows: str, analysed: Analyze
) -> None:
    """No game with this position is running, so its cells are mines."""
    position = Position.parse(rows)
    known = analysed(position)
    assert known.solutions == 1
    assert known.mined == set(position.unopened_cells())


def test_before_the_first_opening_every_cell_may_be_a_mine(analysed: Analyze) -> None:
    """A game on a board full of mines is lost by its first click, not won before it."""
    known = analysed(Position.parse("density: 0.5\n.."))
    assert known.p_mine.tolist() == [[0.5, 0.5]]
    assert known.solutions == 4


def test_the_share_of_each_number_includes_the_end_of_the_game() -> None:
    """Opening a cell may end the game; its numbers and its mine still add up to one."""
    position = Position.parse("density: 0.5\n3...\n....")
    for cell in position.unopened_cells():
        assert sum(one.chance for one in outcomes(position, cell)) == pytest.approx(1)
    expected = win_chances(position)
    for cell, win in expected.items():
        at = position.topology.cell(cell)
        summed = sum(
            one.chance * one.value.win_chance
            for one in outcomes(position, at)
            if one.value is not None
        )
        assert summed == pytest.approx(float(win))


def some(shape: Topology, density: float | None) -> Iterator[Position]:
    """Return positions in which all unopened cells may be mines, and any others."""
    size, rng = shape.size, Random(f"{shape} {density}")
    for count, picked in ((1, 6), (2, 4), (3, 2)):
        for clear in rng.sample([*combinations(range(size), count)], picked):
            yield opened(shape, bytes(cell not in clear for cell in range(size)), clear, density)
    for _ in range(8):
        mined = bytes(rng.random() < 0.4 for _ in range(size))
        clear = tuple(cell for cell in range(size) if not mined[cell] and rng.random() < 0.6)
        yield opened(shape, mined, clear, density)


def opened(
    shape: Topology, mined: bytes, cells: tuple[int, ...], density: float | None
) -> Position:
    """Return the position of a board with these cells open."""
    numbers, text = shape.graph.numbers(mined), bytearray(b"." * shape.size)
    for cell in cells:
        text[cell] = NUMBERS[numbers[cell]]
    return Position(shape, bytes(text), density=density)


CASES = [
    pytest.param(name, density, id=f"{name}-{density}")
    for name in ("rectangle", "torus", "hexagon")
    for density in KNOWN
]


@pytest.mark.parametrize(("name", "density"), CASES)
def test_some_positions_agree_with_brute_force(name: str, density: float | None) -> None:
    """On boards of 4x3 cells, conditioned on a running game."""
    ruled_out = 0
    for position in some(topology(name, 4, 3), density):
        boards = arrangements(position)
        ruled_out += len(boards) < len(arrangements(position, running=False))
        expected = chances(position)
        for found in (exact.analyze(position), reference.analyze(position)):
            assert found.solutions == len(boards)
            assert list(found.safe_indices) == [i for i, p in expected.items() if p == 0]
            assert list(found.mined_indices) == [i for i, p in expected.items() if p == 1]
            p_mine = found.p_mine.ravel()
            assert all(abs(p_mine[i] - float(p)) < 1e-12 for i, p in expected.items())
        drawn = {board.mined for board in sample(position, n=3, seed=1)}
        assert drawn <= set(boards)
    assert ruled_out >= 6


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rectangle", "torus", "hexagon"])
def test_all_positions_agree_with_brute_force(name: str) -> None:
    """Every position of a board of 4x3 cells, by every density and without a total."""
    shape = topology(name, 4, 3)
    checked = every_position(shape, KNOWN)
    assert checked > 100_000


def every_position(shape: Topology, densities: tuple[float | None, ...]) -> int:
    """Compare the native analysis of every position with sums over all boards at once.

    A position is the set of its open cells and the numbers there, so the boards that fit it are
    those with the same key.
    """
    size = shape.size
    boards = ((np.arange(1 << size)[:, None] >> np.arange(size)) & 1).astype(np.uint8)
    numbers = np.array([list(shape.graph.numbers(board.tobytes())) for board in boards])
    symbols = np.frombuffer(bytes(NUMBERS), dtype=np.uint8)[numbers]
    # A number is at most 8, so the numbers of a position are the base-9 digits of its key.
    digits = 9 ** np.arange(size)
    checked = 0
    for opened in range(1 << size):
        is_open = (opened >> np.arange(size) & 1).astype(bool)
        closed = np.flatnonzero(~is_open)
        fits = np.flatnonzero(~boards[:, is_open].any(axis=1))
        keys = numbers[fits] @ (digits * is_open)
        order = np.argsort(keys, kind="stable")
        fits, keys = fits[order], keys[order]
        starts = np.flatnonzero(np.r_[True, np.diff(keys) > 0])
        laid, first = boards[fits], fits[starts]
        mines = laid.sum(axis=1)
        # With mines in all unopened cells, the game would be over, unless no other board fits.
        alone = np.repeat(np.diff(np.r_[starts, len(fits)]) == 1, np.diff(np.r_[starts, len(fits)]))
        running = (mines < len(closed)) | alone | (not is_open.any())
        solutions = np.add.reduceat(running.astype(int), starts)
        sums = np.add.reduceat(laid * running[:, None].astype(int), starts)[:, closed]
        texts = np.where(is_open, symbols[first], ord("."))
        for density in densities:
            odds = 1.0 if density is None else density / (1 - density)
            weight = running * odds**mines
            share = np.add.reduceat(weight[:, None] * laid, starts)
            share /= np.add.reduceat(weight, starts)[:, None]
            p_mine = np.empty((len(starts), size))
            for at, text in enumerate(texts.astype(np.uint8)):
                found = _core.analyze(shape.graph, text.tobytes(), None, density)
                p_mine[at] = found.p_mine
                assert found.safe == closed[sums[at] == 0].tolist()
                assert found.mined == closed[sums[at] == solutions[at]].tolist()
                assert found.solutions() == solutions[at]
            assert np.allclose(p_mine[:, closed], share[:, closed], rtol=0, atol=1e-11)
            checked += len(starts)
    return checked


@pytest.mark.parametrize("density", [None, 0.3, 0.8])
@pytest.mark.parametrize("rows", ["3..\n...", "3...\n....", "..5..\n....."])
def test_boards_are_drawn_by_their_chances(rows: str, density: float | None) -> None:
    """No board is drawn too often because another one is ruled out."""
    position = Position.parse(rows, density=density)
    boards = arrangements(position)
    n = 20_000
    times = Counter(board.mined for board in sample(position, n=n, seed=7))
    assert set(times) == set(boards)
    odds = Fraction(1) if density is None else Fraction(density) / (1 - Fraction(density))
    weights = {board: odds ** sum(board) for board in boards}
    whole = sum(weights.values())
    for board, weight in weights.items():
        p = float(weight / whole)
        assert abs(times[board] / n - p) < 5 * (p * (1 - p) / n) ** 0.5


def test_fixed_cells_may_not_end_the_game() -> None:
    """Fixing the last clear cell as a mine leaves no board; the message says why."""
    with pytest.raises(InconsistentPosition, match="so the game would be over"):
        sample(Position.parse(LAST), mined=[(0, 2)])
    [board] = sample(Position.parse(LAST, running=False), mined=[(0, 2)])
    assert board.mined == b"\0\1\1"


@pytest.mark.parametrize("density", [0.3, 0.8])
@pytest.mark.parametrize("rows", ["3...\n....", "..5..\n.....", "2.\n..\n..", "1...."])
def test_perfect_play_wins_what_trying_everything_does(rows: str, density: float) -> None:
    """By the rules of the game, on boards on which it has not ended."""
    position = Position.parse(rows, density=density)
    expected = win_chances(position)
    best = max(expected.values())
    assert optimal(position).win_chance == pytest.approx(float(best))
    found = win_chance(position)
    assert found.kind == "exact"
    assert found.win_chance == pytest.approx(float(best))
    for at in found.cells:
        assert at.win_chance == pytest.approx(float(expected[position.topology.index(at.cell)]))


def games(count: int) -> Iterator[tuple[Game, Analysis]]:
    """Return each position of games by density, and play them to their end."""
    for seed in range(count):
        level = ("3x1@0.5", "4x3@0.3", "5x2@0.5/torus", "3x4@0.2", "3x3@0.7/hexagon")[seed % 5]
        game = Game(level, seed=seed)
        game.open((0, 0))
        while not game.over:
            known = analyze(game.position)
            yield game, known
            least = np.nanargmin(known.p_mine.ravel())
            game.open(game.position.topology.cell(int(least)))


@pytest.mark.parametrize("count", [300, slow(2000)])
def test_cells_proved_in_games_by_density_are_as_proved(count: int) -> None:
    """The last clear cell is among them, and no least risky cell is one that is certain."""
    by_running = guesses = 0
    for game, known in games(count):
        assert game.position.running
        assert known.exact
        unless = analyze(replace(game.position, running=False))
        by_running += len(known.safe) - len(unless.safe)
        if not known.safe:
            guesses += 1
            boards = arrangements(game.position)
            for cell in game.position.unopened_cells():
                at = game.position.topology.index(cell)
                assert any(board[at] for board in boards)
            continue
        board = game._round.kept_board()
        assert board is not None
        for cell in known.safe:
            assert not board.is_mine(cell)
            assert deduce(game.position, cell) is not None
    assert by_running > count / 60
    assert guesses > count / 10


def test_a_game_that_is_over_is_not_running() -> None:
    """Nor is its position, unless a mine total says so already; undo brings it back."""
    game = Game("3x1@0.5", seed=next(seeds("won")))
    game.open((0, 0))
    while not game.over:
        game.open(min(analyze(game.position).safe))
    assert game.position.running is False
    assert "running: no" in str(game.position)
    game.undo()
    assert game.position.running is True
    assert Game.from_json(game.to_json()).position == game.position


def seeds(status: str) -> Iterator[int]:
    """Return seeds of games in which opening cells in turn takes more than one click."""
    for seed in range(1000):
        game = Game("3x1@0.5", seed=seed)
        game.open((0, 0))
        if game.over or str(game.position.rows[0]) != "1..":
            continue
        game.open((0, 2))
        assert str(game.status) == status
        yield seed


def test_every_game_that_reaches_the_last_cell_wins_by_it() -> None:
    """Of 400 games, those in the position of the first report."""
    reached = 0
    for seed in range(400):
        game = Game("3x1@0.5", seed=seed)
        game.open((0, 0))
        if game.position.rows == ["1.."] and not game.over:
            reached += 1
            assert game.open((0, 2))
            assert str(game.status) == "won"
    assert reached > 50


def test_flags_that_win_prove_nothing() -> None:
    """A game won by flags goes on when only mines are unopened."""
    over = 0
    for seed in range(100):
        game = Game("3x1@0.5", win="flags", seed=seed)
        game.open((0, 0))
        if game.position.rows == ["1.."]:
            assert game.position.running is False
            known = analyze(game.position)
            assert known.p_mine[0, 2] == 0.5
            over += game._round.kept_board().mined == b"\0\1\1"  # type: ignore[union-attr]
    assert over > 10


@pytest.mark.parametrize("rules", ["fair", "kaboom", "kind"])
def test_rules_that_move_mines_keep_the_last_cell_clear(rules: str) -> None:
    """They deal from the boards on which the game is not over."""
    reached = 0
    for seed in range(200):
        game = Game("3x1@0.5", rules, seed=seed)
        game.open((0, 0))
        if game.position.rows == ["1.."] and not game.over:
            reached += 1
            assert game.position.running
            game.open((0, 2))
            assert str(game.status) == "won"
    assert reached > 20
