"""What bots hold certain is held against the exact engine, over thousands of positions."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from sapper.events import ActionKind
from sapper.game import Game
from sapper.generate import substream
from sapper.position import Position
from sapper.rules import Level
from sapper.solver import Solver
from sapper.solver.bots import Choice, as_choice, begin, make_bot
from sapper.topology import Cell
from support.strategies import positions

SOUND = {
    "exact": ("exact", {}),
    "groups": ("groups", {}),
    "reduction": ("groups", {"probability": False, "last_turns": False}),
    "autosweeper": ("autosweeper", {"sound": True}),
}


def claims(position: Position, choice: Choice) -> tuple[set[Cell], set[Cell]]:
    """The cells that a choice holds safe, and those it holds mined."""
    cells: dict[ActionKind, set[Cell]] = {ActionKind.OPEN: set(), ActionKind.FLAG: set()}
    for action in choice.actions:
        assert action.cell is not None
        cells[action.kind].add(action.cell)
    opened, flagged = cells[ActionKind.OPEN], cells[ActionKind.FLAG]
    return set() if choice.guess else opened, flagged - opened


def false_claims(name: str, options: dict[str, bool], level: str, games: int) -> Counter[str]:
    """Play games; counts positions, claims, and what of them the exact engine denies.

    What an estimate of a guess is worth is not counted: it claims nothing.
    """
    bot, solver, count = make_bot(name, **options), Solver(), Counter[str]()
    for seed in range(games):
        begin(bot, Level.of(level), substream(seed, "bot"))
        game = Game(level, start="safe", seed=seed, undo=False)
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
def test_what_a_sound_bot_holds_certain_is_so(bot: str, level: str, games: int) -> None:
    """Nothing that it opens as safe or flags as a mine is anything else."""
    count = false_claims(*SOUND[bot], level, games)
    assert count["positions"] > games
    assert count["safe"] > games
    assert count["not safe"] == count["not mined"] == 0


@pytest.mark.parametrize("bot", SOUND)
@settings(max_examples=300, deadline=None)
@given(position=positions(lies=0))
def test_on_any_small_position_as_well(bot: str, position: Position) -> None:
    """Flags anywhere, opened mines, with and without a total: no flag of the player is trusted."""
    exact = Solver().analyze(position)
    if not position.unopened_cells():
        return
    name, options = SOUND[bot]
    safe, mined = claims(position, as_choice(make_bot(name, **options).choose(position)))
    assert safe <= exact.safe
    assert mined <= exact.mined


@settings(max_examples=300, deadline=None)
@given(position=positions(lies=1))
def test_a_position_that_cannot_be_ends_as_well(position: Position) -> None:
    """Every loop comes to an end on numbers that contradict each other, and none is surprised."""
    for bot in ("groups", "reduction", "autosweeper"):
        name, options = SOUND[bot]
        as_choice(make_bot(name, **options).choose(position))
    as_choice(make_bot("autosweeper").choose(position))


def test_autosweeper_as_published_makes_false_claims() -> None:
    """Its second level is wrong now and then; its marks never are, for level 1 makes them."""
    count = false_claims("autosweeper", {}, "20x20@0.2", 200)
    assert count["positions"] > 2000
    assert 0 < count["not safe"] < count["safe"] / 100
    assert count["not mined"] == 0
