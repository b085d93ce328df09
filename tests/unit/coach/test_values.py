"""The win chances that reviews compare."""

from __future__ import annotations

import pytest

from sapper import Game, Limit, Position, analyze
from sapper.coach import values
from sapper.coach.values import Values
from sapper.solver.search.chances import compared, most_solutions


@pytest.mark.parametrize(
    ("rows", "columns", "mines", "exact"), [(1, 100, 2, False), (3, 10, 2, True)]
)
def test_perfect_play_is_used_as_in_hints(rows: int, columns: int, mines: int, exact: bool) -> None:
    """Long boards with few mines are not played perfectly, because one of them took 40 s."""
    position = Position.parse("\n".join(["." * columns] * rows), mines)
    value = Values(Limit()).of(position, sample=False)
    assert (value is not None and value.kind == "exact") == exact
    hinted = compared(position, analyze(position).p_mine.ravel())
    assert (hinted is not None and hinted.kind == "exact") == exact


def test_limits_match_those_of_hints() -> None:
    """Reviews and hints have the same limits on solutions, states and cells."""
    assert values.most_solutions is most_solutions
    assert most_solutions(Position.parse("....\n.F2.", 2)) == 5_000
    assert most_solutions(Position.parse("\n".join(["." * 100] * 10), 2)) == 3


def test_all_games_won_still_has_an_error() -> None:
    """[#33] A chance estimated by playing games to the end is never certain."""
    game = Game("14x14:20", first_click="opening", seed=8)
    game.open((5, 5))
    value = Values(Limit()).of(game.position, sample=True)
    assert value is not None
    assert (value.kind, value.win_chance) == ("sampled", 1.0)
    assert value.error is not None
    assert 0.01 < value.error < 0.05
