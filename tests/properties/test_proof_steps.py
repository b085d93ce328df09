"""Each step of a proof follows from its numbers and the earlier steps."""

from __future__ import annotations

from hypothesis import HealthCheck, assume, given

from sapper.game import Game
from sapper.position import Position
from sapper.solver import Deduction, analyze, both_ways, deduce, proof_steps
from support.examples import examples
from support.oracle import arrangements
from support.strategies import positions

MANY = examples(300, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])


def follow(position: Position, proof: Deduction) -> None:
    """Check the steps of a proof by brute force."""
    shape = position.topology
    goal = shape.index(proof.cell)
    clear: set[int] = set()
    mined: set[int] = set()
    steps = proof_steps(position, proof)
    assumed = False
    for step in steps:
        if step.assumed and not assumed:
            assumed = True
            assert step.text.startswith("Suppose ")
            (clear if proof.mined else mined).add(goal)
        assert assumed == step.assumed
        assert set(step.numbers) <= set(proof.because)
        assert step.total <= (proof.mines is not None)
        assert step.running <= proof.running
        boards = [
            board
            for board in arrangements(
                position, total=step.total, numbers=step.numbers, running=step.running
            )
            if not any(board[at] for at in clear) and all(board[at] for at in mined)
        ]
        if step.contradiction:
            assert step is steps[-1]
            assert not boards
            assert (step.safe, step.mined)[proof.mined] == (proof.cell,)
            continue
        assert step.safe or step.mined
        new_clear, new_mined = set(map(shape.index, step.safe)), set(map(shape.index, step.mined))
        assert not any(board[at] for board in boards for at in new_clear)
        assert all(board[at] for board in boards for at in new_mined)
        clear |= new_clear
        mined |= new_mined
    assert proof.cell in (steps[-1].mined if proof.mined else steps[-1].safe)
    assert assumed == steps[-1].contradiction


@MANY
@given(position=positions(lies=0))
def test_each_step_is_valid_by_brute_force(position: Position) -> None:
    """Every safe cell and mine has valid steps, on rectangle and torus, with or without a total."""
    known = analyze(position)
    assume(known.safe or known.mined)
    for cell in sorted(known.safe | known.mined):
        proof = deduce(position, cell, mined=cell in known.mined)
        assert proof is not None
        follow(position, proof)


def test_proofs_of_expert_games_end_at_their_cell() -> None:
    """The last step settles the cell, and most steps need no assumption."""
    steps = 0
    supposed = 0
    for seed in range(3):
        game = Game("expert", first_click="opening", seed=seed)
        game.open((8, 8))
        while safe := analyze(game.position).safe:
            for cell in sorted(safe)[::9]:
                proof = deduce(game.position, cell)
                assert proof is not None
                found = proof_steps(game.position, proof)
                assert cell in found[-1].safe
                assert len(found) <= 14
                steps += 1
                supposed += found[-1].contradiction
            game.open(min(safe))
    assert steps > 200
    assert supposed < steps / 4


@MANY
@given(position=positions(lies=0))
def test_unproved_cell_prints_two_boards(position: Position) -> None:
    """Of two boards that fit, one has a mine in the cell; a proved cell has no such pair."""
    known = analyze(position)
    fitting = set(arrangements(position))
    for cell in position.unopened_cells():
        found = both_ways(position, cell)
        assert (found is None) == (cell in known.safe | known.mined)
        if found is not None:
            mined, clear = found
            assert mined.is_mine(cell)
            assert not clear.is_mine(cell)
            assert {mined.mined, clear.mined} <= fitting
