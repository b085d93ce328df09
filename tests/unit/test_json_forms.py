"""Values read back from their JSON forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from sapper.coach import Outcome, Value, outcomes
from sapper.errors import BadSave
from sapper.game import Game
from sapper.game.post_mortem import PostMortem
from sapper.generation import generate
from sapper.metrics import BoardMetrics, measure
from sapper.position import Position
from sapper.solver import Conflict, ProofStep, conflict, deduce, proof_steps
from sapper.solver.search import Optimal, WinChance, optimal
from sapper.solver.winning import win_chance

COIN = Position.parse("..\n11", mines=1)
WALL = Position.parse("...\n111\n000")
IMPOSSIBLE = Position.parse("...\n143\n...")


def post_mortem() -> PostMortem:
    """The loss of a coin flip."""
    for seed in range(100):
        game = Game.from_position(COIN, seed=seed)
        game.open((0, 0))
        if game.status == "lost":
            return game.post_mortem()
    raise AssertionError("no seed loses")


def step() -> ProofStep:
    """The only step of a proof."""
    proof = deduce(WALL, (0, 2))
    assert proof is not None
    return proof_steps(WALL, proof)[0]


CASES: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "Optimal": (lambda: optimal(COIN), lambda obj: Optimal.from_json(obj, COIN)),
    "WinChance": (lambda: win_chance(COIN), lambda obj: WinChance.from_json(obj, COIN)),
    "Conflict": (lambda: conflict(IMPOSSIBLE), lambda obj: Conflict.from_json(obj, IMPOSSIBLE)),
    "ProofStep": (step, lambda obj: ProofStep.from_json(obj, WALL)),
    "PostMortem": (post_mortem, PostMortem.from_json),
    "BoardMetrics": (
        lambda: measure(next(generate("beginner", seed=1)).board),
        BoardMetrics.from_json,
    ),
    "Value": (lambda: Value(0.25, "sampled", 0.01), Value.from_json),
    "Outcome": (lambda: outcomes(COIN, (0, 0))[0], Outcome.from_json),
}


@pytest.mark.parametrize("name", CASES)
def test_a_value_is_read_back_from_json(name: str) -> None:
    """The value survives a round trip through JSON text."""
    make, read = CASES[name]
    value = make()
    assert read(json.loads(json.dumps(value.to_json()))) == value


@pytest.mark.parametrize("name", CASES)
def test_invalid_json_forms_are_refused(name: str) -> None:
    """Missing keys, other types and values out of range raise `BadSave`."""
    make, read = CASES[name]
    valid = json.loads(json.dumps(make().to_json()))
    # Derived from the others.
    derived = {"forced"} if name == "PostMortem" else set()
    for bad in (None, 5, [], "text"):
        with pytest.raises(BadSave):
            read(bad)
    for key in set(valid) - derived:
        with pytest.raises(BadSave):
            read({other: value for other, value in valid.items() if other != key})
        for bad in (7.5, -3, 0.5j):
            if valid[key] != bad:
                with pytest.raises(BadSave):
                    read({**valid, key: bad})
