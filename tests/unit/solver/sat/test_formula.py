"""Formulas about mines, and the budget for solving them."""

from itertools import product
from random import Random

import pytest

from sapper._core import Cancel
from sapper._util.work import Work
from sapper.errors import Cancelled
from sapper.solver.sat import Formula, exactly


def _hard(formula: Formula, holes: int) -> None:
    """More pigeons than holes: unsatisfiable, but hard to refute with clauses alone."""
    at = {(p, h): formula.new() for p in range(holes + 1) for h in range(holes)}
    for p in range(holes + 1):
        formula.add([at[p, h] for h in range(holes)])
    for h in range(holes):
        for p, q in product(range(holes + 1), repeat=2):
            if p < q:
                formula.add([-at[p, h], -at[q, h]])


@pytest.mark.parametrize("size", range(6))
def test_exactly_allows_only_its_count(size: int) -> None:
    """Every assignment is checked."""
    for mines in range(-1, size + 2):
        formula = list(exactly(mines, range(1, size + 1)))
        for values in product((False, True), repeat=size):
            holds = all(any(values[abs(v) - 1] == (v > 0) for v in c) for c in formula)
            assert holds == (sum(values) == mines)


@pytest.mark.parametrize("solver", ["minisat22", "minicard"])
def test_arrangement_fits_the_numbers(solver: str) -> None:
    """Assumptions apply only to one query."""
    with Formula(solver) as formula:
        cells = formula.variables("abcd")
        if solver == "minicard":
            formula.between(2, 2, cells)
        else:
            formula.exactly(2, cells)
        assert formula.ask([-cells[0], -cells[1]])
        assert list(formula.mined()) == ["c", "d"]
        assert formula.values("ad") == {"a": 0, "d": 1}
        assert formula.ask([-cells[0], -cells[1], -cells[2]]) is False
        assert set(formula.core()) <= {-cells[0], -cells[1], -cells[2]}
        assert formula.ask([cells[0]])


def test_totalizer_counts() -> None:
    """Additional random clauses do not change the possible counts."""
    for seed in range(20):
        rng = Random(seed)
        size, most = 6, rng.randint(1, 6)
        with Formula() as formula:
            cells = formula.variables(range(size))
            fewer = formula.at_most(cells, most)
            fixed = [v if rng.random() < 0.6 else -v for v in cells]
            mines = sum(v > 0 for v in fixed)
            assert formula.ask(fixed) == (mines <= most)
            assert formula.ask([*fixed, *fewer]) == (mines < most)


def test_conflict_limit_stops_a_query() -> None:
    """The limit does not carry over to the next query."""
    with Formula() as formula:
        _hard(formula, 7)
        assert formula.ask(conflicts=20) is None
        assert formula.ask() is False


def test_deadline_stops_a_query() -> None:
    """Queries of any length end at the deadline."""
    with Formula(work=Work(0.2)) as formula:
        _hard(formula, 30)
        assert formula.ask() is None


def test_query_can_be_cancelled() -> None:
    """The flag is checked between slices of work."""
    cancel = Cancel()
    with Formula(work=Work(None, cancel)) as formula:
        _hard(formula, 30)
        with pytest.raises(Cancelled):
            formula.ask(watch=cancel.set)


def test_empty_clause_is_false() -> None:
    """A number that its cells cannot satisfy gives an empty clause."""
    with Formula() as formula:
        formula.exactly(3, formula.variables(range(2)))
        assert formula.ask() is False
