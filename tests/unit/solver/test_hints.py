"""Hints: a proved safe cell, the best win chance, or the least risk."""

import numpy as np
import pytest

from sapper.errors import IllegalAction, InconsistentPosition
from sapper.position import Position
from sapper.solver import analyze, hint
from sapper.solver.search import optimal
from sapper.solver.winning import win_chance
from sapper.topology import Cell, topology

RISKIER = """\
01110
02.20
13.31
..3..
....."""


def test_first_safe_cell_is_hinted() -> None:
    """If several cells are proved safe, the first one is suggested."""
    clue = hint(Position.parse("....\n.11.\n....", mines=2))
    assert clue.cell == Cell(0, 1)
    assert clue.proved
    assert clue.p_mine == 0


def test_least_risky_cell_is_hinted_without_safe_cells() -> None:
    """The hint states the risk."""
    clue = hint(Position.parse(".1...", mines=2))
    # Of the two cells with this risk, this one reveals something about the cells behind it.
    assert clue.cell == Cell(0, 2)
    assert not clue.proved
    assert clue.p_mine == 0.5
    assert "50.0 %" in clue.sentence


def test_fewest_neighbours_break_ties() -> None:
    """On an untouched board, a corner is suggested, where a zero is most likely."""
    assert hint(Position.unopened(topology("rectangle", 9, 9), 10)).cell == Cell(0, 0)
    middle = hint(Position.parse("F1.1.", mines=1))
    assert middle.cell == Cell(0, 0)


def test_proved_mine_is_never_hinted() -> None:
    """A proved mine is not suggested even if every other cell is a coin flip."""
    clue = hint(Position.parse("..\n11\n11\n..", mines=2))
    assert clue.p_mine == 0.5


def test_win_chance_outweighs_risk() -> None:
    """If perfect play opens a riskier cell, the hint gives the values of both cells."""
    position = Position.parse(RISKIER, mines=6)
    clue, best = hint(position), optimal(position)
    assert clue.cell in best.best
    assert clue.p_mine > np.nanmin(analyze(position).p_mine)
    assert f"{100 * best.win_chance:.1f} %" in clue.sentence
    assert "least risky" in clue.sentence


def test_hint_includes_the_least_risky_cell() -> None:
    """The least risky cell's risk and win chance are in the hint, and in its JSON form."""
    position = Position.parse(RISKIER, mines=6)
    clue, chances = hint(position), {at.cell: at for at in win_chance(position).cells}
    least = clue.least_risky
    assert least is not None
    assert least == chances[least.cell]
    assert least.p_mine == np.nanmin(analyze(position).p_mine) < clue.p_mine
    assert clue.win_chance == chances[clue.cell].win_chance > least.win_chance
    assert clue.kind == "exact"
    obj = clue.to_json()
    assert (obj["win_chance"], obj["kind"]) == (clue.win_chance, "exact")
    assert obj["least_risky"]["cell"] == list(least.cell)
    assert obj["least_risky"]["win_chance"] == least.win_chance


def test_least_risky_best_cell_has_no_alternative() -> None:
    """The hint includes a win chance; a hint for a proved cell does not."""
    coin = hint(Position.parse("..\n11", mines=1))
    assert (coin.win_chance, coin.kind, coin.least_risky) == (0.5, "exact", None)
    safe = hint(Position.parse(".1\n.1\n.1", mines=1))
    assert (safe.win_chance, safe.kind, safe.least_risky) == (None, None, None)


def test_expert_hint_estimates_both_cells() -> None:
    """After a 2 in the corner, the least risky cell is not the best one."""
    rows = ["2" + "." * 29] + ["." * 30] * 15
    clue = hint(Position.parse("\n".join(rows), mines=99))
    assert clue.kind == "estimated"
    if clue.least_risky is not None:
        assert clue.least_risky.cell != clue.cell
        assert clue.least_risky.win_chance < (clue.win_chance or 0)


@pytest.mark.parametrize("text", ["1.", "11\n1*"])
def test_nothing_to_open_is_an_error(text: str) -> None:
    """The error distinguishes boards with only mines left from finished boards."""
    with pytest.raises(IllegalAction, match="nothing to open"):
        hint(Position.parse(text))


def test_impossible_position_has_no_hint() -> None:
    """An impossible position is an error, as in an analysis."""
    with pytest.raises(InconsistentPosition):
        hint(Position.parse("8."))


def test_hint_json_form() -> None:
    """A cell is a list, as in all JSON forms."""
    assert hint(Position.parse(".0")).to_json()["cell"] == [0, 0]


def test_easiest_proof_is_chosen() -> None:
    """The first safe cell takes two numbers, but another takes only one."""
    clue = hint(Position.parse("002..\n124..\n.....\n.....", mines=4))
    assert clue.cell == (2, 0)
    assert len(clue.because) == 1


def test_floating_cell_has_no_chance_without_total() -> None:
    """The hint gives no chance instead of claiming 50 % (issue 33)."""
    clue = hint(Position.parse(".....\n.7...\n....."))
    assert clue.cell == (0, 4)
    assert clue.sentence == (
        "No cell is safe. No number touches this one, so its chance of a mine is unknown. "
        "Mine total unknown: every arrangement counts equally."
    )
    touched = hint(Position.parse(".....\n.1...\n.....")).sentence
    assert touched.startswith("No cell is safe. This is the least risky: 12.5 %")
