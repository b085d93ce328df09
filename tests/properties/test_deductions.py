"""The numbers that a proof names are sufficient, and all of them are needed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given

from sapper.game import Game
from sapper.position import Position
from sapper.solver import analyze
from sapper.solver.deduction import Deduction, deduce
from support.alone import proved_alone
from support.examples import examples, repeats
from support.oracle import arrangements
from support.strategies import positions

MANY = examples(400, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])


@MANY
@given(position=positions(lies=0))
def test_proofs_are_sufficient_and_minimal(position: Position) -> None:
    """By brute force, safe cells and mines need exactly the named numbers."""
    known = analyze(position)
    assume(known.safe or known.mined)
    for cell in sorted(known.safe | known.mined):
        mined = cell in known.mined
        found = deduce(position, cell, mined=mined)
        assert found is not None
        assert found.mined == mined
        place, total = position.topology.index(cell), found.mines is not None
        named = set(found.because)
        used: Any = {"total": total, "running": found.running}
        alone = arrangements(position, numbers=named, **used)
        assert all(board[place] == mined for board in alone)
        for one in named:
            left = arrangements(position, numbers=named - {one}, **used)
            assert any(board[place] != mined for board in left)


@MANY
@given(position=positions(lies=0))
def test_nothing_else_has_a_proof(position: Position) -> None:
    """Only cells that the exact engine proves safe or mined have a proof."""
    known = analyze(position)
    for cell in position.topology.cells():
        assert (deduce(position, cell) is not None) == (cell in known.safe)
        assert (deduce(position, cell, mined=True) is not None) == (cell in known.mined)


@pytest.mark.slow
def test_proofs_of_expert_games_hold_for_the_exact_engine() -> None:
    """The position that is checked has only the named numbers."""
    checked = 0
    for seed in range(repeats(8)):
        game = Game("expert", first_click="opening", seed=seed)
        game.open((8, 8))
        while not game.over:
            found = analyze(game.position)
            if not found.safe:
                break
            for cell in sorted(found.safe)[::7]:
                proof = deduce(game.position, cell)
                assert proof is not None
                assert _holds(proof, game.position)
                checked += 1
            game.open(min(found.safe))
    assert checked > repeats(300)


def _holds(proof: Deduction, position: Position) -> bool:
    """Whether the engine proves the cell from the numbers of the proof alone."""
    safe, _ = proved_alone(position, proof.because, total=proof.mines is not None)
    return proof.cell in safe
