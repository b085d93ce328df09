"""Experiments that reproduce published figures and check what rule sets promise."""

import pytest

from sapper.errors import BadSetting
from sapper.lab import trials
from sapper.lab.experiments import EXPERIMENTS
from sapper.lab.reproduce import reproduce
from sapper.lab.results import published
from sapper.solver import analyze


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_is_a_table(name: str) -> None:
    """Each row has one cell per column."""
    for table in reproduce(name, 2):
        assert table.rows
        assert {len(row) for row in table.rows} == {len(table.columns)}
        assert table.to_json()["title"] == table.title


def test_published_figures_have_equal_lengths() -> None:
    """Each density has a figure, and the group bot's table includes its totals."""
    data = published()["autosweeper"]
    assert {len(data[k]) for k in ("densities", "graph", "again", "level_2", "guesses")} == {9}
    rows = {percent: rest for percent, *rest in published()["groups"]["calibration"]}
    assert rows[20] == [3968, 350]
    assert set(published()) == set(EXPERIMENTS)


def test_fair_keeps_its_promise() -> None:
    """Forced guesses never lose, and needless guesses always do."""
    [table] = reproduce("fair", 20)
    for _, _, forced, died, needless, paid, safe in table.rows:
        assert int(forced) > 0 == int(died) == int(safe)
        assert int(needless) == int(paid) > 0


@pytest.mark.slow
def test_following_kaboom_rules_never_loses() -> None:
    """None of the three kinds of guess loses, as in the original's 274 games."""
    deaths = reproduce("kaboom", 2)[0]
    assert [row[-1] for row in deaths.rows] == ["0", "0", "0"]


def test_unknown_experiment_is_rejected() -> None:
    """The error lists the known experiments."""
    with pytest.raises(BadSetting, match="'magic'; choose from: groups, autosweeper"):
        reproduce("magic", 1)


def test_scattered_positions_are_consistent_and_partly_open() -> None:
    """Positions include their total; about the given share of cells is open, and no mine is."""
    found = trials.scattered("16x16:40", 30, share=0.3)
    assert all(analyze(position).solutions for position in found)
    opened = sum(256 - len(position.unopened_cells()) for position in found)
    assert 0.26 < opened / (30 * 256) < 0.34
    assert found == trials.scattered("16x16:40", 30, share=0.3)
