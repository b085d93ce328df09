"""Values can be read back from their JSON forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from sapper.coach import Decision, Outcome, Review, Value, outcomes, review
from sapper.errors import BadSave
from sapper.game import Game
from sapper.game.post_mortem import PostMortem
from sapper.generation import generate
from sapper.metrics import BoardMetrics, measure
from sapper.position import Position
from sapper.solver import (
    Conflict,
    Deduction,
    Hint,
    ProofStep,
    conflict,
    deduce,
    hint,
    proof_steps,
)
from sapper.solver.search import Optimal, WinChance, optimal
from sapper.solver.winning import win_chance

COIN = Position.parse("..\n11", mines=1)
WALL = Position.parse("...\n111\n000")
CORNER = Position.parse("....\n.11.\n.1..", mines=2)
IMPOSSIBLE = Position.parse("...\n143\n...")


def post_mortem() -> PostMortem:
    """The loss of a coin flip."""
    for seed in range(100):
        game = Game.from_position(COIN, seed=seed)
        game.open((0, 0))
        if game.status == "lost":
            return game.post_mortem()
    raise AssertionError("no seed loses")


def proof() -> Deduction:
    """A proof by two numbers."""
    proof = deduce(WALL, (0, 2))
    assert proof is not None
    return proof


def needless_guess() -> Game:
    """A game that includes a guess although another cell was proved safe."""
    game = Game.from_position(CORNER, seed=1)
    game.open((0, 3))
    return game


CASES: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "Optimal": (lambda: optimal(COIN), lambda obj: Optimal.from_json(obj, COIN)),
    "WinChance": (lambda: win_chance(COIN), lambda obj: WinChance.from_json(obj, COIN)),
    "Conflict": (lambda: conflict(IMPOSSIBLE), lambda obj: Conflict.from_json(obj, IMPOSSIBLE)),
    "Deduction": (proof, lambda obj: Deduction.from_json(obj, WALL)),
    "Hint": (lambda: hint(WALL), lambda obj: Hint.from_json(obj, WALL)),
    "Decision": (
        lambda: review(needless_guess()).decisions[0],
        lambda obj: Decision.from_json(obj, CORNER),
    ),
    "Review": (
        lambda: review(needless_guess()),
        lambda obj: Review.from_json(obj, needless_guess()),
    ),
    "ProofStep": (
        lambda: proof_steps(WALL, proof())[0],
        lambda obj: ProofStep.from_json(obj, WALL),
    ),
    "PostMortem": (post_mortem, PostMortem.from_json),
    "BoardMetrics": (
        lambda: measure(next(generate("beginner", seed=1)).board),
        BoardMetrics.from_json,
    ),
    "Value": (lambda: Value(0.25, "sampled", 0.01), Value.from_json),
    "Outcome": (lambda: outcomes(COIN, (0, 0))[0], Outcome.from_json),
}


DERIVED = {
    "Deduction": {"because", "sentence"},
    "Hint": {"because"},
    "Decision": {"loss"},
    "PostMortem": {"forced"},
    "Review": {"counts", "luck", "lost_at", "costliest", "curve"},
}
"""Keys that are computed from the others."""


@pytest.mark.parametrize("name", CASES)
def test_a_value_is_read_back_from_json(name: str) -> None:
    """The value is the same after a round trip through JSON text."""
    make, read = CASES[name]
    value = make()
    assert read(json.loads(json.dumps(value.to_json()))) == value


@pytest.mark.parametrize("name", CASES)
def test_invalid_json_forms_are_refused(name: str) -> None:
    """Missing keys, other types, and values out of range raise `BadSave`."""
    make, read = CASES[name]
    valid = json.loads(json.dumps(make().to_json()))
    for bad in (None, 5, [], "text"):
        with pytest.raises(BadSave):
            read(bad)
    for key in set(valid) - DERIVED.get(name, set()):
        with pytest.raises(BadSave):
            read({other: value for other, value in valid.items() if other != key})
        for bad in (7.5, -3, 0.5j):
            if valid[key] != bad:
                with pytest.raises(BadSave):
                    read({**valid, key: bad})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"witnesses": [[0, 0]]}, r"\(0, 0\) is not a number next to unopened cells"),
        ({"witnesses": [[9, 9]]}, r"no cell \(9, 9\) on a board with 3 rows and 3 columns"),
        ({"mines": 4}, "the position does not have a total of 4 mines"),
    ],
)
def test_proof_from_another_position_is_rejected(change: dict[str, Any], message: str) -> None:
    """A proof's numbers and mine total must be those of the position."""
    with pytest.raises(BadSave, match=message):
        Deduction.from_json({**proof().to_json(), **change}, WALL)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rules": "windows-xp"}, "the rules are 'classic', got 'windows-xp'"),
        ({"status": "drawn"}, "'drawn' is not a valid Status"),
    ],
)
def test_review_of_another_game_is_rejected(change: dict[str, Any], message: str) -> None:
    """A review's rules must be those of the game."""
    game = needless_guess()
    with pytest.raises(BadSave, match=message):
        Review.from_json({**review(game).to_json(), **change}, game)


def test_review_with_decisions_of_another_game_is_rejected() -> None:
    """A review's decisions must be on the cells that the game opened, in order."""
    game = needless_guess()
    obj = review(game).to_json()
    with pytest.raises(BadSave, match="the game has 0 decisions, got 1"):
        Review.from_json(obj, Game.from_position(CORNER, seed=1))
    other = Game.from_position(CORNER, seed=1)
    other.open((0, 0))
    with pytest.raises(BadSave, match=r"decision 0 of the game is \(0, 0\), got \(0, 3\)"):
        Review.from_json(obj, other)


def test_review_of_a_trail_is_read_with_its_positions() -> None:
    """A review read from JSON includes the position before each decision."""
    game = needless_guess()
    read = Review.from_json(review(game).to_json(), game.trail())
    assert read.position(0) == CORNER
