"""Positions by density agree with weighted brute force on every topology."""

from collections.abc import Callable, Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.board import Board
from sapper.errors import InconsistentPosition
from sapper.position import Position
from sapper.rules import Level
from sapper.simulation import Match
from sapper.solver import Analysis, Limit, exact, hint, reference, sample, win_chance
from sapper.solver.bots import bots, make_bot
from sapper.solver.search import optimal
from sapper.topology import TOPOLOGIES, topology
from support.marks import slow
from support.oracle import MOST_UNOPENED, arrangements, chances, win_chances
from support.strategies import positions as positions_of_any_kind

Analyze = Callable[[Position], Analysis]

_DENSITIES = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.8)
_EACH = 30 if settings().max_examples >= 30 else 15
"""Number of positions on each topology; CI uses more."""


def positions(name: str, most: int = MOST_UNOPENED) -> Iterator[Position]:
    """Return positions on boards dealt by density, with a limit on unopened cells."""
    rng = Random(name)
    shape = topology(name, 6, 3)
    count = 0
    while count < _EACH:
        density = _DENSITIES[count % len(_DENSITIES)]
        board = Board(shape, bytes(rng.random() < density for _ in range(shape.size)))
        clear = [cell for cell in range(shape.size) if not board.mined[cell]]
        covered = rng.randint(1, most)
        opened = set(rng.sample(clear, max(0, min(len(clear), shape.size - covered))))
        cells = bytes(
            char if at in opened else ord(rng.choice("....F"))
            for at, char in enumerate(board.cells)
        )
        position = Position(shape, cells, density=density)
        if len(position.unopened_cells()) <= most:
            count += 1
            yield position


def guesses(name: str) -> Iterator[Position]:
    """Return positions in games by density where no cell is proved safe, but not all are mines."""
    rng = Random(name)
    shape, count = topology(name, 5, 3), 0
    while count < _EACH:
        density = rng.choice(_DENSITIES[2:])
        board = Board(shape, bytes(rng.random() < density for _ in range(shape.size)))
        cells = bytearray(b"." * shape.size)
        for first in rng.sample(range(shape.size), shape.size):
            position = Position(shape, bytes(cells), density=density)
            known = exact.analyze(position)
            for cell in known.safe_indices:
                cells[cell] = board.cells[cell]
            covered = len(position.unopened_cells())
            certain = covered == len(known.mined_indices) or bool(known.safe_indices)
            if covered <= MOST_UNOPENED and not certain:
                count += 1
                yield position
                break
            if not board.mined[first]:
                cells[first] = board.cells[first]


@pytest.mark.parametrize("name", [*TOPOLOGIES])
def test_chances_match_weighted_arrangements(analyze: Analyze, name: str) -> None:
    """The density changes the chances, but not the proofs."""
    compared = 0
    for position in positions(name):
        analysis, expected = analyze(position), chances(position)
        assert analysis.solutions == len(arrangements(position))
        for cell, chance in expected.items():
            assert analysis.p_mine.flat[cell] == pytest.approx(float(chance), abs=1e-12)
            assert (cell in analysis.safe_indices) == (chance == 0)
            assert (cell in analysis.mined_indices) == (chance == 1)
            compared += 1
    assert compared >= 3 * _EACH


@pytest.mark.parametrize(
    "name", [name if name == "rectangle" else slow(name) for name in TOPOLOGIES]
)
def test_riskier_hint_wins_more_often(name: str) -> None:
    """If a hint takes a higher risk, its win chance is higher as well."""
    compared = 0
    for position in guesses(name):
        expected = chances(position)
        clue, least = hint(position), min(expected.values())
        cell = position.topology.index(clue.cell)
        assert clue.p_mine == pytest.approx(float(expected[cell]), abs=1e-12)
        assert not clue.proved
        [action] = make_bot("exact").choose(position).actions
        assert expected[position.topology.index(action.cell)] == least
        rival = clue.least_risky
        if rival is None:
            assert expected[cell] == least
        else:
            assert clue.win_chance is not None
            assert clue.win_chance > rival.win_chance
        if len(arrangements(position)) <= 60:
            wins = win_chances(position)
            assert float(wins[cell]) == pytest.approx(float(max(wins.values())), abs=1e-9)
            compared += 1
    assert compared >= _EACH // 6


