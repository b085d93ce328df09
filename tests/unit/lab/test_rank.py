"""The ranking of all bots on the same boards."""

from pathlib import Path

import sapper
from sapper.lab import run
from sapper.lab.rank import rank


def test_every_bot_is_ranked(tmp_path: Path) -> None:
    """Bots are ordered by wins on the hardest level; bots from files are included."""
    mine = tmp_path / "mine.py"
    mine.write_text("from sapper.solver.bots import bots\nMine = bots['exact']\n")
    found = rank(n=3, seed=1, more=[f"{mine}:Mine"])
    assert set(found.bots) == {*sapper.bots, f"{mine}:Mine"}
    wins = [found.tallies[bot, "expert"].wins for bot in found.bots]
    assert wins == sorted(wins, reverse=True)
    [row] = [r for r in found.to_json()["rows"] if (r["bot"], r["level"]) == ("exact", "beginner")]
    assert row["wins"] == run("exact", "beginner", n=3, seed=1).summary["wins"]
    lines = found.to_markdown().splitlines()
    assert len(lines) == 2 + len(sapper.bots) + 1
    assert {line.count("|") for line in lines} == {8}
