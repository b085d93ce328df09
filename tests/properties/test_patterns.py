"""Patterns in random positions: the same under all symmetries, and true."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given

from sapper.coach.patterns import Occurrence, explanations, recognise
from sapper.coach.patterns.coverage import Coverage, play
from sapper.coach.patterns.symmetry import SYMMETRIES
from sapper.errors import InconsistentPosition
from sapper.generation import generate
from sapper.position import Position
from sapper.solver import analyze
from support.examples import examples, repeats
from support.marks import slow
from support.pictures import moments, turned_cell, turned_position
from support.strategies import positions

KINDS = ("numbers", "cells", "safe", "mined", "guessed", "claimed_safe", "claimed_mined", "mines")


def described(found: Occurrence, position: Position, symmetry: int = 0) -> tuple[object, ...]:
    """Return an occurrence as plain values, with its cells after a symmetry."""
    cells = (
        frozenset(turned_cell(cell, position, symmetry) for cell in getattr(found, kind))
        for kind in KINDS
    )
    return found.pattern.id, found.place, *cells


def check_symmetry(position: Position) -> None:
    """Check that a turned position has the same patterns and explanations, turned."""
    found, named = recognise(position), explanations(position)
    for symmetry in SYMMETRIES:
        other = turned_position(position, symmetry)
        turned = {described(occurrence, position, symmetry) for occurrence in found}
        assert {described(occurrence, other) for occurrence in recognise(other)} == turned
        proved = {turned_cell(cell, position, symmetry): at.mined for cell, at in named.items()}
        assert {cell: at.mined for cell, at in explanations(other).items()} == proved


@examples(150)
@given(position=positions(lies=0))
def test_small_positions_have_the_same_patterns_under_all_symmetries(position: Position) -> None:
    """Boards may be smaller than a picture, and numbers may need the mine total."""
    if position.topology.name == "rectangle":
        check_symmetry(position)
    else:
        assert recognise(position) == ()


@pytest.mark.parametrize("step", [20, slow(1)])
def test_expert_positions_have_the_same_patterns_under_all_symmetries(step: int) -> None:
    """In positions from whole games, patterns overlap in many ways."""
    for position in moments()[::step]:
        check_symmetry(position)


@examples(300)
@given(position=positions())
def test_patterns_prove_only_what_the_engine_proves(position: Position) -> None:
    """Impossible numbers are rejected; explanations of possible positions are true."""
    try:
        known = analyze(position)
    except InconsistentPosition:
        with suppress(InconsistentPosition):
            explanations(position)
        return
    for cell, found in explanations(position).items():
        assert cell in (known.mined if found.mined else known.safe)


@pytest.mark.slow
def test_no_proof_is_wrong_in_whole_games() -> None:
    """Each deduction is compared with the board while the games are played."""
    total = Coverage()
    for made in generate("expert", repeats(100), seed=50, no_guess="total"):
        total.add(play(made.board, made.start, at_stops=True))
    assert total.share > 0.95
    assert total.named > 0.9 * total.proved
