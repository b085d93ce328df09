"""Arrangements agree with brute force, and the methods with each other."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sapper.generation import generate
from sapper.position import Position
from sapper.solver.arrange import Likelihood, Method, StartRule, arrange, sat
from support.examples import examples
from support.oracle import arrangements
from support.strategies import positions

SOME = examples(800)


@SOME
@given(
    positions(lies=2),
    st.sampled_from(Method),
    st.sampled_from(StartRule),
    st.sampled_from(Likelihood),
)
def test_an_arrangement_is_found_if_there_is_one(
    position: Position, method: Method, start_rule: StartRule, likelihood: Likelihood
) -> None:
    """Every method and variant finds an arrangement if one exists, with or without a total."""
    fit = arrangements(position)
    found = arrange(position, method, start_rule=start_rule, likelihood=likelihood)
    assert found.found == bool(fit)
    if found.board is not None:
        assert found.board.mined in fit


@SOME
@given(positions(lies=1))
def test_all_methods_name_the_same_cause(position: Position) -> None:
    """Cells are named only if they alone are impossible, whatever the total."""
    assume(not arrangements(position))
    found = [arrange(position, method).problem for method in Method]
    assert len({problem and problem.cause for problem in found}) == 1
    for problem in found:
        assert problem is not None
        assert bool(problem.cells) == (problem.cause != "total")
        if problem.cells:
            cells = problem.cells
            assert not arrangements(position, total=False, numbers=cells)  # type: ignore[arg-type]


@SOME
@given(positions(lies=2), st.data())
def test_fixed_cells_are_respected(position: Position, data: st.DataObject) -> None:
    """An arrangement never contradicts a fixed cell."""
    unopened = position.unopened_cells()
    fixed = (
        data.draw(st.lists(st.sampled_from(unopened), max_size=3, unique=True)) if unopened else []
    )
    values = data.draw(st.lists(st.booleans(), min_size=len(fixed), max_size=len(fixed)))
    pairs = list(zip(fixed, values, strict=True))
    index = position.topology.index
    fit = [
        board
        for board in arrangements(position, running=False)
        if all(board[index(cell)] == value for cell, value in pairs)
    ]
    for method in Method:
        found = arrange(
            position,
            method,
            safe=[cell for cell, value in pairs if not value],
            mined=[cell for cell, value in pairs if value],
        )
        assert found.found == bool(fit)
        assert found.board is None or found.board.mined in fit


@pytest.mark.parametrize("seed", range(30))
def test_changed_number_is_detected_by_every_method(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The boards span several windows; the exact count shows whether any arrangement still fits."""
    monkeypatch.setattr(sat, "_WINDOW", 5)
    rng = Random(seed)
    [made] = generate("14x14:35", seed=seed)
    cells = bytearray("".join(made.board.rows).encode())
    for cell, char in enumerate(cells):
        if char == ord("*") or rng.random() < 0.6:
            cells[cell] = ord(".")
    numbers = [cell for cell, char in enumerate(cells) if char in b"1234567"]
    cells[rng.choice(numbers)] += rng.choice((-1, 1))
    for mines in (35, None):
        position = Position(made.board.topology, bytes(cells), mines)
        expected = arrange(position, Method.EXACT)
        found = arrange(position, Method.SAT)
        assert (found.found, found.cause) == (expected.found, expected.cause)
        tried = arrange(position)
        assert (tried.found, tried.cause) == (expected.found, expected.cause)
