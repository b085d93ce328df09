"""The ranking of all bots on the same boards."""

import shlex
import sys
from pathlib import Path

import pytest

import sapper
from sapper.errors import BadSetting
from sapper.lab import run
from sapper.lab.rank import BOARDS, rank


def test_every_bot_is_ranked(tmp_path: Path) -> None:
    """Bots are ordered by wins on the first board; bots from files are included."""
    mine = tmp_path / "mine.py"
    mine.write_text("from sapper.solver.bots import bots\nMine = bots['exact']\n")
    found = rank(n=3, seed=1, more=[f"{mine}:Mine"])
    assert set(found.bots) == {*sapper.bots, f"{mine}:Mine"}
    wins = [found.results[bot, BOARDS[0]].tally.wins for bot in found.bots]
    assert wins == sorted(wins, reverse=True)
    [row] = [r for r in found.to_json()["rows"] if (r["bot"], r["level"]) == ("exact", "beginner")]
    assert row["wins"] == run("exact", "beginner", n=3, seed=1).summary["wins"]
    tables = found.to_markdown().split("\n\n")[1::2]
    assert {len(table.splitlines()) for table in tables} == {2 + len(sapper.bots) + 1}
    assert {line.count("|") for table in tables for line in table.splitlines()} == {5}


@pytest.mark.slow
def test_engines_are_ranked_with_their_versions_and_processor_time() -> None:
    """Two players of the same bot differ by zero, and the engine's own time counts."""
    served = f"{shlex.join([sys.executable, '-m', 'sapper', 'engine', '--bot', 'exact'])}"
    found = rank([f"engine:{served}"], only=["exact"], baseline="exact", n=2, seed=1)
    assert set(found.versions.values()) == {"exact", f"Sapper exact {sapper.__version__}"}
    for row in found.to_json()["rows"]:
        assert row["difference"] == 0
    own, engine = (found.results[bot, BOARDS[0]].cpu_ms for bot in ("exact", f"engine:{served}"))
    assert 0 < own < engine


def test_a_baseline_that_does_not_play_is_refused() -> None:
    """The error lists the bots."""
    with pytest.raises(BadSetting, match="not among the bots: exact"):
        rank(only=["exact"], n=1)
