"""All bots in a comparison play the same boards, and its end depends only on the games."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sapper.errors import BadSetting
from sapper.lab import MarginTest, Run, Sprt, SprtVerdict, run
from sapper.lab.compare import compare
from sapper.lab.spec import Spec
from sapper.simulation.match import Match

EXACT = Spec(Match("exact", "beginner"), 1, 400)
LEVEL_1 = Spec(Match("autosweeper", "beginner"), 1, 400)


def test_pairs_match_the_runs() -> None:
    """Each bot has the same win rate as in a separate run."""
    found = compare([EXACT, LEVEL_1])
    [pairs] = found.pairs
    assert found.boards == pairs.games == 400
    assert found.wins == [pairs.both + pairs.first, pairs.both + pairs.second]
    assert found.wins[0] == run("exact", "beginner", n=400, seed=1).summary["wins"]
    assert found.verdicts == [None]
    assert found.to_json()["pairs"][0]["difference"] == (found.wins[1] - found.wins[0]) / 400


@pytest.mark.slow
def test_test_stops_at_the_same_board_with_any_workers(tmp_path: Path) -> None:
    """One or two workers give the same results, and finished games stay saved."""
    specs, test = [EXACT, LEVEL_1], Sprt(h1=0.6)
    one = compare(specs, test, batch=50)
    two = compare(specs, test, batch=50, workers=2, out=tmp_path)
    assert one.to_json() == two.to_json()
    assert one.boards < 400
    assert one.verdicts == [SprtVerdict.FIRST]
    kept = Run.open(tmp_path / "2-autosweeper")
    assert kept.summary["state"] == "stopped"
    assert kept.tally.games == one.boards
    again = compare(specs, test, batch=50, out=tmp_path, resume=True)
    assert again.to_json() == one.to_json()


def test_bot_equals_itself() -> None:
    """Boards on which both bots win, or neither, have no effect."""
    found = compare([EXACT, EXACT], Sprt())
    assert found.pairs[0].difference == 0
    assert found.verdicts == [SprtVerdict.OPEN]


def test_win_rates_are_compared_in_points() -> None:
    """The verdict and the interval depend on the order of the boards."""
    test = MarginTest(0.1)
    one = compare([EXACT, LEVEL_1, EXACT], test, batch=50)
    assert one.verdicts == [SprtVerdict.FIRST, SprtVerdict.EQUAL]
    [boards, same], [pairs, _] = one.outcomes, one.pairs
    assert (np.count_nonzero(boards == -1), np.count_nonzero(boards == 1)) == (
        pairs.first, pairs.second
    )  # fmt: skip
    assert not same.any()
    assert one.intervals[0] == test.interval(boards) != pairs.interval
    told = one.to_json()
    assert told["test"] == {"margin": 0.1, "alpha": 0.05, "beta": 0.05}
    assert told["pairs"][0]["interval"] == list(one.intervals[0])


def test_verdict_is_final_while_other_bots_play() -> None:
    """Later boards used to change a clear result back to "undecided"."""
    strong, weak = (Spec(Match(bot, "6x6:8"), 1, 60) for bot in ("exact", "autosweeper"))
    test = Sprt(h1=0.9, alpha=0.1, beta=0.1)
    alone = compare([strong, weak], test, batch=10)
    assert (alone.boards, alone.verdicts) == (40, [SprtVerdict.FIRST])
    longer = compare([strong, weak, strong], test, batch=10)
    assert (longer.boards, longer.verdicts) == (60, [SprtVerdict.FIRST, SprtVerdict.OPEN])
    assert test.verdict(longer.pairs[0]) is SprtVerdict.OPEN


@pytest.mark.parametrize("specs", [[EXACT], [EXACT, replace(LEVEL_1, seed=2)]])
def test_incomparable_runs_are_rejected(specs: list[Spec]) -> None:
    """A single bot and bots on different boards are refused."""
    with pytest.raises(BadSetting, match="compar"):
        compare(specs)
