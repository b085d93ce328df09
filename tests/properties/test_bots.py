"""Bots' claims of certainty agree with the exact engine in thousands of positions."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, given

from sapper.actions import ActionKind
from sapper.game import Game
from sapper.generation import substream
from sapper.position import Position
from sapper.rules import Level
from sapper.solver import Analysis, Solver
from sapper.solver.bots import Choice, as_choice, begin, make_bot
from sapper.solver.bots.kaboom_sat import KaboomSat
from sapper.topology import Cell
from support.examples import examples, repeats
from support.strategies import positions

SOUND = {
    "exact": ("exact", {}),
    "groups": ("groups", {}),
    "reduction": ("groups", {"probability": False, "last_turns": False}),
    "autosweeper": ("autosweeper", {"sound": True}),
    "fair-evaluate": ("fair-evaluate", {}),
    "kaboom-sat": ("kaboom-sat", {}),
}


def claims(position: Position, choice: Choice) -> tuple[set[Cell], set[Cell]]:
    """Return the cells that a choice claims to be safe and those that it claims to be mines."""
    cells: dict[ActionKind, set[Cell]] = {ActionKind.OPEN: set(), ActionKind.FLAG: set()}
    for action in choice.actions:
        assert action.cell is not None
        cells[action.kind].add(action.cell)
    opened, flagged = cells[ActionKind.OPEN], cells[ActionKind.FLAG]
    return set() if choice.guess else opened, flagged - opened


def false_claims(name: str, options: dict[str, bool], level: str, games: int) -> Counter[str]:
    """Play games; count positions, claims, and claims that the exact engine refutes.

    Estimates for guesses are not claims and are not counted.
    """
    bot, solver, count = make_bot(name, **options), Solver(), Counter[str]()
    for seed in range(games):
        begin(bot, Level.of(level), substream(seed, "bot"))
        game = Game(level, first_click="safe", seed=seed, undo=False)
        game.open((0, 0))
        while not game.over:
            position = game.position
            choice, exact = as_choice(bot.choose(position)), solver.analyze(position)
            safe, mined = claims(position, choice)
            count["positions"] += 1
            count["safe"] += len(safe)
            count["mined"] += len(mined)
            count["not safe"] += len(safe - exact.safe)
            count["not mined"] += len(mined - exact.mined)
            count["missed"] += choice.guess and bool(exact.safe)
            for action in choice.actions:
                if not game.over:
                    game.play(action)
    return count


@pytest.mark.parametrize("bot", SOUND)
@pytest.mark.parametrize(
    ("level", "games"), [("expert", 60), ("20x20@0.2", 60), ("9x9:10/torus", 60)]
)
def test_sound_bots_are_right(bot: str, level: str, games: int) -> None:
    """Every cell opened as safe is safe, and every cell flagged as a mine is a mine."""
    count = false_claims(*SOUND[bot], level, repeats(games))
    assert count["positions"] > repeats(games)
    assert count["safe"] > games
    assert count["not safe"] == count["not mined"] == 0


@pytest.mark.parametrize("bot", SOUND)
@examples(300)
@given(position=positions(lies=0))
def test_sound_bots_are_right_on_small_positions(bot: str, position: Position) -> None:
    """Flags are arbitrary and not trusted; mines may be open, and the total may be missing."""
    assume(position.unopened_cells())
    exact = Solver().analyze(position)
    name, options = SOUND[bot]
    safe, mined = claims(position, as_choice(make_bot(name, **options).choose(position)))
    assert safe <= exact.safe
    assert mined <= exact.mined


@examples(300)
@given(position=positions(lies=1))
def test_impossible_position_terminates(position: Position) -> None:
    """Contradictory numbers cause neither an endless loop nor a crash."""
    for bot in ("groups", "reduction", "autosweeper", "fair-evaluate", "kaboom-sat"):
        name, options = SOUND[bot]
        as_choice(make_bot(name, **options).choose(position))
    as_choice(make_bot("autosweeper").choose(position))


def frontier(position: Position) -> set[Cell]:
    """Return the unopened cells that touch a number."""
    shape = position.topology
    return {
        cell
        for cell in position.unopened_cells()
        if any(position.number(near) is not None for near in shape.neighbours(cell))
    }


def proves_all(bot: KaboomSat, position: Position, exact: Analysis) -> None:
    """Check that a bot proves everything that can be proved about the frontier and the rest."""
    marks, edge, at = bot.marks(position), frontier(position), position.topology.cells_at
    outside = set(position.unopened_cells()) - edge
    assert at(marks.safe) == exact.safe & edge
    assert at(marks.mined) == exact.mined & edge
    assert at(marks.unknown) == edge - exact.safe - exact.mined
    assert at(marks.outside) == outside
    assert marks.outside_clear == (bool(outside) and outside <= exact.safe)
    assert marks.outside_mined == (bool(outside) and outside <= exact.mined)
    assert bot.statistics.unanswered == 0


@examples(200)
@given(position=positions(lies=0))
def test_kaboom_sat_is_complete_on_small_positions(position: Position) -> None:
    """All provable cells are proved, with and without a total or skipped queries."""
    exact = Solver().analyze(position)
    for witnesses in (True, False):
        proves_all(KaboomSat(witnesses=witnesses), position, exact)


@pytest.mark.parametrize(
    ("level", "rules", "games"),
    [
        ("expert", "kind", 12),
        ("16x16:70", "kind", 10),
        ("9x9:10/torus", "kind", 15),
        ("12x12@0.2", "classic", 15),
    ],
)
def test_kaboom_sat_is_complete_in_games(level: str, rules: str, games: int) -> None:
    """Settled cells stay settled throughout a game; few games end with a guess."""
    bot, solver, seen = KaboomSat(), Solver(), 0
    for seed in range(repeats(games)):
        game = Game(level, rules, first_click="safe", seed=seed, undo=False)
        game.open((0, 0))
        while not game.over:
            seen += 1
            proves_all(bot, game.position, solver.analyze(game.position))
            for action in as_choice(bot.choose(game.position)).actions:
                if not game.over:
                    game.play(action)
    assert seen > repeats(games)


@pytest.mark.slow
def test_autosweeper_as_published_makes_false_claims() -> None:
    """Autosweeper's second level is sometimes wrong, but marks from its first level never are."""
    count = false_claims("autosweeper", {}, "20x20@0.2", 200)
    assert count["positions"] > 2000
    assert 0 < count["not safe"] < count["safe"] / 100
    assert count["not mined"] == 0
