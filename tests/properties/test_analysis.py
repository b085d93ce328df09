"""Both engines agree with brute force over every arrangement of mines."""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, example, given

from sapper.errors import InconsistentPosition
from sapper.position import Position
from sapper.solver import Analysis, Solver, reference
from sapper.topology import Cell, topology
from support.examples import examples
from support.oracle import arrangements, truth
from support.strategies import positions

Analyze = Callable[[Position], Analysis]

# Half of the changed numbers are still correct; tests that need an impossible position skip those.
FILTERED = [HealthCheck.filter_too_much, HealthCheck.too_slow]
MANY = examples(3000, suppress_health_check=FILTERED)
SOME = examples(500, suppress_health_check=FILTERED)


@MANY
@example(
    # One of the numbers is a ten.
    position=Position(topology("triangle", 6, 5), b"001110243*33**:**4****.3243422", 10)
)
@given(position=positions())
def test_analysis_matches_brute_force(analyze: Analyze, position: Position) -> None:
    """Counts, chances and proofs match; an impossible position is an error."""
    expected = truth(position)
    if not expected.solutions:
        with pytest.raises(InconsistentPosition):
            analyze(position)
        return
    found = analyze(position)
    shape = position.topology
    assert found.exact
    assert found.solutions == expected.solutions
    for cell in shape.cells():
        chance, ways = found.p_mine[cell], expected.with_mine.get(shape.index(cell))
        if ways is None:
            assert math.isnan(chance)
            assert cell not in found.safe | found.mined
            continue
        assert chance == pytest.approx(ways / expected.solutions, abs=1e-12)
        assert (cell in found.safe) == (ways == 0)
        assert (cell in found.mined) == (ways == expected.solutions)


@SOME
@given(position=positions(lies=1))
def test_error_has_its_cause(analyze: Analyze, position: Position) -> None:
    """The total is blamed only if everything else is possible, a number only if it fails alone."""
    assume(not arrangements(position))
    with pytest.raises(InconsistentPosition) as caught:
        analyze(position)
    error = caught.value
    assert error.cause == expected_cause(position)
    assert bool(error.cells) == (error.cause != "total")
    assert all(position.number(cell) is not None for cell in error.cells)
    if error.cells:
        assert not arrangements(position, total=False, numbers=joined(position, error.cells))


def expected_cause(position: Position) -> str:
    """Find the most local cause by brute force."""
    if arrangements(position, total=False):
        return "total"
    numbers = [c for c in position.topology.cells() if position.number(c) is not None]
    if any(not arrangements(position, total=False, numbers=[cell]) for cell in numbers):
        return "number"
    return "component"


def joined(position: Position, cells: Iterable[Cell]) -> set[Cell]:
    """Return the given numbers and all that are linked to them by shared unopened cells."""
    found = set(cells)
    stack = list(found)
    while stack:
        for near in position.topology.neighbours(stack.pop()):
            if position.is_unopened(near):
                new = {
                    cell
                    for cell in position.topology.neighbours(near)
                    if position.number(cell) is not None and cell not in found
                }
                found |= new
                stack.extend(new)
    return found


@SOME
@given(position=positions(lies=0))
def test_reference_gives_exact_fractions(position: Position) -> None:
    """The reference engine's chances are exact fractions."""
    expected = truth(position)
    chances = reference.mine_probabilities(position)
    assert chances == {
        position.topology.cell(i): Fraction(ways, expected.solutions)
        for i, ways in expected.with_mine.items()
    }


@SOME
@given(position=positions(lies=0))
def test_solutions_by_mines_match_every_total(position: Position) -> None:
    """For each total, the count equals the number of solutions with this total."""
    boards = arrangements(position, total=False)
    by_mines = Counter(map(sum, boards))
    found = reference.solutions_by_mines(position)
    assert {mines: ways for mines, ways in found.items() if ways} == by_mines


@SOME
@given(position=positions(lies=0))
def test_chances_add_up_to_the_mines_left(analyze: Analyze, position: Position) -> None:
    """With a total, the chances of the unopened cells add up to the number of mines left."""
    assume(position.mines is not None)
    found = analyze(position)
    chances = [found.p_mine[cell] for cell in position.unopened_cells()]
    assert sum(chances) == pytest.approx(position.mines - position.cells.count(b"*"), abs=1e-9)


@SOME
@given(position=positions(lies=0))
def test_flags_change_nothing(analyze: Analyze, position: Position) -> None:
    """The analysis is the same without flags."""
    with_flags, without = analyze(position), analyze(position.without_flags())
    assert with_flags.solutions == without.solutions
    assert with_flags.safe == without.safe
    assert with_flags.mined == without.mined


@SOME
@given(first=positions(), second=positions())
def test_cached_solver_gives_the_same_answers(first: Position, second: Position) -> None:
    """A solver's answers do not depend on earlier positions."""
    solver = Solver()
    for position in (first, second, first):
        remembered, fresh = outcome(solver.analyze, position), outcome(reference.analyze, position)
        assert remembered == fresh


def outcome(analyze: Analyze, position: Position) -> object:
    """Return a comparable form of an analysis: its proofs, or the cause."""
    try:
        found = analyze(position)
    except InconsistentPosition as error:
        return error.cause
    return found.solutions, found.safe, found.mined
