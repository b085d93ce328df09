"""Sweeps over many levels with the same seeds."""

import json
from pathlib import Path

import pytest

from sapper.errors import BadSetting
from sapper.lab import Run, run
from sapper.lab.spec import Spec
from sapper.lab.sweep import spread, sweep, to_json
from sapper.simulation.match import Match


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("0.1", [0.1]),
        ("0.1,0.3", [0.1, 0.3]),
        ("0.1:0.3:0.1", [0.1, 0.2, 0.3]),
        ("0.1:0.35:0.1", [0.1, 0.2, 0.3]),
        ("8:8:1", [8]),
    ],
)
def test_ranges_are_parsed(text: str, numbers: list[float]) -> None:
    """Both ends of a range are included if the step reaches them."""
    assert spread(text) == numbers


@pytest.mark.parametrize("text", ["", "a", "1:2", "2:1:1", "1:2:0", "1:2:-1", "0:1:0.00001"])
def test_invalid_range_is_rejected(text: str) -> None:
    """The error repeats the range."""
    with pytest.raises(BadSetting, match="FIRST:LAST:STEP"):
        spread(text)


def test_each_point_is_a_separate_run(tmp_path: Path) -> None:
    """Each point has the results of a run on its level and is saved under the level's name."""
    specs = [Spec(Match("exact", level), 1, 60) for level in ("9x9@0.1", "9x9:20")]
    points = sweep(specs, workers=2, out=tmp_path)
    for point, level in zip(points, ("9x9@0.1", "9x9:20"), strict=True):
        assert point.tally.wins == run("exact", level, n=60, seed=1).summary["wins"]
    assert [point.density for point in points] == [0.1, 20 / 81]
    assert Run.open(tmp_path / "9x9-20").summary["state"] == "done"
    told = to_json(points)
    assert told["bot"] == "exact"
    assert [one["cells"] for one in told["points"]] == [81, 81]
    assert to_json([]) == {"points": []}


def test_unknown_values_are_null_in_json() -> None:
    """Unknown intervals and means used to be NaN or infinity, which JSON cannot represent."""
    for games in (0, 1):
        points = sweep([Spec(Match("exact", "beginner"), 1, games)])
        told = json.dumps(to_json(points), allow_nan=False)
        assert '"guesses_interval": [null, null]' in told
