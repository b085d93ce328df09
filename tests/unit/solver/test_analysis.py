"""Analyses of edge cases: empty, full, opened mines, no total, no number."""

import copy
import pickle
from collections.abc import Callable
from math import comb

import numpy as np
import pytest

from sapper.errors import InconsistentPosition
from sapper.position import Position
from sapper.solver import Analysis, Limit, exact
from sapper.topology import Cell, topology

Analyze = Callable[[Position], Analysis]


def test_an_untouched_board_has_every_arrangement(analyze: Analyze) -> None:
    """Before the first click all boards with the total fit, and all cells are equal."""
    found = analyze(Position.unopened(topology("rectangle", 30, 16), 99))
    assert found.solutions == comb(480, 99)
    np.testing.assert_allclose(found.p_mine, 99 / 480)


def test_without_a_total_every_arrangement_counts(analyze: Analyze) -> None:
    """With no number and no total, half of the arrangements have a mine on each cell."""
    found = analyze(Position.parse("...\n..."))
    assert found.solutions == 2**6
    assert found.p_mine.tolist() == [[0.5] * 3] * 2


def test_a_finished_board_has_one_solution(analyze: Analyze) -> None:
    """Without unopened cells there is nothing to prove."""
    found = analyze(Position.parse("11\n1*", mines=1))
    assert found.solutions == 1
    assert not found.safe
    assert not found.mined
    assert np.isnan(found.p_mine).all()


def test_an_opened_mine_counts_for_numbers_and_total(analyze: Analyze) -> None:
    """A visible mine counts for its numbers and for the total."""
    found = analyze(Position.parse("*1.", mines=1))
    assert found.safe == {Cell(0, 2)}
    assert found.solutions == 1


def test_the_total_alone_can_prove_floating_cells(analyze: Analyze) -> None:
    """Floating cells are safe if no mine is left for them, and mines if all must be."""
    assert Cell(0, 3) in analyze(Position.parse(".1..", mines=1)).safe
    assert Cell(0, 3) in analyze(Position.parse(".1..", mines=2)).mined


def test_a_gap_in_the_counts_is_seen(analyze: Analyze) -> None:
    """Impossible totals between the minimum and the maximum are refused."""
    # Source: counted by hand. Either the middle cell is the only mine, or the only safe cell.
    position = Position.parse("1.1\n...\n1.1", mines=3)
    with pytest.raises(InconsistentPosition) as caught:
        analyze(position)
    assert caught.value.cause == "total"


@pytest.mark.parametrize(
    ("text", "mines", "cause", "cells"),
    [
        ("8.", None, "number", {(0, 0)}),
        ("*0.", None, "number", {(0, 1)}),
        ("1.1.1", None, "component", {(0, 0), (0, 2), (0, 4)}),
        ("1.", 2, "total", set()),
        ("...", 0, None, set()),
    ],
)
def test_a_contradiction_is_told_by_cause(
    analyze: Analyze, text: str, mines: int | None, cause: str | None, cells: set[Cell]
) -> None:
    """The error names one number, several numbers or the total, and their cells."""
    position = Position.parse(text, mines)
    if cause is None:
        assert analyze(position).solutions == 1
        return
    with pytest.raises(InconsistentPosition) as caught:
        analyze(position)
    assert caught.value.cause == cause
    if cause != "component":
        assert set(caught.value.cells) == cells


def test_a_torus_is_one_board_over_its_edges(analyze: Analyze) -> None:
    """A number in the corner of a torus has eight equal neighbours."""
    found = analyze(Position.parse("topology: torus\nmines: 2\n2...\n....\n....\n...."))
    assert found.p_mine[3, 3] == found.p_mine[1, 1] == 0.25
    assert Cell(2, 2) in found.safe


def test_counts_have_any_number_of_digits(analyze: Analyze) -> None:
    """Thousands of digits are supported and print without Python's limit."""
    found = analyze(Position.unopened(topology("rectangle", 200, 100)))
    assert found.solutions == 1 << 20_000
    text = found.solutions_text
    assert text is not None
    assert len(text) == 6021
    assert text.endswith("376")


@pytest.mark.parametrize("mines", [0, 2, 3, 18, 35])
def test_a_wrong_total_is_told_with_the_true_bounds(mines: int) -> None:
    """The bounds cover the whole position, even if single numbers already need too many mines."""
    text = "00001..\n00112..\n113....\n.......\n......."
    with pytest.raises(InconsistentPosition, match="the numbers allow 4 to 17") as error:
        exact.analyze(Position.parse(text, mines=mines))
    assert error.value.cause == "total"
    for fits in (4, 17):
        assert exact.analyze(Position.parse(text, mines=fits)).solutions


def test_a_copy_counts_what_was_not_counted_yet() -> None:
    """[#17] Copies and pickles, such as from a process pool, had no `solutions`."""
    position = Position.parse("....\n.11.\n....", mines=2)
    for copied in (copy.copy, copy.deepcopy, lambda found: pickle.loads(pickle.dumps(found))):
        found = copied(exact.analyze(position))
        assert (found.solutions, found.solutions_text) == (9, "9")
        assert found.safe == exact.analyze(position).safe
        assert copied(found).solutions == 9


def test_a_copy_of_an_estimate_is_not_counted() -> None:
    """A copied estimate exceeds its limit, as the original did."""
    found = exact.analyze(Position.parse("....\n.11.\n....", mines=2), limit=Limit(states=0))
    assert pickle.loads(pickle.dumps(found)).solutions is None


def test_nobody_can_change_the_chances_of_an_analysis(analyze: Analyze) -> None:
    """[#17] Win chances are computed from them; a copy can be changed."""
    found = analyze(Position.parse("..\n11", mines=1))
    for one in (found, copy.deepcopy(found)):
        with pytest.raises(ValueError, match="read-only"):
            one.p_mine[0, 0] = 0
    found.p_mine.copy()[0, 0] = 0