@pytest.mark.parametrize(
    "name", ["rectangle", *(slow(name) for name in TOPOLOGIES if name != "rectangle")]
)
def test_win_chances_match_brute_force(name: str) -> None:
    """The position's win chance, those of all cells, and the best cells match."""
    compared = 0
    for position in positions(name, most=7):
        if len(arrangements(position)) > 60:
            continue
        expected = win_chances(position)
        best = max(expected.values())
        result = win_chance(position)
        assert result.kind == "exact"
        if best == 0:
            # Every unopened cell is a mine, so the game is won.
            assert result.win_chance == 1
            continue
        assert result.win_chance == pytest.approx(float(best), abs=1e-9)
        for at in result.cells:
            chance = expected[position.topology.index(at.cell)]
            assert at.win_chance == pytest.approx(float(chance), abs=1e-9)
        played = optimal(position)
        assert (played.wins, played.solutions) == (None, len(arrangements(position)))
        equal = {cell for cell, chance in expected.items() if abs(float(best - chance)) < 1e-9}
        assert set(played.best_indices) == equal
        compared += 1
    assert compared >= _EACH // 4


def test_reported_position_has_correct_chances(analyze: Analyze) -> None:
    """One cell showed 83 %, which is correct only for a density of 1/2."""
    # Source: brute force.
    text = "....\n.1..\n..11"
    analysis = analyze(Position.parse(text, density=0.05))
    assert analysis.p_mine[1, 3] == pytest.approx(0.2083, abs=1e-4)
    assert analyze(Position.parse(text)).p_mine[1, 3] == pytest.approx(5 / 6)


def test_density_one_half_weighs_equally(analyze: Analyze) -> None:
    """With a density of 1/2, all arrangements have the same weight."""
    for position in positions("rectangle"):
        even = Position(position.topology, position.cells, density=0.5)
        unknown = Position(position.topology, position.cells)
        np.testing.assert_array_equal(analyze(even).p_mine, analyze(unknown).p_mine)


@pytest.mark.parametrize(("density", "mines"), [(0, 0), (1, 3)])
def test_density_zero_or_one_proves_every_cell(analyze: Analyze, density: int, mines: int) -> None:
    """With density 0, no unopened cell is a mine; with density 1, every one is."""
    position = Position.parse("...", density=density)
    analysis, same = analyze(position), analyze(Position.parse("...", mines=mines))
    assert (analysis.safe, analysis.mined, analysis.solutions) == (same.safe, same.mined, 1)
    with pytest.raises(InconsistentPosition) as caught:
        analyze(Position.parse(".1.", density=density))
    assert caught.value.cause == "total"


def test_estimate_weighs_arrangements() -> None:
    """Beyond the limit, chances are sampled; the true ones are within their error."""
    outside = cells = 0
    for position in positions("rectangle"):
        rough = exact.analyze(position, limit=Limit(states=1))
        if rough.exact:
            continue
        assert rough.p_mine_error is not None
        for cell, chance in chances(position).items():
            off = abs(rough.p_mine.flat[cell] - float(chance))
            outside += off > rough.p_mine_error.flat[cell] + 1e-9
            cells += 1
    assert cells > 5 * _EACH // 6
    assert outside <= 0.1 * cells


def test_samples_follow_the_weights() -> None:
    """A cell's share of mines is within five deviations of its chance."""
    position = Position.parse("....\n.1..\n....", density=0.1)
    boards = np.array([list(board.mined) for board in sample(position, n=20_000, seed=1)])
    shares = boards.mean(axis=0)
    for cell, chance in chances(position).items():
        p = float(chance)
        assert abs(shares[cell] - p) < 5 * (p * (1 - p) / len(boards)) ** 0.5


def test_untouched_board_shows_its_density() -> None:
    """Before the first click, every cell has the level's density as its chance."""
    for name in [*TOPOLOGIES]:
        level = Level(6, 6, None, 0.12, name)
        np.testing.assert_allclose(exact.analyze(level.unopened()).p_mine, 0.12)


@given(positions_of_any_kind(lies=0), st.floats(0.01, 0.99))
def test_any_density_matches_brute_force(position: Position, density: float) -> None:
    """Both engines agree with brute force, including on flags and opened mines."""
    dense = Position(position.topology, position.cells, density=density)
    expected = chances(dense)
    for engine in (exact, reference):
        analysis = engine.analyze(dense)
        for cell, chance in expected.items():
            assert analysis.p_mine.flat[cell] == pytest.approx(float(chance), abs=1e-9)


@pytest.mark.parametrize("bot", sorted(bots))
def test_every_bot_plays_with_a_density(bot: str) -> None:
    """No bot needs the mine total."""
    played = Match(bot, "6x5@0.15", start=(2, 2)).play(range(6))
    assert {game.result for game in played} <= {"won", "lost", "stuck"}
    assert any(game.result != "stuck" for game in played)


@pytest.mark.slow
def test_perfect_play_beats_least_risk_with_a_density() -> None:
    """Games are played from the first click to the end."""
    best, least = (Match(bot, "4x3@0.3", start=(0, 0)) for bot in ("optimal", "exact"))
    seeds = range(1500)
    wins = [sum(game.result == "won" for game in match.play(seeds)) for match in (best, least)]
    assert wins[0] > wins[1]
