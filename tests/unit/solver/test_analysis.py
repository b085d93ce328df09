"""Analyses of special cases: empty or full boards, opened mines, no total, no numbers."""

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


def test_untouched_board_allows_every_arrangement(analyze: Analyze) -> None:
    """Every board with the total fits, so all cells are equally risky."""
    analysis = analyze(Position.unopened(topology("rectangle", 30, 16), 99))
    assert analysis.solutions == comb(480, 99)
    np.testing.assert_allclose(analysis.p_mine, 99 / 480)


def test_every_arrangement_counts_without_total(analyze: Analyze) -> None:
    """Without numbers or a total, half of all arrangements have a mine on each cell."""
    analysis = analyze(Position.parse("...\n..."))
    assert analysis.solutions == 2**6
    assert analysis.p_mine.tolist() == [[0.5] * 3] * 2


def test_finished_board_has_one_solution(analyze: Analyze) -> None:
    """On a finished board, no unopened cells are left to prove."""
    analysis = analyze(Position.parse("11\n1*", mines=1))
    assert analysis.solutions == 1
    assert not analysis.safe
    assert not analysis.mined
    assert np.isnan(analysis.p_mine).all()


def test_opened_mine_counts_for_numbers_and_total(analyze: Analyze) -> None:
    """A visible mine is one of the mines around its numbers and in the total."""
    analysis = analyze(Position.parse("*1.", mines=1))
    assert analysis.safe == {Cell(0, 2)}
    assert analysis.solutions == 1


def test_total_can_prove_floating_cells(analyze: Analyze) -> None:
    """Floating cells are safe if no mine is left for them, and mines if all of them must be."""
    assert Cell(0, 3) in analyze(Position.parse(".1..", mines=1)).safe
    assert Cell(0, 3) in analyze(Position.parse(".1..", mines=2)).mined


def test_total_in_a_gap_is_rejected(analyze: Analyze) -> None:
    """A total between the minimum and the maximum can be impossible."""
    # Source: counted by hand. The middle cell is either the only mine or the only safe cell.
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
def test_contradiction_reports_its_cause(
    analyze: Analyze, text: str, mines: int | None, cause: str | None, cells: set[Cell]
) -> None:
    """The error names a number, several numbers or the total, and the cells."""
    position = Position.parse(text, mines)
    if cause is None:
        assert analyze(position).solutions == 1
        return
    with pytest.raises(InconsistentPosition) as caught:
        analyze(position)
    assert caught.value.cause == cause
    if cause != "component":
        assert set(caught.value.cells) == cells


def test_torus_wraps_around(analyze: Analyze) -> None:
    """A number in a corner has eight equivalent neighbours."""
    analysis = analyze(Position.parse("topology: torus\nmines: 2\n2...\n....\n....\n...."))
    assert analysis.p_mine[3, 3] == analysis.p_mine[1, 1] == 0.25
    assert Cell(2, 2) in analysis.safe


def test_counts_have_any_number_of_digits(analyze: Analyze) -> None:
    """Counts of thousands of digits can be printed despite Python's limit."""
    analysis = analyze(Position.unopened(topology("rectangle", 200, 100)))
    assert analysis.solutions == 1 << 20_000
    text = analysis.solutions_text
    assert text is not None
    assert len(text) == 6021
    assert text.endswith("376")


@pytest.mark.parametrize("mines", [0, 2, 3, 18, 35])
def test_wrong_total_reports_the_possible_range(mines: int) -> None:
    """The range covers the whole position, even if single numbers need too many mines."""
    text = "00001..\n00112..\n113....\n.......\n......."
    with pytest.raises(InconsistentPosition, match="the numbers allow 4 to 17") as error:
        exact.analyze(Position.parse(text, mines=mines))
    assert error.value.cause == "total"
    for fits in (4, 17):
        assert exact.analyze(Position.parse(text, mines=fits)).solutions


def test_copy_counts_solutions() -> None:
    """[#17] Copies and pickles, for example from a process pool, had no `solutions`."""
    position = Position.parse("....\n.11.\n....", mines=2)
    for duplicate in (
        copy.copy,
        copy.deepcopy,
        lambda analysis: pickle.loads(pickle.dumps(analysis)),
    ):
        analysis = duplicate(exact.analyze(position))
        assert (analysis.solutions, analysis.solutions_text) == (9, "9")
        assert analysis.safe == exact.analyze(position).safe
        assert duplicate(analysis).solutions == 9


def test_copy_of_an_estimate_has_no_count() -> None:
    """The copy of an estimate is as far beyond the limit as the original."""
    analysis = exact.analyze(Position.parse("....\n.11.\n....", mines=2), limit=Limit(states=0))
    assert pickle.loads(pickle.dumps(analysis)).solutions is None


def test_chances_are_read_only(analyze: Analyze) -> None:
    """[#17] Win chances are computed from the chances; a copy can be changed."""
    analysis = analyze(Position.parse("..\n11", mines=1))
    for one in (analysis, copy.deepcopy(analysis)):
        with pytest.raises(ValueError, match="read-only"):
            one.p_mine[0, 0] = 0
    analysis.p_mine.copy()[0, 0] = 0
