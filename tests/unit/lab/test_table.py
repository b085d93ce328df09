"""Games as a table with every figure, and a digest that depends only on the games."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from sapper.lab.table import SCHEMA, digest, empty, fatal_risks, to_table
from sapper.simulation.match import Match, Played

GAME = Played(
    seed=2**64 - 1,
    result="lost",
    actions=7,
    guesses=2,
    risks=(0.25, 0.5),
    by={"least risk": 2, "proved": 3},
    last_by="least risk",
    last_risk=0.5,
    bbbv=12,
    think_s=0.01,
)


def test_row_has_all_figures_of_a_game() -> None:
    """No figure is lost, and risks are summed."""
    [row] = to_table([GAME]).to_pylist()
    assert row["seed"] == 2**64 - 1
    assert (row["result"], row["actions"], row["guesses"]) == ("lost", 7, 2)
    assert (row["risks"], row["risk"]) == ([0.25, 0.5], 0.75)
    assert row["by"] == [("least risk", 2), ("proved", 3)]
    assert (row["last_by"], row["last_risk"], row["bbbv"]) == ("least risk", 0.5, 12)
    assert to_table([GAME]).schema == SCHEMA == empty().schema


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 1},
        {"result": "stuck"},
        {"actions": 8},
        {"guesses": 3},
        {"risks": (0.5, 0.25)},
        {"by": {"proved": 2, "least risk": 2}},
        {"by": {"proven": 3, "least risk": 2}},
        {"last_by": "proved"},
        {"last_risk": None},
        {"last_risk": 0.5000001},
        {"bbbv": None},
    ],
)
def test_digest_depends_on_every_column(change: dict[str, object]) -> None:
    """Every column changes the digest."""
    assert digest(to_table([GAME])) != digest(to_table([replace(GAME, **change)]))


def test_digest_depends_only_on_values() -> None:
    """Neither thinking times nor the division into chunks affect the digest."""
    other = replace(GAME, think_s=9.0)
    assert digest(to_table([GAME])) == digest(to_table([other]))
    rows = Match("exact", "beginner").play(range(50))
    table = to_table(rows)
    cut = pa.concat_tables([to_table(rows[:7]), to_table(rows[7:20]), to_table(rows[20:])])
    assert digest(cut) == digest(table)
    assert digest(table.slice(7, 13)) == digest(to_table(rows[7:20]))


def test_only_the_last_guess_of_a_lost_game_is_fatal() -> None:
    """A guess is fatal only if it was the last choice of a lost game."""
    games = [
        GAME,
        replace(GAME, result="won"),
        replace(GAME, last_by="level 2", last_risk=None),
        replace(GAME, risks=(), last_risk=None),
    ]
    risks, fatal = fatal_risks(to_table(games))
    assert risks.tolist() == [0.25, 0.5] * 3
    assert fatal.tolist() == [False, True, False, False, False, False]
    risks, fatal = fatal_risks(to_table(games).slice(1, 2))
    assert (len(risks), int(np.sum(fatal))) == (4, 0)
    assert len(fatal_risks(empty())[0]) == 0
