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


def test_a_safe_cell_comes_first_in_row_order() -> None:
    """Of several proved safe cells, the hint is the first."""
    found = hint(Position.parse("....\n.11.\n....", mines=2))
    assert found.cell == Cell(0, 1)
    assert found.proved
    assert found.p_mine == 0


def test_without_a_safe_cell_the_risk_is_least() -> None:
    """The hint is a cell of least risk and states the risk."""
    found = hint(Position.parse(".1...", mines=2))
    # Of the two cells with this risk, this one reveals something about those behind it.
    assert found.cell == Cell(0, 2)
    assert not found.proved
    assert found.p_mine == 0.5
    assert "50.0 %" in found.sentence


def test_equal_risks_go_to_the_fewest_neighbours() -> None:
    """On an untouched board that is a corner, where a zero is most likely."""
    assert hint(Position.unopened(topology("rectangle", 9, 9), 10)).cell == Cell(0, 0)
    middle = hint(Position.parse("F1.1.", mines=1))
    assert middle.cell == Cell(0, 0)


def test_a_proved_mine_is_never_the_hint() -> None:
    """A proved mine is not hinted even if every other cell is a coin flip."""
    found = hint(Position.parse("..\n11\n11\n..", mines=2))
    assert found.p_mine == 0.5


def test_a_better_chance_to_win_outweighs_a_smaller_risk() -> None:
    """If perfect play opens a riskier cell first, the hint gives the values of both."""
    position = Position.parse(RISKIER, mines=6)
    found, best = hint(position), optimal(position)
    assert found.cell in best.best
    assert found.p_mine > np.nanmin(analyze(position).p_mine)
    assert f"{100 * best.win_chance:.1f} %" in found.sentence
    assert "least risky" in found.sentence


def test_the_least_risky_cell_is_named_beside_a_better_one() -> None:
    """The least risky cell has its own risk and win chance, in JSON too."""
    position = Position.parse(RISKIER, mines=6)
    found, chances = hint(position), {at.cell: at for at in win_chance(position).cells}
    least = found.least_risky
    assert least is not None
    assert least == chances[least.cell]
    assert least.p_mine == np.nanmin(analyze(position).p_mine) < found.p_mine
    assert found.win_chance == chances[found.cell].win_chance > least.win_chance
    assert found.kind == "exact"
    told = found.to_json()
    assert (told["win_chance"], told["kind"]) == (found.win_chance, "exact")
    assert told["least_risky"]["cell"] == list(least.cell)
    assert told["least_risky"]["win_chance"] == least.win_chance


def test_the_best_cell_has_no_rival_where_it_is_the_least_risky() -> None:
    """The hint has a win chance; a proved cell has none."""
    coin = hint(Position.parse("..\n11", mines=1))
    assert (coin.win_chance, coin.kind, coin.least_risky) == (0.5, "exact", None)
    safe = hint(Position.parse(".1\n.1\n.1", mines=1))
    assert (safe.win_chance, safe.kind, safe.least_risky) == (None, None, None)


def test_on_expert_both_cells_have_estimates() -> None:
    """After a 2 in the corner the least risky cell is not the best."""
    rows = ["2" + "." * 29] + ["." * 30] * 15
    found = hint(Position.parse("\n".join(rows), mines=99))
    assert found.kind == "estimated"
    if found.least_risky is not None:
        assert found.least_risky.cell != found.cell
        assert found.least_risky.win_chance < (found.win_chance or 0)


@pytest.mark.parametrize("text", ["1.", "11\n1*"])
def test_there_may_be_nothing_to_open(text: str) -> None:
    """The error says whether only mines are left or nothing at all."""
    with pytest.raises(IllegalAction, match="nothing to open"):
        hint(Position.parse(text))


def test_a_contradiction_has_no_hint() -> None:
    """An impossible position is refused, as in an analysis."""
    with pytest.raises(InconsistentPosition):
        hint(Position.parse("8."))


def test_a_hint_has_a_json_form() -> None:
    """The cell of a hint is a list, as in all JSON forms."""
    assert hint(Position.parse(".0")).to_json()["cell"] == [0, 0]


def test_the_cell_with_the_easiest_proof_is_named() -> None:
    """The first safe cell takes two numbers; another takes only one."""
    found = hint(Position.parse("002..\n124..\n.....\n.....", mines=4))
    assert found.cell == (2, 0)
    assert len(found.because) == 1


def test_a_cell_that_no_number_touches_has_no_chance_without_a_total() -> None:
    """The hint gives no chance for such a cell instead of claiming 50 % (issue 33)."""
    clue = hint(Position.parse(".....\n.7...\n....."))
    assert clue.cell == (0, 4)
    assert clue.sentence == (
        "No cell is safe. No number touches this one, so its chance of a mine is unknown. "
        "Mine total unknown: every arrangement counts equally."
    )
    touched = hint(Position.parse(".....\n.1...\n.....")).sentence
    assert touched.startswith("No cell is safe. This is the least risky: 12.5 %")
