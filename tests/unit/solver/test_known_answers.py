"""Positions with known answers: natural ones, small constructed ones, and Kaye's circuits."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sapper import _core
from sapper.errors import InconsistentPosition
from sapper.position import Position, json_part
from sapper.solver import Analysis, exact, reference
from support.known import known

Analyze = Callable[[Position], Analysis]
POSITIONS, GADGETS = known("positions"), known("gadgets")


def on_both(entries: list[Any]) -> list[Any]:
    """Run each entry on both engines; the reference takes seconds for 100x100 cells."""
    return [
        pytest.param(
            engine.analyze,
            *entry.values,
            id=f"{engine.__name__}-{entry.id}",
            marks=[pytest.mark.slow] * (engine is reference and entry.values[0]["width"] == 100),
        )
        for engine in (exact, reference)
        for entry in entries
    ]


@pytest.mark.parametrize(
    ("analyze", "entry"), on_both([p for p in POSITIONS if "error" not in p.values[0]])
)
def test_known_position_is_analysed_exactly(analyze: Analyze, entry: dict[str, Any]) -> None:
    """Counts are equal integers, proofs equal sets, and chances equal within 1e-9."""
    analysis = analyze(Position.from_json(json_part(entry)))
    assert analysis.exact
    assert _core.decimal(analysis.solutions) == entry["solutions"]
    assert sorted(map(list, analysis.safe)) == entry["safe"]
    assert sorted(map(list, analysis.mined)) == entry["mined"]
    expected = np.array(entry["p_mine"], dtype=float)
    np.testing.assert_allclose(analysis.p_mine, expected, rtol=0, atol=1e-9, equal_nan=True)


@pytest.mark.parametrize("entry", [p for p in POSITIONS if "error" in p.values[0]])
def test_known_contradiction_is_an_error(analyze: Analyze, entry: dict[str, Any]) -> None:
    """The error has a stable code."""
    with pytest.raises(InconsistentPosition) as caught:
        analyze(Position.from_json(json_part(entry)))
    assert caught.value.code == entry["error"]


@pytest.mark.parametrize("entry", GADGETS)
def test_circuit_solutions_over_all_totals(analyze: Analyze, entry: dict[str, Any]) -> None:
    """Without a total, a circuit has as many solutions as its inputs allow."""
    analysis = analyze(Position.from_json(json_part(entry)))
    assert analysis.solutions == int(entry["solutions"])
    assert sorted(map(list, analysis.safe)) == entry["safe"]
    assert sorted(map(list, analysis.mined)) == entry["mined"]


@pytest.mark.parametrize("entry", GADGETS)
def test_circuit_solutions_by_total(analyze: Analyze, entry: dict[str, Any]) -> None:
    """Each total gives the published number of solutions."""
    for mines, solutions in entry["solutions_by_mines"].items():
        analysis = analyze(Position.from_json(json_part(entry), mines=int(mines)))
        assert analysis.solutions == int(solutions)
    by_mines = reference.solutions_by_mines(Position.from_json(json_part(entry)))
    assert {str(m): str(ways) for m, ways in by_mines.items()} == entry["solutions_by_mines"]
