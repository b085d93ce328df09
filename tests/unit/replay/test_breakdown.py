from __future__ import annotations

from pathlib import Path

import pytest

from sapper.replay import analyze_replay, from_json, load
from sapper.replay.breakdown import BREAKDOWNS, break_down

EXPERT = Path(__file__).parents[2] / "data" / "replays" / "expert.avf"


def test_every_grouping_sums_to_the_whole_game() -> None:
    """Clicks, seconds and risk have the same totals in every grouping."""
    found = analyze_replay(load(EXPERT))
    by = break_down(found.choices, found.played.replay.board.topology)
    assert {way: tuple(groups) for way, groups in by.items()} == BREAKDOWNS
    for groups in by.values():
        assert sum(one["clicks"] for one in groups.values()) == len(found.choices)
        assert sum(one["seconds"] for one in groups.values()) == pytest.approx(
            sum(choice.thought_ms for choice in found.choices) / 1000
        )
        assert sum(one["risk"] for one in groups.values()) == pytest.approx(
            sum(choice.risk for choice in found.choices)
        )


def test_a_guess_in_a_corner_counts_there() -> None:
    """The game has four clicks: in a corner, twice on an edge, and on a mine inside."""
    replay = from_json(
        {
            "format": "sapper-replay/1",
            "board": {"rows": ["111", "1*1", "111"]},
            "clicks": [
                [0, "open", 0, 0], [1000, "open", 1, 0], [3000, "open", 2, 1], [6000, "open", 1, 1],
            ],
        }
    )  # fmt: skip
    found = analyze_replay(replay)
    by = break_down(found.choices, replay.board.topology)
    area = by["area"]
    assert [area[name]["clicks"] for name in ("corner", "edge", "inside")] == [1, 2, 1]
    assert [area[name]["seconds"] for name in ("corner", "edge", "inside")] == [0, 3, 3]
    assert area["inside"]["risk"] > 0
    assert by["action"]["open"]["clicks"] == 4
    assert by["number"]["1-10"]["clicks"] == 4
