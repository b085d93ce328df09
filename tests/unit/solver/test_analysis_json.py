"""Analyses and results of perfect play survive a round trip through JSON."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from sapper import Analysis, BadSave, Limit, Optimal, Position, analyze, optimal

WALL = Position.parse("..\n11", mines=1)
WIDE = Position.parse("\n".join(["." * 9] * 2 + ["111111111"] + ["." * 9] * 2), mines=14)


def test_analysis_round_trips() -> None:
    """[#35] Analyses had no JSON form."""
    before = analyze(Position.parse("...\n.2.\n...", mines=2))
    after = Analysis.from_json(json.loads(json.dumps(before.to_json())), before.position)
    assert (after.safe, after.mined, after.exact) == (before.safe, before.mined, True)
    assert after.solutions == before.solutions
    assert np.array_equal(after.p_mine, before.p_mine, equal_nan=True)
    assert after.elapsed_s == before.elapsed_s


def test_estimate_round_trips_with_errors() -> None:
    """An estimate has no count of arrangements."""
    before = analyze(WIDE, limit=Limit(states=1))
    after = Analysis.from_json(before.to_json(), before.position)
    assert (after.exact, after.solutions) == (False, None)
    assert before.p_mine_error is not None
    assert after.p_mine_error is not None
    assert np.array_equal(after.p_mine_error, before.p_mine_error, equal_nan=True)


def test_very_long_count_is_recomputed() -> None:
    """Python does not parse integers of more than 4300 digits."""
    before = analyze(Position.parse("\n".join(["." * 200] * 100)))
    after = Analysis.from_json(before.to_json(), before.position)
    assert after.solutions == 2**20_000


def test_perfect_play_round_trips() -> None:
    """[#35] Perfect play had no JSON form."""
    before = optimal(WALL)
    assert Optimal.from_json(json.loads(json.dumps(before.to_json())), WALL) == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"p_mine": [[0.5]]}, "'p_mine' must have 2 rows of 2 numbers"),
        ({"p_mine": [[0.5, 7], [None, None]]}, "'p_mine' must be from 0 to 1"),
        ({"p_mine": [["x", 0.5], [None, None]]}, "not an analysis"),
        ({"p_mine": 3}, "not an analysis"),
        ({"safe": [[9, 9]]}, "no cell (9, 9) on a board with 2 rows and 2 columns"),
        ({"safe": [3]}, "not an analysis"),
        ({"solutions": "many"}, "'solutions' must be digits, got 'many'"),
        ({"exact": 1}, "'exact' must be a boolean"),
    ],
)
def test_damaged_analysis_is_rejected(change: dict[str, Any], message: str) -> None:
    """The error gives the reason."""
    with pytest.raises(BadSave) as refused:
        Analysis.from_json({**analyze(WALL).to_json(), **change}, WALL)
    assert message in str(refused.value)


@pytest.mark.parametrize("obj", [None, 3, [], {}, {"exact": True}])
def test_invalid_input_is_rejected(obj: Any) -> None:
    """Required fields are missing."""
    with pytest.raises(BadSave):
        Analysis.from_json(obj, WALL)
    with pytest.raises(BadSave):
        Optimal.from_json(obj, WALL)


@pytest.mark.parametrize("change", [{"win_chance": 2}, {"wins": -1}, {"best": [[5, 5]]}])
def test_damaged_perfect_play_is_rejected(change: dict[str, Any]) -> None:
    """Chances above 1, negative counts and cells off the board are refused."""
    with pytest.raises(BadSave, match="not a result of perfect play"):
        Optimal.from_json({**optimal(WALL).to_json(), **change}, WALL)
